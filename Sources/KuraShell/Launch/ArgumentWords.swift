import KuraSentences

/// What swift-argument-parser says of a command line, which it says in English alone.
package enum ArgumentWords {
  /// The text in the language of the moment, line by line; what is not known stays.
  package static func translated(_ text: String) -> String {
    guard Language.current != .english else { return text }
    // What stands in brackets may be broken over two lines.
    let text = text.replacing(/\((values|default):[^()]*\)/) {
      String($0.output.0).replacing(/\s*\n\s+/, with: " ")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line(String($0)) }.joined(separator: "\n")
  }

  private static func line(_ line: String) -> String {
    for (english, said) in headings where line.hasPrefix(english) {
      let rest = String(line.dropFirst(english.count))
      return said() + (english == "Error: " ? sentence(rest) : rest)
    }
    return details.reduce(line) { $1.replaced(in: $0) }
  }

  private static func sentence(_ text: String) -> String {
    sentences.lazy.compactMap { $0.said(of: text) }.first ?? text
  }

  private static let headings: [(String, @Sendable () -> String)] = [
    ("Error: ", { localized("Error: ") }), ("Usage: ", { localized("Usage: ") }),
    ("Help:  ", { localized("Help:  ") }), ("USAGE: ", { localized("USAGE: ") }),
    ("OVERVIEW: ", { localized("OVERVIEW: ") }), ("ARGUMENTS:", { localized("ARGUMENTS:") }),
    ("OPTIONS:", { localized("OPTIONS:") }),
  ]

  /// What stands within a line of the help.
  private static let details = [
    Phrase("Show help information.") { _ in localized("Show help information.") },
    Phrase("Show the version.") { _ in localized("Show the version.") },
    Phrase("(default: %)") { localized("(default: \($0[0]))") },
    Phrase("(values: %; default: %)") { localized("(values: \($0[0]); default: \($0[1]))") },
    Phrase("See '%' for more information.") {
      localized("See '\($0[0])' for more information.")
    },
  ]

  /// What may be wrong; a longer phrase before those that it begins with.
  private static let sentences = [
    Phrase("Unknown option '%'. Did you mean '%'?") {
      localized("Unknown option '\($0[0])'. Did you mean '\($0[1])'?")
    },
    Phrase("Unknown option '%'") { localized("Unknown option '\($0[0])'") },
    Phrase("Missing value for '%'") { localized("Missing value for '\($0[0])'") },
    Phrase("The option '%' does not take any value, but '%' was specified.") {
      localized("The option '\($0[0])' does not take any value, but '\($0[1])' was specified.")
    },
    Phrase("Unexpected argument '%'") { localized("Unexpected argument '\($0[0])'") },
    Phrase("% unexpected arguments: '%'") {
      localized(
        "\($0[0]) unexpected arguments: '\(list($0[1].replacing("', '", with: ", ")))'")
    },
    Phrase("Missing expected argument '%'") {
      localized("Missing expected argument '\($0[0])'")
    },
    Phrase("The value '%' is invalid for '%'. Please provide one of %.") {
      localized(
        "The value '\($0[0])' is invalid for '\($0[1])'. Please provide one of \(list($0[2])).")
    },
    Phrase("The value '%' is invalid for '%'") {
      localized("The value '\($0[0])' is invalid for '\($0[1])'")
    },
  ]

  /// `'auto', 'always' or 'never'` as the language joins a list.
  private static func list(_ text: String) -> String {
    text.replacing(" or ", with: ", ").replacing(", , ", with: ", ").split(separator: ", ")
      .map(String.init).list
  }
}

/// A text with values in some places, and how it is said.
private struct Phrase: Sendable {
  private let pieces: [String]
  private let say: @Sendable ([String]) -> String

  /// A `%` stands for a value.
  init(_ text: String, say: @escaping @Sendable ([String]) -> String) {
    pieces = text.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
    self.say = say
  }
}

extension Phrase {
  /// What is said for a text that is this phrase; nil of any other.
  func said(of text: String) -> String? {
    guard let (range, values) = found(in: text), range.lowerBound == text.startIndex,
      range.upperBound == text.endIndex || text[range.upperBound...] == "."
    else { return nil }
    return say(values)
  }

  /// The text with the phrase in it said, wherever it stands.
  func replaced(in text: String) -> String {
    guard let (range, values) = found(in: text) else { return text }
    return text.replacingCharacters(range, with: say(values))
  }

  private func found(in text: String) -> (range: Range<String.Index>, values: [String])? {
    guard let first = text.firstRange(of: pieces[0]) ?? (pieces[0].isEmpty ? start(text) : nil)
    else { return nil }
    var (end, values) = (first.upperBound, [String]())
    for (place, piece) in pieces.enumerated().dropFirst() {
      let rest = text[end...]
      let isLast = place == pieces.count - 1
      guard
        let next = piece.isEmpty
          ? nil : isLast ? rest.ranges(of: piece).last : rest.firstRange(of: piece)
      else { return nil }
      values.append(String(text[end..<next.lowerBound]))
      end = next.upperBound
    }
    return (first.lowerBound..<end, values)
  }

  private func start(_ text: String) -> Range<String.Index> { text.startIndex..<text.startIndex }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
