/// How a diagnostic is shown.
public struct DiagnosticStyle: Sendable {
  /// Whether the severity and the caret are coloured, by the escape codes of terminals.
  public var usesColor: Bool
  /// How many cells of a long source line are shown.
  public var columns: Int
  /// Whether characters of ambiguous width (`○`, `α`) take two cells.
  public var ambiguousIsWide: Bool

  /// Makes a style.
  public init(usesColor: Bool = false, columns: Int = 100, ambiguousIsWide: Bool = false) {
    self.usesColor = usesColor
    self.columns = columns
    self.ambiguousIsWide = ambiguousIsWide
  }

  /// Characters alone, as for a file or a pipe.
  public static let plain = DiagnosticStyle()
  /// With the colours of a terminal.
  public static let ansi = DiagnosticStyle(usesColor: true)
}

extension DiagnosticStyle {
  func place(_ text: String) -> String { painted(text, "1") }

  func severity(_ severity: Severity) -> String {
    switch severity {
    case .error: painted(severity.rawValue, "1;31")
    case .warning: painted(severity.rawValue, "1;33")
    case .note: painted(severity.rawValue, "1;36")
    }
  }

  func mark(_ text: String) -> String { painted(text, "1;32") }

  private func painted(_ text: String, _ codes: String) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(codes)m\(text)\u{1B}[0m" : text
  }
}
