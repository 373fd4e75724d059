/// What a message says, as facts; each module writes its sentences in one file.
public protocol DiagnosticFacts: Sendable {
  /// One line that says what is wrong, without a full stop.
  var sentence: String { get }
  /// One line that offers a way on (`did you mean "title"?`), or nil.
  var help: String? { get }
  /// Whether more text could mend it: Enter then opens a new line.
  var isIncomplete: Bool { get }
}

extension DiagnosticFacts {
  /// No way on is known.
  public var help: String? { nil }
  /// More text does not mend it.
  public var isIncomplete: Bool { false }
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

/// A text that replaces a span and mends the error.
public struct FixIt: Sendable, Hashable {
  /// What is replaced.
  public var span: SourceSpan
  /// What stands there then.
  public var replacement: String

  /// Makes a fix.
  public init(_ span: SourceSpan, _ replacement: String) {
    self.span = span
    self.replacement = replacement
  }
}

/// An error, warning or note with its place.
public struct Diagnostic: Error, Sendable {
  /// How bad it is.
  public var severity: Severity
  /// What it says.
  public var facts: any DiagnosticFacts
  /// Where, in the text that was parsed; nil where there is no text.
  public var span: SourceSpan?
  /// A change of the text that mends it.
  public var fixIt: FixIt?
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
    self.fixIt = fixIt
    self.source = source
  }
}
