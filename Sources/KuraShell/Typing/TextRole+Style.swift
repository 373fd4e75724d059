import KuraDiagnostics

extension TextRole {
  /// The parameters of the escape sequence of its color, one of the sixteen of every terminal, so
  /// that it suits light and dark backgrounds.
  var style: String {
    switch self {
    case .plain: ""
    case .statement, .setting: "1;34"
    case .keyword: "34"
    case .entity: "1;36"
    case .key: "36"
    case .variable, .function: "35"
    case .string: "32"
    case .number: "33"
    case .comment: "2"
    case .broken: "31"
    case .bracket: "1;4"
    }
  }
}

extension TextPart {
  /// The style; errors are underlined, too.
  var style: String { isWrong ? "4;31" : role.style }
}

extension TypingAid {
  /// Returns the colors of a text, in order; empty if messages have none.
  package func styles(_ text: String, cursor: Int) -> [(range: Range<Int>, style: String)] {
    guard session.services.style.usesColor else { return [] }
    return parts(text, cursor: cursor).map { ($0.range, $0.style) }
  }
}
