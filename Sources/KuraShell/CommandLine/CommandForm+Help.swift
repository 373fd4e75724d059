import KuraDiagnostics
import KuraSentences

extension CommandForm {
  /// The text of `--help`, in lines of at most `columns` cells.
  func help(columns: Int) -> String {
    """
    \(localized("OVERVIEW: "))\(abstract())

    \(overview())

    \(localized("USAGE: "))\(usage)

    \(entries(columns: columns))
    """
  }

  /// The operands and the options with their summaries.
  func entries(columns: Int) -> String {
    let lines =
      [localized("ARGUMENTS:")] + operands.map { Self.entry("<\($0.name)>", $0.summary()) }
      + ["", localized("OPTIONS:")] + options.map { Self.entry($0.usage, $0.details) }
    return WrappedText(width: columns).text(lines.joined(separator: "\n"))
  }

  private static let widthOfNames = 26

  /// A line of the list; a name without room has a line of its own.
  private static func entry(_ name: String, _ text: String) -> String {
    let missing = widthOfNames - 2 - DisplayWidth().cells(name)
    guard missing < 2 else { return "  \(name)\(String(repeating: " ", count: missing))\(text)" }
    return "  \(name)\n\(String(repeating: " ", count: widthOfNames))\(text)"
  }
}

extension CommandOption {
  /// The summary, and what applies without the option.
  fileprivate var details: String {
    guard let fallback else { return summary() }
    return "\(summary()) \(localized("(default: \(fallback))"))"
  }
}
