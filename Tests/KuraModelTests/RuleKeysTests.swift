import KuraDiagnostics
import KuraModel
import KuraValues
import Testing

@Suite struct RuleKeysTests {
  /// Returns the case of an entity Item with a rule, and other entities.
  static func rule(_ kind: String, _ text: String, _ sentences: String...) -> MarkedCase {
    var marked = MarkedCase(
      """
      {"entities": {
        "Item": {"attributes": {"title": {"type": "string"}, "extra": {"type": "json"},
          "price": {"type": "integer"}, "done": {"type": "boolean"},
          "rule": {"type": "integer", "\(kind)": "\(text)"}},
          "relationships": {"parent": {"destination": "Category", "inverse": "items"}}},
        "Category": {"attributes": {"name": {"type": "string"}},
          "relationships": {"items": {"destination": "Item", "toMany": true,
            "inverse": "parent"}}}}}
      """)
    marked.sentences = sentences
    return marked
  }

  @Test(arguments: [
    rule("check", "length(title) < 20 AND extra.a.b == 1"),
    rule("check", "parent.items.@count > 2 OR parent.name == 'x'"),
    rule("check", "entity.name == 'Item' AND title.length > 1 AND objectID != nil"),
    rule("check", "SUBQUERY(parent.items, $i, $i.whatever == price).@count == 0"),
    rule("derived", "price/2"), rule("derived", "NOT done"), rule("derived", "price > 3"),
    rule("derived", "parent.items.@sum.price"), rule("derived", "parent.items.count"),
    rule("check", "«titel» == 'x'", "Item has no key titel"),
    rule("check", "parent.«nam» == 'x' AND price > 1", "Category has no key nam"),
    rule("check", "SUBQUERY(parent.items, $i, $i.x == «y»)[SIZE] == 0", "Item has no key y"),
    rule("derived", "«prise» * 2 + «pries»", "Item has no key prise", "Item has no key pries"),
    rule("derived", "parent.items.@sum.«cost»", "Item has no key cost"),
    rule("derived", "«cost»/2", "Item has no key cost"),
  ])
  func aRuleReadsOnlyKeysThatAreThere(_ marked: MarkedCase) {
    let (text, spans) = marked.parts
    let problems = ModelDocument(json: text).problems
    #expect(problems.map(\.facts.sentence) == marked.sentences)
    #expect(problems.map(\.span) == spans)
  }

  @Test func aRuleComesBackFromItsText() {
    for text in ["NOT done", "price > 3", "parent.items.@sum.price", "price * 2.5"] {
      let model = Sample.model(Self.rule("derived", text).marked)
      #expect(model.json(in: .utc).contains("\"derived\": \"\(text)\""))
      #expect(Sample.model(model.json(in: .utc)) == model, "\(text)")
      #expect(model.statements(in: .utc).contains("derived (\(text))"))
    }
  }
}
