import KuraModel
import Testing

@Suite struct InheritanceTests {
  static func entity(_ name: String, _ parent: String?, _ keys: String...) -> Entity {
    Entity(
      name: name, parent: parent, attributes: keys.map { Attribute(name: $0, type: .string) })
  }

  let model = Model(entities: [
    entity("C", "B", "c"), entity("A", nil, "a", "a2"), entity("B", "A", "b"),
    entity("D", "A", "d"),
  ])

  @Test func anEntityKnowsItsAncestorsAndDescendants() {
    #expect(model.root(of: "C") == "A")
    #expect(model.root(of: "A") == "A")
    #expect(model.root(of: "nobody") == "nobody")
    #expect(model.ancestors(of: "C") == ["B", "A"])
    #expect(model.descendants(of: "A") == ["C", "B", "D"])
    #expect(model.descendants(of: "C") == [])
    #expect(model.entity("C", isKindOf: "A"))
    #expect(!model.entity("A", isKindOf: "C"))
  }

  @Test func inheritedKeysComeFirst() {
    #expect(model.keys(of: "C") == ["a", "a2", "b", "c"])
    #expect(model.allAttributes(of: "B").map(\.name) == ["a", "a2", "b"])
    #expect(model.ownedProperty(named: "a2", of: "C")?.owner == "A")
    #expect(model.property(named: "c", of: "B") == nil)
    #expect(model.descendants(of: "A", withKey: "c") == ["C"])
  }

  @Test func aChangeIsSeenAtOnceAndByItsCopyAlone() {
    var changed = model
    changed.define(Self.entity("D", "B", "x"))
    #expect(changed.keys(of: "D") == ["a", "a2", "b", "x"])
    #expect(model.keys(of: "D") == ["a", "a2", "d"])
    changed.remove("B")
    #expect(changed.ancestors(of: "D") == [])
    #expect(changed.entities.map(\.name) == ["C", "A", "D"])
  }

  @Test func aLongLineIsNotWalkedForEachOfItsEntities() {
    let count = 4_000
    let long = Model(
      entities: (0..<count).map { Entity(name: "E\($0)", parent: $0 > 0 ? "E\($0 - 1)" : nil) })
    let clock = ContinuousClock()
    let time = clock.measure {
      for i in 0..<count {
        #expect(long.root(of: "E\(i)") == "E0")
        #expect(long.entity("E\(i)", isKindOf: "E\(i / 2)"))
        #expect(i == 0 || !long.entity("E0", isKindOf: "E\(i)"))
      }
    }
    #expect(time < .seconds(5))
    #expect(long.ancestors(of: "E3999").count == 3_999)
    #expect(long.descendants(of: "E1").first == "E2")
  }

  @Test func aCircleEndsBeforeItRepeats() {
    let circle = Model(entities: [Self.entity("A", "B", "a"), Self.entity("B", "A", "b")])
    #expect(circle.ancestors(of: "A") == ["B"])
    #expect(circle.keys(of: "A") == ["b", "a"])
    #expect(circle.descendants(of: "A") == ["B"])
  }

  @Test func constraintsAreInheritedWithTheirOwner() {
    var entity = Self.entity("A", nil, "a")
    entity.uniquenessConstraints = [["a"]]
    let model = Model(entities: [entity, Self.entity("B", "A")])
    #expect(model.allUniquenessConstraints(of: "B").map(\.owner) == ["A"])
    #expect(model.allUniquenessConstraints(of: "B").map(\.keys) == [["a"]])
  }

  @Test func indexesAreInheritedAndFollowTheirKeys() {
    var entity = Self.entity("A", nil, "a", "b")
    entity.indexes = [FetchIndex("a"), FetchIndex("b", .descending("a"))]
    var model = Model(entities: [entity, Self.entity("B", "A")])
    #expect(model.allIndexes(of: "B").map(\.owner) == ["A", "A"])
    model.rename(key: "a", of: "A", to: "c")
    #expect(model["A"]?.indexDeclarations == ["index c", "index (b, c desc)"])
    model.remove(key: "c", of: "A")
    #expect(model["A"]?.indexes == [])
    #expect(!model.hasIndexes)
  }

  @Test func aNewNameIsCarriedToWhatNamesIt() {
    var model = Sample.model(Sample.todo)
    model.rename(entity: "Item", to: "Thing")
    model.rename(key: "parentCategory", of: "Thing", to: "category")
    #expect(ModelCheck(model).problems == [])
    #expect(model["Task"]?.parent == "Thing")
    #expect(model["Category"]?.relationships[0].inverse == "category")
    #expect(model["Thing"]?.uniquenessConstraints == [["title", "category"]])
  }
}
