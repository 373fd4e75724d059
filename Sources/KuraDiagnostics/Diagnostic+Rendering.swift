import KuraSentences

extension Diagnostic {
  /// The message as people read it, in lines without an end to the last.
  ///
  ///     report.kura:3:22: error: MemoDate has no key "titl"
  ///       fetch MemoDate where titl == "x"
  ///                            ^~~~
  ///       did you mean "title"?
  ///
  /// The text is the diagnostic's own if it has one, else the one given. Controls in names and
  /// lines are shown as escapes. Linear in the text.
  public func rendered(in text: SourceText? = nil, style: DiagnosticStyle = .plain) -> String {
    if style.isJSON { return json(in: source ?? text) }
    let report = DiagnosticReport(diagnostic: self, source: source ?? text, style: style)
    return report.lines.joined(separator: "\n")
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The message in plain characters. Linear in the text that it is about.
  public var description: String { rendered() }
}

/// A diagnostic on its way to lines.
private struct DiagnosticReport {
  let diagnostic: Diagnostic
  let source: SourceText?
  let style: DiagnosticStyle

  var lines: [String] {
    [headline] + (excerptLines + waysOn).map { "  " + $0 }
  }

  private var headline: String {
    let what = VisibleText.of(diagnostic.facts.sentence)
    return "\(style.place(place))\(style.severity(diagnostic.severity)): \(what)"
  }

  /// `report.kura:3:22: `; typed text has no name, and a single line needs no number.
  private var place: String {
    let name = source?.name.map { VisibleText.of($0) + ":" }
    guard let source, let span else { return name.map { $0 + " " } ?? "" }
    guard name != nil || source.hasSeveralLines || source.firstLine > 1 else { return "" }
    let location = source.location(of: span.start)
    return "\(name ?? "")\(location.line):\(location.column): "
  }

  private var excerptLines: [String] {
    guard let source, let span, !diagnostic.isBrief else { return [] }
    let width = DisplayWidth(ambiguousIsWide: style.ambiguousIsWide)
    let excerpt = SourceExcerpt(source, span, columns: style.columns, width: width)
    return excerpt.map { [$0.line, style.mark($0)] } ?? []
  }

  private var waysOn: [String] {
    if let help = diagnostic.facts.help { return [VisibleText.of(help)] }
    let fixes = diagnostic.fixIts.prefix(3).map { VisibleText.of($0.title(in: source, at: span)) }
    let labels = [localized("fix:"), localized("or:")]
    let width = fixes.count > 1 ? labels.map { DisplayWidth().cells($0) }.max() ?? 0 : 0
    return fixes.enumerated().map { place, fix in
      let label = labels[min(place, 1)]
      let blanks = max(0, width - DisplayWidth().cells(label))
      return label + String(repeating: " ", count: blanks + 1) + fix
    }
  }

  /// Where it is; at the end of the text, behind its last word and not on an empty line.
  private var span: SourceSpan? {
    guard let source, let span = diagnostic.span, span != .none else { return nil }
    guard span.start >= source.bytes.count else { return span }
    let end = source.bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    return SourceSpan(end, end)
  }
}

extension DiagnosticStyle {
  fileprivate func mark(_ excerpt: SourceExcerpt) -> String {
    let blanks = excerpt.mark.prefix { $0 == " " }
    return blanks + mark(String(excerpt.mark.dropFirst(blanks.count)))
  }
}

/// How a diagnostic is shown.
public struct DiagnosticStyle: Sendable {
  /// Whether the severity and the caret are coloured, by the escape codes of terminals.
  public var usesColor: Bool
  /// How many cells of a long source line are shown.
  public var columns: Int
  /// Whether characters of ambiguous width (`○`, `α`) take two cells.
  public var ambiguousIsWide: Bool
  /// Whether it is for programs: a JSON object on a line.
  public var isJSON = false

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
  /// A JSON object on a line: severity, message, help, place and fixes.
  public static let json = {
    var style = DiagnosticStyle()
    style.isJSON = true
    return style
  }()
}

extension DiagnosticStyle {
  func place(_ text: String) -> String { painted(text, "1") }

  func severity(_ severity: Severity) -> String {
    switch severity {
    case .error: painted(localized("error"), "1;31")
    case .warning: painted(localized("warning"), "1;33")
    case .note: painted(localized("note"), "1;36")
    }
  }

  func mark(_ text: String) -> String { painted(text, "1;32") }

  private func painted(_ text: String, _ codes: String) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(codes)m\(text)\u{1B}[0m" : text
  }
}
