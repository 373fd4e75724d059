import KuraModel
import Testing

@Suite struct WrittenSideTests {
  /// Returns a model of two mutually inverse relationships.
  func pair(
    _ a: (entity: String, key: String, isToMany: Bool, isOrdered: Bool),
    _ b: (entity: String, key: String, isToMany: Bool, isOrdered: Bool)
  ) -> Model {
    Model(entities: [
      Entity(
        name: a.entity,
        relationships: [
          Relationship(
            name: a.key, destination: b.entity, isToMany: a.isToMany, isOrdered: a.isOrdered,
            inverse: b.key)
        ]),
      Entity(
        name: b.entity,
        relationships: [
          Relationship(
            name: b.key, destination: a.entity, isToMany: b.isToMany, isOrdered: b.isOrdered,
            inverse: a.key)
        ]),
    ])
  }

  @Test func theToOneSideIsWritten() {
    let model = pair(("Category", "items", true, false), ("Item", "parent", false, false))
    #expect(model.writtenSide(of: "items", in: "Category") == .there)
    #expect(model.writtenSide(of: "parent", in: "Item") == .here)
  }

  @Test func theOrderedSideIsWrittenBeforeTheToOne() {
    let model = pair(("Category", "items", true, true), ("Item", "parent", false, false))
    #expect(model.writtenSide(of: "items", in: "Category") == .here)
    #expect(model.writtenSide(of: "parent", in: "Item") == .there)
  }

  @Test func twoOrderedSidesAreBothWritten() {
    let model = pair(("A", "bs", true, true), ("B", "as", true, true))
    #expect(model.writtenSide(of: "bs", in: "A") == .both)
    #expect(model.writtenSide(of: "as", in: "B") == .both)
  }

  @Test func manyToManyIsWrittenWhereTheNameComesFirst() {
    let model = pair(("Tag", "items", true, false), ("Item", "tags", true, false))
    #expect(model.writtenSide(of: "tags", in: "Item") == .here)
    #expect(model.writtenSide(of: "items", in: "Tag") == .there)
  }

  @Test func oneToOneIsWrittenWhereTheNameComesFirst() {
    let model = pair(("a", "x", false, false), ("Z", "y", false, false))
    #expect(model.writtenSide(of: "y", in: "Z") == .here)
    #expect(model.writtenSide(of: "x", in: "a") == .there)
  }

  @Test func theOwnInverseIsWrittenOnTheLowerObject() {
    let friends = Relationship(
      name: "friends", destination: "P", isToMany: true, inverse: "friends")
    let model = Model(entities: [
      Entity(name: "P", relationships: [friends]), Entity(name: "Q", parent: "P"),
    ])
    #expect(model.writtenSide(of: "friends", in: "P") == .lowerObjectID)
    #expect(model.writtenSide(of: "friends", in: "Q") == .lowerObjectID)
  }

  @Test func anOrderedOwnInverseIsWrittenOnBothObjects() {
    let friends = Relationship(
      name: "friends", destination: "P", isToMany: true, isOrdered: true, inverse: "friends")
    let model = Model(entities: [Entity(name: "P", relationships: [friends])])
    #expect(model.writtenSide(of: "friends", in: "P") == .both)
  }

  @Test func twoRelationshipsOfOneEntityMayBeInverses() {
    let model = Model(entities: [
      Entity(
        name: "Node",
        relationships: [
          Relationship(name: "children", destination: "Node", isToMany: true, inverse: "parent"),
          Relationship(name: "parent", destination: "Node", inverse: "children"),
        ])
    ])
    #expect(model.writtenSide(of: "children", in: "Node") == .there)
    #expect(model.writtenSide(of: "parent", in: "Node") == .here)
  }

  @Test func withoutInverseItIsWrittenWhereItIsDeclared() {
    let model = Model(entities: [
      Entity(
        name: "A", relationships: [Relationship(name: "b", destination: "A", isToMany: true)])
    ])
    #expect(model.writtenSide(of: "b", in: "A") == .here)
    #expect(model.writtenSide(of: "c", in: "A") == nil)
  }

  @Test func descendantsAgreeWithTheirAncestor() {
    let model = Sample.model(Sample.todo)
    for key in ["tags", "parentCategory"] {
      #expect(model.writtenSide(of: key, in: "Task") == .here)
    }
    #expect(model.inverse(of: "tags", in: "Task")?.owner == "Tag")
    #expect(model.writtenSide(of: "items", in: "Tag") == .there)
  }

  @Test func oneSideOfEachPairIsWritten() {
    for bits in 0..<16 {
      let flags = (0..<4).map { bits >> $0 & 1 == 1 }
      let model = pair(
        ("A", "b", flags[0], flags[0] && flags[1]), ("B", "a", flags[2], flags[2] && flags[3]))
      let sides = [model.writtenSide(of: "b", in: "A"), model.writtenSide(of: "a", in: "B")]
      let isWhole =
        sides == [.here, .there] || sides == [.there, .here] || sides == [.both, .both]
      #expect(isWhole, "\(bits)")
    }
  }
}
