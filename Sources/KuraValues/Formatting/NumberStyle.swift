/// A number format of the locale: `decimal`, `currency JPY`.
package enum NumberStyle: Sendable, Hashable {
  /// `1,234.5`
  case decimal
  /// `12 %`
  case percent
  /// `¥1,234`, in the currency of the locale or of a code
  case currency(String?)
  /// `1.2345E3`
  case scientific
  /// `千二百三十四`
  case spellout

  /// Parses a style such as `decimal` or `Currency JPY`; nil for any other text.
  package init?(_ text: String) throws(FormatProblem) {
    let words = text.split(separator: " ").map { $0.lowercased() }
    switch words.first {
    case "currency" where words.count <= 2:
      let code = words.count == 2 ? words[1].uppercased() : nil
      if let code, !Self.isCurrency(code) { throw .unknownCurrency(code) }
      self = .currency(code)
    case "decimal" where words.count == 1: self = .decimal
    case "percent" where words.count == 1: self = .percent
    case "scientific" where words.count == 1: self = .scientific
    case "spellout" where words.count == 1: self = .spellout
    default: return nil
    }
  }

  static let words = "decimal percent currency scientific spellout"

  private static func isCurrency(_ code: String) -> Bool {
    code.utf8.count == 3 && code.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
  }
}

/// The symbols of a number pattern, as defined by Unicode Technical Standard 35.
enum NumberPattern {
  /// Throws if a pattern would show nothing of a number.
  static func check(_ pattern: String) throws(FormatProblem) {
    guard pattern.utf8.count <= FormatProblem.longest else { throw .tooLong }
    var isQuoted = false
    var hasDigit = false
    for character in pattern {
      if character == "'" { isQuoted.toggle() }
      if !isQuoted, "#@0123456789".contains(character) { hasDigit = true }
    }
    if isQuoted { throw .openQuote }
    if !hasDigit { throw .noField(.number) }
  }
}
