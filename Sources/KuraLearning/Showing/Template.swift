/// A text with places for other texts: `the elements of %1`.
struct Template: Sendable, ExpressibleByStringLiteral {
  private let text: String

  init(stringLiteral text: String) { self.text = text }

  /// Returns the text with values for `%1`, `%2` and so on.
  func callAsFunction(_ values: String...) -> String { filled(with: values) }

  func filled(with values: [String]) -> String {
    let pieces = text.split(separator: "%", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(into: String(pieces[0])) { result, piece in
      guard let number = piece.first?.wholeNumberValue else { return }
      result += values[number - 1] + piece.dropFirst()
    }
  }
}
