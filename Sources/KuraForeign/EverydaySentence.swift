/// A sentence in everyday words, and the statement that answers it.
///
/// In a pattern `ENTITY` is the name of an entity, `[…]` contains optional words, and `/` separates
/// alternatives. Spaces and punctuation do not count.
struct EverydaySentence: Sendable {
  let pattern: String
  let statement: String

  static let all = [
    (
      "fetch",
      "[please] show/list/display/print/get/give/find/see/view [me] [all/every] [of] "
        + "[the/my] ENTITY [please]"
    ),
    ("fetch", "what/which ENTITY are/is there"), ("fetch", "i want to see [all] [the/my] ENTITY"),
    ("count", "how many ENTITY [are there/do we have/do i have]"),
    ("count", "[show] [me] [the] number/count of [all] [the] ENTITY"),
    ("fetch", "ENTITY [を/は] [全部/すべて/全て/全件/ぜんぶ] 見せて/表示して/表示/教えて/出して/取得して/取得/見たい [ください/下さい]"),
    ("fetch", "ENTITY の 一覧/リスト/データ [を] [見せて/表示して/表示/出して] [ください]"),
    ("fetch", "[すべて/全て/全部] の ENTITY [を] [見せて/表示して/表示] [ください]"),
    ("count", "ENTITY は 何件/いくつ/何個/何人 [ありますか/あります/ある/いますか/ですか]"),
    ("count", "ENTITY の 数/件数/個数 [を] [数えて/教えて/表示して] [ください]"),
  ].map { EverydaySentence(pattern: $1, statement: $0) }
}

extension EverydaySentence {
  /// Returns the statement for a sentence; nil if no pattern matches.
  static func statement(for sentence: String, _ names: ModelNames) -> String? {
    let plain = sentence.lowercased().filter { $0.isLetter || $0.isNumber }
    guard !plain.isEmpty, plain.utf8.count < 120, !sentence.contains("\n") else { return nil }
    for wish in all {
      let parts = wish.pattern.split(separator: "[", omittingEmptySubsequences: false)
        .flatMap { part -> [Part] in Part.read(part) }
      if let entity = match(Array(plain)[...], parts[...], names) {
        return "\(wish.statement) \(ModelNames.written(entity))"
      }
    }
    return nil
  }

  /// A part of a pattern: one of several words, possibly optional.
  fileprivate struct Part {
    let words: [[Character]]
    let isOptional: Bool

    /// Returns the parts of the text after a `[`.
    static func read(_ text: Substring) -> [Part] {
      let halves = text.split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
      let optional = halves.count > 1 ? [Part(halves[0], isOptional: true)] : []
      let rest = (halves.last ?? "").split(separator: " ")
      return optional + rest.map { Part($0, isOptional: false) }
    }

    private init(_ text: Substring, isOptional: Bool) {
      words = text.split(separator: "/").map { Array($0.filter { !$0.isWhitespace }) }
      self.isOptional = isOptional
    }
  }

  /// Returns the entity that a sentence names if the whole sentence matches the parts.
  private static func match(
    _ rest: ArraySlice<Character>, _ parts: ArraySlice<Part>, _ names: ModelNames,
    found: String? = nil
  ) -> String? {
    guard let part = parts.first else { return rest.isEmpty ? found : nil }
    let later = parts.dropFirst()
    for word in part.words {
      if word == Array("ENTITY") {
        for length in stride(from: rest.count, to: 0, by: -1) {
          guard let entity = names.entity(String(rest.prefix(length))),
            let all = match(rest.dropFirst(length), later, names, found: entity)
          else { continue }
          return all
        }
      } else if rest.starts(with: word),
        let all = match(rest.dropFirst(word.count), later, names, found: found)
      {
        return all
      }
    }
    return part.isOptional ? match(rest, later, names, found: found) : nil
  }
}
