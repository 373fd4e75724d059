import KuraDiagnostics
import KuraModel
import KuraPredicates

// A condition in the order of Japanese: a key, a value, and what is said of them.
extension RepairGuesses {
  /// `title CONTAINS "誕生"` for `titleに"誕生"を含む`, `priority >= 2` for `priority 2以上`, and
  /// `dueDate == NULL` for `dueDateが空`: all that are in the text.
  var japaneseConditions: [FixIt] {
    guard let entity = askedEntity, text.utf8.contains(where: { $0 >= 0x80 }) else { return [] }
    let places = tokens.filter { $0.kind == .word }.prefix(60).map { token in
      text[text.utf8.index(text.startIndex, offsetBy: token.span.start)...]
    }
    let conditions = places.compactMap { rest -> TextEdit? in
      guard let match = rest.prefixMatch(of: Self.condition), isKey(match.output.key, of: entity),
        let said = Said(match.output.particle, match.output.value, match.output.rest)
      else { return nil }
      let end = said.takesRest ? match.range.upperBound : match.output.value.endIndex
      return edit(match.range.lowerBound..<end, "\(match.output.key) \(said.condition)")
    }
    let absences = places.compactMap { rest -> TextEdit? in
      guard let match = rest.prefixMatch(of: Self.absence), isKey(match.output.key, of: entity)
      else { return nil }
      return edit(match.range, "\(match.output.key) == NULL")
    }
    let edits = (conditions + absences).sorted { $0.span.start < $1.span.start }
    return edits.isEmpty ? [] : [FixIt(edits: edits + connectives)]
  }

  private func edit(_ range: Range<String.Index>, _ new: String) -> TextEdit {
    let start = text[..<range.lowerBound].utf8.count
    return TextEdit(SourceSpan(start, start + text[range].utf8.count), new)
  }

  private func isKey(_ path: Substring, of entity: String) -> Bool {
    let first = path.prefix { $0 != "." }
    return model.property(named: String(first), of: entity) != nil
  }

  /// `AND` for `かつ`, where they stand between two conditions.
  private var connectives: [TextEdit] {
    let words = [
      "かつ": "AND", "および": "AND", "そして": "AND", "しかも": "AND", "なおかつ": "AND", "で": "AND", "と": "AND",
      "または": "OR", "もしくは": "OR", "あるいは": "OR",
    ]
    return tokens.compactMap { token in words[text(token.span)].map { TextEdit(token.span, $0) } }
  }

  /// ` OR ` for what joins two conditions without a blank: `priority = 3またはpriority = 0`.
  var gluedConnectives: [FixIt] {
    guard text.utf8.count <= 400 else { return [] }
    let edits = text.matches(of: Self.connective).prefix(8).map { match in
      let word = match.output.word
      let isOr = ["または", "もしくは", "あるいは"].contains(String(word))
      let start = text.index(after: match.range.lowerBound)
      return TextEdit(span(start..<match.range.upperBound), isOr ? " OR " : " AND ")
    }
    return edits.isEmpty ? [] : [FixIt(edits: edits)]
  }

  nonisolated(unsafe) private static let connective =
    /["'0-9A-Za-z)]\s{0,2}(?<word>または|もしくは|あるいは|かつ|そして|、)\s{0,2}(?=[A-Za-z_(])/

  /// `limit 3` for `3件`
  var japaneseLimit: [FixIt] {
    guard let token = token(0) else { return [] }
    let (number, suffix) = text(token.span).leadingDigits
    guard !number.isEmpty, ["件", "件だけ", "件まで", "件のみ", "個", "行"].contains(suffix) else { return [] }
    return [FixIt(token.span, "limit \(number)")]
  }

  /// `age >= 3` for `age が 3 以上`: the operator behind the value, as Japanese has it.
  var particles: [FixIt] {
    guard let particle = token(0), let value = token(1),
      ["が", "は", "を", "に", "の", "と", "も"].contains(text(particle.span))
    else { return [] }
    let (number, suffix) = text(value.span).leadingDigits
    if let sign = ForeignWord.comparison(for: suffix), !number.isEmpty {
      return [FixIt(particle.span.joined(value.span), "\(sign) \(number)")]
    }
    let rest = tokens[(place + 2)...].prefix(3)
    for end in rest.indices.reversed() {
      let words = rest[...end].map { text($0.span) }.joined()
      guard let sign = ForeignWord.comparison(for: words) else { continue }
      return [
        FixIt(
          particle.span.joined(rest[end].span), "\(sign) \(text(value.span))")
      ]
    }
    return []
  }

  /// What is long is bounded, and a key is followed by its value at once.
  nonisolated(unsafe) private static let condition =
    /(?<key>[A-Za-z_][A-Za-z0-9_.]{0,60})[ \u{3000}]?(?<particle>が|は|に|を|も|の|で)?[ \u{3000}]?(?:==?|＝)?[ \u{3000}]?(?<value>"[^"\n]{0,60}"|'[^'\n]{0,60}'|[0-9][0-9.:\-]{0,24}|[A-Za-z][A-Za-z0-9]{0,40})[ \u{3000}]?(?<rest>[\p{Hiragana}\p{Katakana}\p{Han}ー]{0,12})/

  nonisolated(unsafe) private static let absence =
    /(?<key>[A-Za-z_][A-Za-z0-9_.]{0,60})[ \u{3000}]?(?:が|は|も|に|の)?[ \u{3000}]?(?:値が)?(?:空|なし|ない|無し|無い|未設定|未定)(?:の|である|もの)?/
}

/// What is said of a key and a value.
private struct Said {
  let condition: String
  /// Whether the words behind the value are the operator.
  let takesRest: Bool

  init?(_ particle: Substring?, _ value: Substring, _ rest: Substring) {
    let words = String(rest)
    // `titleに"x"が含まれる` and `titleが"x"に含まれる` are each other's reverse.
    let isHeld = particle == "に" && words.hasSuffix("含まれる")
    let operation =
      isHeld
      ? "CONTAINS"
      : [words, String(words.dropFirst()), words + "る"].lazy
        .compactMap(ForeignWord.comparison).first
    guard operation != nil || particle != nil && particle != "の" else { return nil }
    takesRest = operation != nil
    condition = "\(operation ?? "==") \(Self.literal(value))"
  }

  /// `"1970-01-01"` for a day without quotes, `"Office"` for a word.
  private static func literal(_ value: Substring) -> String {
    let isText = value.hasPrefix("\"") || value.hasPrefix("'")
    let isNumber = value.first?.isNumber == true && !value.contains { "-:".contains($0) }
    let isWord = ["yes", "no", "true", "false", "null", "nil"].contains(value.lowercased())
    return isText || isNumber || isWord ? String(value) : "\"\(value)\""
  }
}

extension String {
  /// `3` and `以上` of `3以上`
  fileprivate var leadingDigits: (String, String) {
    let digits = prefix { $0.isASCII && $0.isNumber || $0 == "." }
    return (String(digits), String(dropFirst(digits.count)))
  }
}
