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
