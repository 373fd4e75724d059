import KuraDiagnostics
import KuraModel
import KuraValues
import Testing

@Suite struct ModelCheckTests {
  @Test func aDestinationMayComeLater() {
    let model = Model(entities: [
      Entity(name: "A", relationships: [Relationship(name: "b", destination: "B", inverse: "a")])
    ])
    #expect(ModelCheck(model).contradictions == [])
    #expect(
      ModelCheck(model).unresolvedDestinations.map(\.facts) == [.unknownDestination("B", near: [])])
    #expect(
      ModelCheck(model).problems.map(\.place) == [.relationshipRule("b", entity: "A", .destination)]
    )
  }

  @Test func namesThatComeTwiceAreFoundInABuiltModel() {
    let title = Attribute(name: "t", type: .string)
    let model = Model(
      entities: [
        Entity(name: "A", attributes: [title, title]), Entity(name: "A"), Entity(name: "A"),
      ],
      requests: [SavedRequest(name: "R", text: ""), SavedRequest(name: "R", text: "")])
    let facts = ModelCheck(model).problems.map(\.facts)
    #expect(facts.filter { $0 == .duplicateEntity("A") }.count == 1)
    #expect(facts.contains(.duplicateRequest("R")))
    #expect(facts.contains(.duplicateKey("t", entity: "A")))
  }

  @Test func valuesAreHeldAgainstTheRules() {
    let attribute = Attribute(
      name: "t", type: .string, minimum: .integer(2), maximum: .integer(3), pattern: "[a-z]*")
    #expect(attribute.rules(brokenBy: .string("ab")) == [])
    #expect(attribute.rules(brokenBy: .string("A")) == [.min, .matches])
    #expect(attribute.rules(brokenBy: .string("𠮷𠮷")) == [.max, .matches])
    #expect(attribute.rules(brokenBy: .null) == [])
  }

  @Test func anInverseThatLeadsElsewhereSaysWhere() {
    let model = Model(entities: [
      Entity(name: "A", relationships: [Relationship(name: "b", destination: "B", inverse: "a")]),
      Entity(name: "B", relationships: [Relationship(name: "a", destination: "A", inverse: "x")]),
    ])
    #expect(
      ModelCheck(model).problems.map(\.facts.sentence) == [
        "A.b has the inverse B.a, whose inverse is A.x", "A has no key x",
      ])
  }

  @Test func anInverseMayComeLater() {
    let tags = Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "items")
    var model = Model(entities: [Entity(name: "Item", relationships: [tags]), Entity(name: "Tag")])
    #expect(ModelCheck(model).contradictions == [])
    #expect(
      ModelCheck(model).unresolved.map(\.facts) == [
        .unknownInverse("items", destination: "Tag", near: [])
      ])
    let items = Relationship(name: "items", destination: "Item", isToMany: true, inverse: "tags")
    model.define(Entity(name: "Tag", relationships: [items]))
    #expect(ModelCheck(model).problems == [])
  }
}
