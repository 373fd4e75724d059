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
    let report = DiagnosticReport(diagnostic: self, source: source ?? text, style: style)
    return report.lines.joined(separator: "\n")
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The message in plain characters.
  public var description: String { rendered() }
}

/// A diagnostic on its way to lines.
private struct DiagnosticReport {
  let diagnostic: Diagnostic
  let source: SourceText?
  let style: DiagnosticStyle

  var lines: [String] {
    [headline] + (excerptLines + [wayOn].compactMap(\.self)).map { "  " + $0 }
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

  private var wayOn: String? {
    let text = diagnostic.facts.help ?? diagnostic.fixIt?.sentence(in: source)
    return text.map(VisibleText.of)
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
