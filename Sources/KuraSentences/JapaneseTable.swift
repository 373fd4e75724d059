import CSentences

/// The Japanese translations of English sentences, loaded on first use.
enum JapaneseTable {
  /// The translation of a template; blanks and line ends around it are preserved.
  static subscript(template: String) -> String? {
    if let words = forms[template] { return words }
    let core = template.drop(while: \.isWhitespace)
    let end = core.lastIndex { !$0.isWhitespace }.map(core.index(after:)) ?? core.startIndex
    guard end < template.endIndex || core.startIndex > template.startIndex else { return nil }
    return forms[String(core[..<end])].map {
      template[..<core.startIndex] + $0 + template[end...]
    }
  }

  private static let forms = Dictionary(
    JapaneseSentences.all.flatMap(SentencePair.read).map { ($0.english, $0.japanese) },
    uniquingKeysWith: { first, _ in first })
}

/// A sentence in both languages, with `%1` for its first value.
package struct SentencePair: Sendable, Hashable {
  package let english: String
  package let japanese: String

  /// Parses pairs from a text: lines of English, then lines of Japanese, which begin with `= `.
  package static func read(_ text: String) -> [SentencePair] {
    var pairs: [SentencePair] = []
    var (english, japanese) = ([Substring](), [Substring]())
    func end() {
      guard !japanese.isEmpty else { return }
      pairs.append(SentencePair(english, japanese))
      (english, japanese) = ([], [])
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "=" || line.hasPrefix("= ") {
        japanese.append(line.dropFirst(2))
      } else {
        end()
        english.append(line)
      }
    }
    end()
    return pairs
  }

  private init(_ english: [Substring], _ japanese: [Substring]) {
    self.english = english.joined(separator: "\n")
    self.japanese = japanese.joined(separator: "\n")
  }
}

/// The Japanese sentences by theme: the files of CSentences, and of the other linked modules.
package enum JapaneseSentences {
  /// All texts, which `SentencePair` parses.
  package static var all: [String] { parts.flatMap(\.self).map(text) }

  /// The texts for the predicate language, for programs that use nothing else.
  package static var ofPredicates: [String] { parts.first.map { $0.map(text) } ?? [] }

  /// Returns the text of a theme; empty if there is none.
  package static func of(theme: String) -> String {
    parts.joined().first { String(cString: $0.theme) == theme }.map(text) ?? ""
  }

  private static var parts: [UnsafeBufferPointer<kura_sentences>] {
    sequence(first: kura_japanese()) { $0.pointee.next.map { UnsafePointer($0) } }
      .map { UnsafeBufferPointer(start: $0.pointee.files, count: $0.pointee.count) }
  }

  private static func text(_ file: kura_sentences) -> String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
  }
}
