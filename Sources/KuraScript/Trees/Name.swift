package import KuraDiagnostics

/// A word or string that the user chose, with its place.
package struct Name: Sendable, Hashable {
  package var text: String
  package var span: SourceSpan

  package init(_ text: String, span: SourceSpan = .none) {
    self.text = text
    self.span = span
  }
}
