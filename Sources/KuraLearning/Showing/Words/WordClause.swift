/// A condition in words.
struct WordClause {
  /// The form at the end of a sentence, or before a noun: `含む`
  let text: String
  /// The form before another clause: `含み`
  let linked: String
}

extension WordClause {
  init(_ text: String) { self.init(text: text, linked: text) }

  /// Returns the clause with a remark after it.
  func noting(_ note: String) -> WordClause { WordClause(text: text + note, linked: linked + note) }
}

/// A clause with places for texts and, at the last place, for another clause.
struct ClauseTemplate: Sendable, ExpressibleByStringLiteral {
  private let text: Template
  private let linked: Template?

  /// Creates a template for clauses whose form before another clause differs only in the clause that they contain.
  init(stringLiteral text: String) { (self.text, linked) = (Template(stringLiteral: text), nil) }

  init(_ text: Template, linked: Template) { (self.text, self.linked) = (text, linked) }

  func callAsFunction(_ values: String...) -> WordClause { filled(with: values) }

  func callAsFunction(_ values: String..., clause: WordClause) -> WordClause {
    let form = linked == nil ? clause.linked : clause.text
    return WordClause(
      text: text.filled(with: values + [clause.text]),
      linked: (linked ?? text).filled(with: values + [form]))
  }

  func filled(with values: [String]) -> WordClause {
    WordClause(text: text.filled(with: values), linked: (linked ?? text).filled(with: values))
  }
}
