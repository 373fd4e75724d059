import Testing

@testable import KuraValues

@Suite("Values that hold objects")
struct ValueObjectTests {
  private static func object(_ number: Int64) -> Value {
    .object(ObjectReference(Named(objectID: ObjectID(entity: "A", root: "A", number: number))))
  }
  private static let nested: Value = .list([
    object(1), 2, .set([object(3), "x"]), .dictionary(["a": .list([object(4)]), "b": nil]), [],
  ])

  @Test("list their objects in order")
  func ids() {
    #expect(Self.nested.objectIDs.map(\.number) == [1, 3, 4])
    #expect(Self.object(7).objectIDs.map(\.number) == [7])
    let unnamed = Value.object(ObjectReference(Named(objectID: nil)))
    #expect(unnamed.objectIDs.isEmpty && unnamed.holdsObjects)
  }

  @Test("report whether they contain any")
  func holds() {
    #expect(Self.nested.holdsObjects)
    for plain in [nil, 1, "x", [1, [2]], ["a": ["b": 3]], .set([1])] as [Value] {
      #expect(!plain.holdsObjects && plain.objectIDs.isEmpty)
      #expect(plain.mapObjects { _ in 0 } == plain)
    }
  }

  @Test("accept other values instead of objects")
  func maps() {
    let numbers = Self.nested.mapObjects { .integer($0.id?.number ?? 0) }
    #expect(numbers == [1, 2, .set([3, "x"]), .dictionary(["a": [4], "b": nil]), []])
    #expect(numbers.elements?[2].kind == .set)
  }
}

private struct Named: KeyReadable {
  let objectID: ObjectID?

  func value(forKey key: String) -> Value { .null }
}
