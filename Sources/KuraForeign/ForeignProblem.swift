import KuraDiagnostics

/// The reason why a text of another language is not translated.
struct ForeignProblem: Error {
  /// nil: the text is not of this language, or cannot be read.
  var construct: NoCounterpart?
  var span: SourceSpan

  init(_ construct: NoCounterpart?, _ span: SourceSpan) {
    self.construct = construct
    self.span = span
  }
}

extension SourceSpan {
  /// The problem that a text cannot be read from this place on.
  var unreadable: ForeignProblem { ForeignProblem(nil, self) }
}

/// A construct that Kura does not have, and what Kura has instead.
package struct NoCounterpart: Sendable, Hashable {
  /// `ON CONFLICT`
  package var construct: String
  /// The message; nil: that the construct has no counterpart.
  package var sentence: String?
  /// `update changes what is there, insert makes what is new`
  package var instead: String?

  init(_ construct: String, sentence: String? = nil, instead: String? = nil) {
    self.construct = construct
    self.sentence = sentence
    self.instead = instead
  }
}
