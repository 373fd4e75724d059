import Foundation
import Kura
import Testing

/// Expectations from the tests of FreeCoreData, MIOCoreData and Realm, about objects in fetches.
///
/// Category/1 has Item/1 and Item/2, Category/2 has Item/3, and Item/4 has no category.
@Suite("The expectations of other stores about objects in predicates")
struct PeerFetchTests {
  let context: ManagedObjectContext

  init() throws { context = try Samples.context() }

  private func object(_ entity: String, _ number: Int64) throws -> ManagedObject {
    try #require(context.object(entity, number))
  }

  /// Returns the numbers of the fetched objects, after checking their count.
  private func numbers(
    _ entity: String, _ format: String, _ arguments: Any..., in other: ManagedObjectContext? = nil
  ) throws -> [Int64] {
    let tree = try PredicateTree(format: format, argumentArray: arguments)
    let (request, context) = (FetchRequest(entity, where: tree), other ?? context)
    let found = try context.fetch(request)
    #expect(try context.count(request) == found.count)
    return found.map(\.id.number).sorted()
  }

  @Test("a to-one relationship is compared with an object, its objectID, or several objects")
  func toOne() throws {
    let (home, office) = (try object("Category", 1), try object("Category", 2))
    #expect(try numbers("Item", "parentCategory == %@", home) == [1, 2])
    #expect(try numbers("Item", "parentCategory != %@", home) == [3, 4])
    #expect(try numbers("Item", "parentCategory == %@", office.id) == [3])
    #expect(try numbers("Item", "%@ == parentCategory", office) == [3])
    #expect(try numbers("Item", "parentCategory IN %@", [home, office]) == [1, 2, 3])
    #expect(try numbers("Item", "NOT parentCategory IN %@", [home.id]) == [3, 4])
    #expect(try numbers("Item", "parentCategory == nil") == [4])
    #expect(try numbers("Item", "parentCategory != nil") == [1, 2, 3])
    #expect(try numbers("Item", "parentCategory == %@ AND done == YES", home) == [2])
    #expect(try numbers("Item", "parentCategory.items CONTAINS SELF") == [1, 2, 3])
  }

  @Test("SELF is compared with an object, its objectID, or several objects")
  func evaluated() throws {
    let (first, last) = (try object("Item", 1), try object("Item", 4))
    #expect(try numbers("Item", "SELF == %@", first) == [1])
    #expect(try numbers("Item", "SELF != %@", first.id) == [2, 3, 4])
    #expect(try numbers("Item", "SELF IN %@", [first, last]) == [1, 4])
    #expect(try numbers("Item", "SELF IN %@", Set([first.id, last.id])) == [1, 4])
    #expect(try numbers("Item", "NOT SELF IN %@", [first, last]) == [2, 3])
    #expect(try numbers("Item", "SELF IN %@", [ManagedObject]()) == [])
  }

  @Test("a list argument is equivalent to a literal list")
  func given() throws {
    for list in [[4, 1], [Int64(4), 1], [4.0, 1.0], ["Item/4", "Item/1"]] as [[Any]] {
      #expect(try numbers("Item", "objectID IN %@", list) == [1, 4], "\(list)")
      #expect(try numbers("Item", "objectID IN {%@, %@}", list[0], list[1]) == [1, 4], "\(list)")
      #expect(try numbers("Item", "NOT objectID IN %@", list) == [2, 3], "\(list)")
    }
    #expect(try numbers("Item", "objectID IN %@", Set([4, 1])) == [1, 4])
    #expect(try numbers("Item", "SELF IN %@", ["Item/4", "Item/1"]) == [1, 4])
    #expect(try numbers("Item", "SELF IN %@", Set(["Item/4"])) == [4])
    #expect(try numbers("Item", "parentCategory IN %@", ["Category/2"]) == [3])
    #expect(try numbers("Category", "ANY items IN %@", ["Item/3", "Item/4"]) == [2])
    #expect(try numbers("Item", "objectID IN %@", [Int]()) == [])
    for (format, list) in [
      ("SELF IN %@", ["soon"]), ("SELF IN %@", ["Tag/1"]), ("parentCategory IN %@", ["Item/1"]),
      ("SELF IN %@", [4]), ("objectID IN %@", ["x"]), ("priority IN %@", ["xyz"]),
    ] as [(String, [Any])] {
      #expect(throws: (any Error).self, "\(format) \(list)") { try numbers("Item", format, list) }
    }
  }

  @Test("a to-many relationship contains an object, all of several or none")
  func toMany() throws {
    let (clean, meet) = (try object("Item", 1), try object("Item", 3))
    #expect(try numbers("Category", "ANY items == %@", meet) == [2])
    #expect(try numbers("Category", "NONE items == %@", meet) == [1])
    #expect(try numbers("Category", "%@ IN items", clean.id) == [1])
    #expect(try numbers("Category", "items CONTAINS %@", clean) == [1])
    #expect(try numbers("Category", "ANY items IN %@", [clean, meet]) == [1, 2])
    #expect(try numbers("Category", "ALL items IN %@", [clean, meet]) == [2])
    #expect(try numbers("Category", "items.@count == 2") == [1])
    #expect(try numbers("Category", "items.@max.priority > 1") == [2])
    let open = "SUBQUERY(items, $i, $i.done == NO AND $i.parentCategory == SELF).@count == 1"
    #expect(try numbers("Category", open) == [1, 2])
  }

  @Test("relationships in both directions are found from either end")
  func links() throws {
    let (tag, clean) = (try object("Tag", 1), try object("Item", 1))
    try context.add([tag], to: "tags", of: clean)
    #expect(try numbers("Item", "ANY tags == %@", tag) == [1])
    #expect(try numbers("Item", "ANY tags.name BEGINSWITH '急'") == [1])
    #expect(try numbers("Item", "tags.@count == 0") == [2, 3, 4])
    #expect(try numbers("Item", "ALL tags.name == 'x'") == [2, 3, 4])
    #expect(try numbers("Tag", "ANY items.parentCategory.name == '家'") == [1])
    #expect(try numbers("Tag", "NONE items.title == '掃除'") == [2])
    try context.remove([tag], from: "tags", of: clean)
    #expect(try numbers("Tag", "ANY items == %@", clean) == [])
  }

  @Test("an object of another context is the same row, and a deleted one matches no row")
  func elsewhere() throws {
    let child = context.makeChild()
    let home = try #require(child.object("Category", 1))
    #expect(try numbers("Item", "parentCategory == %@", home) == [1, 2])
    let garden = try child.insert("Category", ["name": "庭"])
    #expect(try numbers("Item", "parentCategory == %@", garden) == [])
    #expect(try numbers("Category", "SELF == %@", garden) == [])
    #expect(try numbers("Category", "SELF == %@", garden, in: child) == [garden.id.number])
    let office = try object("Category", 2)
    try context.delete(office)
    #expect(try numbers("Item", "parentCategory == %@", office.id) == [])
    #expect(try numbers("Item", "parentCategory == nil") == [4])
  }

  @Test("unknown names and types are refused before the evaluation")
  func misuse() throws {
    for format in [
      "height > 72", "priority != xyz", "title == 3", "priority IN {'xyz'}", "due == 7",
      "priority.priority == 25", "parentCategory.height == 1", "ANY priority > 5",
      "priority BETWEEN {1}", "tags.priority > 1", "@K == YES", "items == 1",
    ] {
      #expect(throws: (any Error).self, "\(format)") { try numbers("Item", format) }
    }
  }
}
