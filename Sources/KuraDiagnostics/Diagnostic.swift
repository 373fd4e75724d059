public import Foundation
import KuraBytes
import KuraSentences

/// What a message says, as facts; each module writes its sentences in one file.
public protocol DiagnosticFacts: Sendable {
  /// One line that says what is wrong, without a full stop.
  var sentence: String { get }
  /// One line that offers a way on (`did you mean "title"?`), or nil.
  var help: String? { get }
  /// Whether more text could mend it: Enter then opens a new line.
  var isIncomplete: Bool { get }
  /// What it is about, for programs.
  var kind: Diagnostic.Kind { get }
}

extension DiagnosticFacts {
  /// No way on is known.
  public var help: String? { nil }
  /// More text does not mend it.
  public var isIncomplete: Bool { false }
  /// It is about nothing that programs tell apart.
  public var kind: Diagnostic.Kind { .other }
}

/// How bad it is.
public enum Severity: String, Sendable {
  /// It was not done.
  case error
  /// It was done, and perhaps not meant.
  case warning
  /// It was done; there is something to know.
  case note
}

/// An error, warning or note with its place.
public struct Diagnostic: Error, Sendable {
  /// How bad it is.
  public var severity: Severity
  /// What it says.
  public var facts: any DiagnosticFacts
  /// Where, in the text that was parsed; nil where there is no text.
  public var span: SourceSpan?
  /// Changes of the text that mend it, each for itself, the likeliest first.
  public var fixIts: [FixIt]
  /// The text, where it is another one than the statement's (a store's document, a script).
  public var source: SourceText?
  /// Whether the place is said alone, without the text that stands there: one of very many.
  package var isBrief = false

  /// Makes a diagnostic.
  public init(
    _ facts: any DiagnosticFacts, at span: SourceSpan? = nil, fixIt: FixIt? = nil,
    severity: Severity = .error, in source: SourceText? = nil
  ) {
    self.severity = severity
    self.facts = facts
    self.span = span
    fixIts = fixIt.map { [$0] } ?? []
    self.source = source
  }
}

extension Diagnostic {
  /// The likeliest change that mends it; setting it leaves no other.
  public var fixIt: FixIt? {
    get { fixIts.first }
    set { fixIts = newValue.map { [$0] } ?? [] }
  }
}

extension Diagnostic {
  /// The message for programs, a JSON object without a line end:
  ///
  ///     {"severity": "error", "message": "MemoDate has no key \"titl\"", "help": "did you mean …",
  ///      "line": 1, "column": 22, "endColumn": 26,
  ///      "fixes": [{"title": "write …", "edits": [{"line": 1, "column": 22, "endColumn": 26, "text": "title"}]}]}
  ///
  /// Lines and columns are counted from 1, columns in Unicode scalars. What has no place in a text
  /// has neither these nor fixes; one in a file names it as `file`.
  func json(in source: SourceText?) -> String {
    var object = JSONLine()
    object.add("severity", .string(severity.rawValue))
    object.add("message", .string(facts.sentence))
    object.add("help", facts.help.map(JSONLine.string))
    object.add("file", source?.name.map(JSONLine.string))
    if let source, let span, span != .none { object.add(source.lineSpans(of: span)[0]) }
    object.add("fixes", .array(source.map { source in fixIts.map { $0.json(in: source) } } ?? []))
    return object.text
  }
}

extension FixIt {
  fileprivate func json(in source: SourceText) -> JSONLine {
    var object = JSONLine()
    object.add("title", .string(title(in: source)))
    object.add("edits", .array(edits.flatMap { $0.json(in: source) }))
    return object
  }
}

extension TextEdit {
  /// One for each line that the span is in; the text stands in the first.
  fileprivate func json(in source: SourceText) -> [JSONLine] {
    source.lineSpans(of: span).enumerated().map { i, place in
      var object = JSONLine()
      object.add(place)
      object.add("text", .string(i == 0 ? replacement : ""))
      return object
    }
  }
}

/// A JSON value on one line, its text as it grows.
private struct JSONLine {
  private(set) var text = "{}"

  static func string(_ text: String) -> JSONLine {
    var bytes: [UInt8] = []
    JSONWriter.append(text, to: &bytes)
    return JSONLine(text: String(decoding: bytes, as: UTF8.self))
  }

  static func array(_ values: [JSONLine]) -> JSONLine {
    JSONLine(text: "[\(values.map(\.text).joined(separator: ", "))]")
  }

  /// Adds a key to the object; nil adds nothing.
  mutating func add(_ key: String, _ value: JSONLine?) {
    guard let value else { return }
    text = text.dropLast() + (text == "{}" ? "" : ", ") + "\"\(key)\": \(value.text)}"
  }

  mutating func add(_ place: LineSpan) {
    add("line", JSONLine(text: String(place.line)))
    add("column", JSONLine(text: String(place.column)))
    add("endColumn", JSONLine(text: String(place.endColumn)))
  }
}

extension Diagnostic: LocalizedError {
  /// The sentence, without its place: for alerts and logs; `description` has the place and the way on too.
  /// Linear in it.
  public var errorDescription: String? { facts.sentence }

  /// What could be done, in one line; nil where nothing comes to mind. Linear in it.
  public var recoverySuggestion: String? { facts.help }
}

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
