public import Foundation
import KuraBytes
import KuraSentences

/// The content of a message, as facts. Each module writes its sentences in one file.
public protocol DiagnosticFacts: Sendable {
  /// The problem in one line, without a full stop.
  var sentence: String { get }
  /// A suggestion in one line, such as `did you mean "title"?`; nil if there is none.
  var help: String? { get }
  /// Whether more text could resolve the problem. Enter then opens a new line.
  var isIncomplete: Bool { get }
  /// The subject of the message, for programs.
  var kind: Diagnostic.Kind { get }
}

extension DiagnosticFacts {
  /// By default there is no suggestion.
  public var help: String? { nil }
  /// By default more text does not resolve the problem.
  public var isIncomplete: Bool { false }
  /// By default the kind is `other`.
  public var kind: Diagnostic.Kind { .other }
}

/// The severity of a diagnostic.
public enum Severity: String, Sendable {
  /// The operation was not performed.
  case error
  /// The operation was performed, but possibly not as intended.
  case warning
  /// The operation was performed; this is additional information.
  case note
}

/// An error, warning or note with its place.
public struct Diagnostic: Error, Sendable {
  /// The severity.
  public var severity: Severity
  /// The content of the message.
  public var facts: any DiagnosticFacts
  /// The place in the parsed text; nil if there is no text.
  public var span: SourceSpan?
  /// Alternative changes of the text that resolve the problem, the most likely first.
  public var fixIts: [FixIt]
  /// The text that contains the span, if it is not the statement: a store's document or a script.
  public var source: SourceText?
  /// Whether only the place is shown, without the line of the text, as for one of many messages.
  package var isBrief = false

  /// Creates a diagnostic.
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
  /// The most likely fix. Setting it removes all others.
  public var fixIt: FixIt? {
    get { fixIts.first }
    set { fixIts = newValue.map { [$0] } ?? [] }
  }

  /// Returns the message for programs, as a JSON object without a line end:
  ///
  ///     {"severity": "error", "message": "MemoDate has no key \"titl\"", "help": "did you mean …",
  ///      "line": 1, "column": 22, "endColumn": 26,
  ///      "fixes": [{"title": "write …", "edits": [{"line": 1, "column": 22, "endColumn": 26, "text": "title"}]}]}
  ///
  /// Lines and columns start at 1; columns count Unicode scalars. Without a place in a text, these
  /// and the fixes are omitted. If the text is a file, `file` is its name.
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
  /// Returns one object per line of the span; the first object contains the text.
  fileprivate func json(in source: SourceText) -> [JSONLine] {
    source.lineSpans(of: span).enumerated().map { i, place in
      var object = JSONLine()
      object.add(place)
      object.add("text", .string(i == 0 ? replacement : ""))
      return object
    }
  }
}

/// A JSON value on one line, under construction.
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

  /// Adds a key to the object, unless the value is nil.
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
  /// The sentence without its place, for alerts and logs. `description` also has the place and the
  /// suggestion. Linear in it.
  public var errorDescription: String? { facts.sentence }

  /// The suggestion in one line; nil if there is none. Linear in it.
  public var recoverySuggestion: String? { facts.help }
}

extension Diagnostic {
  /// Returns the message for people, in lines; the last has no line end.
  ///
  ///     report.kura:3:22: error: MemoDate has no key "titl"
  ///       fetch MemoDate where titl == "x"
  ///                            ^~~~
  ///       did you mean "title"?
  ///
  /// The text is the diagnostic's own or, if it has none, the given one. Control characters in
  /// names and lines are escaped. Linear in the text.
  public func rendered(in text: SourceText? = nil, style: DiagnosticStyle = .plain) -> String {
    if style.isJSON { return json(in: source ?? text) }
    let report = DiagnosticReport(diagnostic: self, source: source ?? text, style: style)
    return report.lines.joined(separator: "\n")
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The message as plain text. Linear in the text that it concerns.
  public var description: String { rendered() }
}

/// A diagnostic that is being rendered to lines.
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

  /// The prefix, such as `report.kura:3:22: `. Typed text has no name, and a single line has no
  /// number.
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

