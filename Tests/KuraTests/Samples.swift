import Foundation
import Kura
import Testing

/// The data of the library's tests: a to-do list.
enum Samples {
  static var model: Model {
    get throws {
      try Model {
        try Entity("Category") {
          Attribute("name", .string, minimum: 1)
          try Attribute("openCount", .integer, derived: "SUBQUERY(items, $i, $i.done == NO).@count")
          Relationship("items", toMany: "Item", inverse: "parentCategory", deleteRule: .cascade)
          Unique("name")
        }
        Entity("Item") {
          Attribute("title", .string, minimum: 1)
          Attribute("done", .boolean, default: false)
          Attribute("due", .date, isOptional: true)
          Attribute("priority", .integer, default: 1, minimum: 0, maximum: 5)
          Relationship("parentCategory", to: "Category", inverse: "items")
          Relationship("tags", toMany: "Tag", inverse: "items")
        }
        Entity("Tag") {
          Attribute("name", .string)
          Relationship("items", toMany: "Item", inverse: "tags", deleteRule: .deny)
        }
        SavedRequest("Since", "($day) = fetch Item where due >= $day sort due")
      }
    }
  }

  /// Returns two categories, four items and two tags.
  static func context() throws -> ManagedObjectContext {
    let context = try Store.inMemory(model).context
    let home = try context.insert("Category", ["name": "家"])
    let office = try context.insert("Category", ["name": "会社"])
    try context.insert(
      "Item",
      [
        ["title": "掃除", "parentCategory": home, "due": day(3)],
        ["title": "買い物", "parentCategory": home, "done": true],
        ["title": "会議", "parentCategory": office, "due": day(1), "priority": 3],
        ["title": "散歩", "due": day(2)],
      ])
    try context.insert("Tag", [["name": "急ぎ"], ["name": "楽しい"]])
    return context
  }

  /// Returns a day of January 2026, at noon in UTC.
  static func day(_ day: Int) -> Date {
    Date(timeIntervalSince1970: 1_767_268_800 + Double(day - 1) * 86_400)
  }
}

/// Returns the store error that a body throws.
func storeError(_ body: () throws -> Void) -> StoreError? {
  do { try body() } catch { return error as? StoreError }
  return nil
}

/// Returns the sentence of the error that a body throws.
func sentence(_ body: () throws -> Void) -> String? {
  do { try body() } catch {
    return (error as? Diagnostic)?.facts.sentence ?? "\(error)"
  }
  return nil
}
