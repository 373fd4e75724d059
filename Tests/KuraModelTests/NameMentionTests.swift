import KuraPredicates
import Testing

@testable import KuraModel

private let model = Model(entities: [
  Entity(
    name: "Item",
    attributes: [Attribute(name: "title", type: .string), Attribute(name: "n", type: .integer)],
    relationships: [
      Relationship(name: "box", destination: "Box", inverse: "items"),
      Relationship(name: "parts", destination: "Item", isToMany: true),
    ]),
  Entity(
    name: "Box",
    attributes: [
      Attribute(name: "title", type: .string), Attribute(name: "check", type: .boolean),
    ],
    relationships: [
      Relationship(name: "items", destination: "Item", isToMany: true, inverse: "box")
    ]),
])

/// Returns the rule of an Item after renaming; `?` if the meaning of a word is uncertain.
private func renamed(_ rule: String, _ name: NameMentions.Name, _ new: String) throws -> String {
  var mentions = NameMentions(of: name, in: model)
  mentions.visit(try RuleText.expression(rule), of: "Item")
  return mentions.isUnclear ? "?" : mentions.replaced(in: rule, with: new)
}

@Suite("A name in a rule")
struct NameMentionTests {
  @Test(
    "is replaced only if it means the key",
    arguments: [
      ("title == \"title\"", "name == \"title\""),
      ("box.title == title", "box.title == name"),
      ("SELF.title == #title", "SELF.name == name"),
      (
        "ANY parts.title == \"x\" OR parts.parts.title.@count > 1",
        "ANY parts.name == \"x\" OR parts.parts.name.@count > 1"
      ),
      ("box.items.@max.title", "box.items.@max.name"),
      (
        "SUBQUERY(parts, $p, $p.title == title AND $p.box.title == \"x\").@count",
        "SUBQUERY(parts, $p, $p.name == name AND $p.box.title == \"x\").@count"
      ),
      (
        "SUBQUERY(box.items, $i, SUBQUERY($i.parts, $j, $j.title == $i.title).@count > 0).@count",
        "SUBQUERY(box.items, $i, SUBQUERY($i.parts, $j, $j.name == $i.name).@count > 0).@count"
      ),
      ("parts[0].title", "parts[0].name"), ("title/2", "name/2"), ("title / 2", "name / 2"),
      ("TERNARY(title == nil, 1, length(title))", "TERNARY(name == nil, 1, length(name))"),
      ("entity.name == \"Item\" AND n > 1", "entity.name == \"Item\" AND n > 1"),
      ("$x.title == 1", "?"), ("FUNCTION(parts, \"valueForKey:\", \"title\")", "?"),
    ])
  func key(_ old: String, _ new: String) throws {
    #expect(try renamed(old, .key("title", owner: "Item"), "name") == new)
  }

  @Test("is written with # if the new one is a word of the language")
  func reserved() throws {
    #expect(try renamed("title == n", .key("title", owner: "Item"), "like") == "#like == n")
    #expect(
      try renamed("box.title == n", .key("title", owner: "Box"), "first name")
        == "box.#\"first name\" == n")
  }

  @Test(
    "of an entity is uncertain if it is a text",
    arguments: [("box.title == \"Box\"", "?"), ("n == 3", "n == 3")])
  func entity(_ old: String, _ new: String) throws {
    #expect(try renamed(old, .entity("Box"), "Case") == new)
  }

  @Test("is replaced in the rules of a complete model, or the uncertain ones are named")
  func rules() throws {
    var changed = model
    let check = try RuleText.predicate("length(title) < 9 AND ANY parts.title != \"x\"")
    changed.set(
      .attribute(Attribute(name: "n", type: .integer, check: check)), of: "Item", isUnique: true)
    let done = changed.renameInRules(.key("title", owner: "Item"), to: "name")
    #expect(done.changed == ["Item.n"])
    #expect(done.unclear.isEmpty)
    changed.rename(key: "title", of: "Item", to: "name")
    #expect(ModelCheck(changed).contradictions.isEmpty)
    #expect(changed["Item"]?.uniquenessConstraints == [["n"]])
    #expect(changed.rules(mentioning: .key("name", owner: "Item")).map(\.key) == ["n"])
    #expect(changed.rules(mentioning: .key("title", owner: "Box")).isEmpty)
  }
}
