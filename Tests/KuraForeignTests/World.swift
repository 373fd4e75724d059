import KuraDiagnostics
import KuraForeign
import KuraModel

/// A model of to-do lists and one of books; these tests need no objects.
let lists = Model(entities: [
  Entity(
    name: "Item",
    attributes: [
      Attribute(name: "title", type: .string), Attribute(name: "done", type: .boolean),
      Attribute(name: "minutes", type: .integer),
      Attribute(name: "due", type: .date, isOptional: true),
    ],
    relationships: [
      Relationship(name: "category", destination: "Category", isOptional: true, inverse: "items"),
      Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
    ]),
  Entity(
    name: "Category", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(name: "items", destination: "Item", isToMany: true, inverse: "category")
    ]),
  Entity(
    name: "Tag", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(name: "items", destination: "Item", isToMany: true, inverse: "tags")
    ]),
])

let library = Model(entities: [
  Entity(
    name: "books",
    attributes: [
      Attribute(name: "title", type: .string), Attribute(name: "author", type: .json),
      Attribute(name: "year", type: .integer), Attribute(name: "pages", type: .integer),
      Attribute(name: "tags", type: .json),
    ])
])

/// A text of another language, and its translation.
struct Row: CustomStringConvertible, Sendable {
  let text: String
  let ours: String

  init(_ text: String, _ ours: String) {
    self.text = text
    self.ours = ours
  }

  var description: String { text }
}

/// Returns the translations of the first reading that has any.
func translations(_ text: String, _ model: Model = lists) -> [String] {
  ForeignTranslator(model).readings(of: Array(text.utf8), from: 0)
    .first { !$0.translations.isEmpty }?.translations ?? []
}

func translation(_ text: String, _ model: Model = lists) -> String {
  translations(text, model).first ?? "nothing"
}

/// Returns the construct of a text that has no counterpart, and the text of its span.
func missing(_ text: String, _ model: Model = lists) -> (construct: String, place: String)? {
  let source = SourceText(text)
  let readings = ForeignTranslator(model).readings(of: source.bytes, from: 0)
  guard let problem = readings.lazy.compactMap(\.problem).first else { return nil }
  return (problem.construct.construct, source.text(problem.span))
}