  /// The place; at the end of the text, directly after its last word instead of on an empty line.
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

/// The style in which a diagnostic is rendered.
public struct DiagnosticStyle: Sendable {
  /// Whether the severity and the caret are colored with terminal escape sequences.
  public var usesColor: Bool
  /// The maximum number of cells of a source line.
  public var columns: Int
  /// Whether characters of ambiguous width (`○`, `α`) occupy two cells.
  public var ambiguousIsWide: Bool
  /// Whether the message is a JSON object on one line, for programs.
  public var isJSON = false

  /// Creates a style.
  public init(usesColor: Bool = false, columns: Int = 100, ambiguousIsWide: Bool = false) {
    self.usesColor = usesColor
    self.columns = columns
    self.ambiguousIsWide = ambiguousIsWide
  }

  /// Plain text, for a file or a pipe.
  public static let plain = DiagnosticStyle()
  /// Text with terminal colors.
  public static let ansi = DiagnosticStyle(usesColor: true)
  /// A JSON object on one line: severity, message, help, place and fixes.
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

extension Diagnostic {
  /// The subject of a diagnostic, for programs that handle errors by kind: a service responds
  /// differently to a predicate that it does not allow and to one that it cannot parse.
  ///
  ///     do { try PredicateTree(parsing: text, within: limits) } catch {
  ///       switch error.kind {
  ///       case .notAllowed: return 403
  ///       case .timeLimit: return 503
  ///       default: return 400
  ///       }
  ///     }
  ///
  /// Later versions can add kinds, so a `switch` needs a `default`.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind in Swift.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// The text cannot be parsed: `a ==`.
    public static let syntax = Kind("syntax")
    /// The text can be parsed, but does not fit the model or data: an unknown key, a text compared
    /// with a date, a to-many relationship used as a single object.
    public static let semantics = Kind("semantics")
    /// It exceeds its `PredicateLimits`.
    public static let notAllowed = Kind("notAllowed")
    /// A value causes the evaluation to fail: a division by zero, a variable without a value.
    public static let evaluation = Kind("evaluation")
    /// It exceeded its time limit.
    public static let timeLimit = Kind("timeLimit")
    /// It was cancelled.
    public static let cancelled = Kind("cancelled")
    /// A change is impossible: a value does not fit its key, or an object does not exist.
    public static let change = Kind("change")
    /// A file or its content.
    public static let file = Kind("file")
    /// Anything else.
    public static let other = Kind("other")
  }

  /// The subject of the diagnostic. Constant time.
  ///
  ///     try? PredicateTree(parsing: "a ==")   // throws one of kind .syntax
  public var kind: Kind { facts.kind }
}

/// A part of a line, as programs count it: from 1, with columns in Unicode scalars.
struct LineSpan: Hashable {
  var line: Int
  var column: Int
  var endColumn: Int
}

extension SourceText {
  /// Returns the parts of lines that a span covers, at least one; linear in the offset.
  ///
  ///     SourceText("ab\n誕生日").lineSpans(of: SourceSpan(1, 6))   // 1:2–3 and 2:1–2
  func lineSpans(of span: SourceSpan) -> [LineSpan] {
    let end = min(max(span.end, 0), bytes.count)
    var start = min(max(span.start, 0), end)
    var (spans, number) = ([LineSpan](), firstLine + countLines(before: start))
    while true {
      let line = lineRange(at: start)
      spans.append(lineSpan(start..<max(start, min(end, line.upperBound)), in: line, number))
      guard let next = bytes[line.upperBound...].firstIndex(of: UInt8(ascii: "\n")), next < end
      else { return spans }
      (start, number) = (next + 1, number + 1)
    }
  }

  private func lineSpan(_ part: Range<Int>, in line: Range<Int>, _ number: Int) -> LineSpan {
    let first = line.lowerBound == 0 ? firstColumn : 1
    let column = first + scalars(in: min(line.lowerBound, part.lowerBound)..<part.lowerBound)
    return LineSpan(line: number, column: column, endColumn: column + scalars(in: part))
  }

  private func scalars(in range: Range<Int>) -> Int {
    bytes[range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }
}
