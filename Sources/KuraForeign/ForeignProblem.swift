package import KuraDiagnostics

/// Why a text of another language is not translated.
package enum ForeignProblem: Error, Sendable {
  /// It is not of this kind, or too strange to be read.
  case unreadable(SourceSpan)
  /// It is understood, and something in it has no counterpart here.
  case noCounterpart(NoCounterpart, SourceSpan)
}

/// What Kura does not have, and what it has in its place.
package struct NoCounterpart: Sendable, Hashable {
  /// `ON CONFLICT`
  package var construct: String
  /// What is said of it; nil: that there is none here.
  package var sentence: String?
  /// `update changes what is there, insert makes what is new`
  package var instead: String?

  init(_ construct: String, sentence: String? = nil, instead: String? = nil) {
    self.construct = construct
    self.sentence = sentence
    self.instead = instead
  }
}
