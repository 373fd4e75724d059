import Foundation
import Kura

/// Returns the model of a to-do list.
func todoModel() throws -> Model {
  try Model {
    Entity("Category") {
      Attribute("name", .string, minimum: 1)
      Relationship("items", toMany: "Item", inverse: "category", deleteRule: .cascade)
      Unique("name")
    }
    Entity("Item") {
      Attribute("title", .string, minimum: 1)
      Attribute("done", .boolean, default: false)
      Attribute("due", .date, isOptional: true)
      Relationship("category", to: "Category", inverse: "items")
    }
  }
}

/// An item of the list.
struct Item: Storable {
  var objectID: ObjectID?
  var title: String
  var done: Bool
  var due: Date?
  var category: Category?

  struct Category: Codable { var name: String }

  var line: String {
    let due = due.map { " until \($0.formatted(.iso8601.year().month().day()))" } ?? ""
    let list = category.map { " (\($0.name))" } ?? ""
    return "\(objectID?.number ?? 0): \(done ? "✓ " : "")\(title)\(list)\(due)"
  }
}
