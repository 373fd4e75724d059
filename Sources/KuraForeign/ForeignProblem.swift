package import KuraDiagnostics

/// The reason why a text of another language is not translated.
package enum ForeignProblem: Error, Sendable {
  /// The text is not of this language, or cannot be read.
  case unreadable(SourceSpan)
  /// The text is understood, and something in it has no counterpart in Kura.
  case noCounterpart(NoCounterpart, SourceSpan)
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
