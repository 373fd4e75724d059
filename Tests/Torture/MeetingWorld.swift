import TestSupport

/// The model of a meeting, and the statements of its members.
struct MeetingWorld {
  private let itemsRule: String
  private let ownsRule: String
  private let isNameUnique: Bool
  private let hasDerived: Bool

  let derived: Set<String> = ["items", "size", "owns", "holders"]
  let sets: Set<String> = ["tags"]
  let attributes: Set<String> = ["name", "rank", "title", "n", "note", "p"]

  init(_ numbers: inout SeededNumbers) {
    itemsRule = numbers.pick(["cascade", "cascade", "nullify", "deny"])
    ownsRule = numbers.pick(["nullify", "cascade", "deny"])
    isNameUnique = numbers.oneIn(3)
    hasDerived = numbers.flip()
  }

  /// Everything, one row per line, each with its `id`.
  let question = """
    fetch Category select "Category" as kind, objectID as id, name, rank, size, items.objectID as items;
    fetch Item without subentities select "Item" as kind, objectID as id, title, n, note, category.objectID as category, owner.objectID as owner, tags.objectID as tags;
    fetch Task select "Task" as kind, objectID as id, title, n, note, p, category.objectID as category, owner.objectID as owner, tags.objectID as tags;
    fetch Tag select "Tag" as kind, objectID as id, name, items.objectID as holders;
    fetch Person select "Person" as kind, objectID as id, name, friend.objectID as friend, owns.objectID as owns;
    """
  /// The destinations of keys with numbers.
  static let destinations = [
    "items": "Item", "category": "Category", "owner": "Person", "tags": "Tag", "holders": "Item",
    "friend": "Person", "owns": "Item",
  ]

  private var model: String {
    let size = hasDerived ? " derived (items.@count)" : ""
    return """
      entity Category { name: string\(isNameUnique ? " unique" : ""); rank: integer = 0; size: integer?\(size); items: [Item] inverse category delete \(itemsRule) }
      entity Item { title: string; n: integer = 0; note: string?; category: Category? inverse items; owner: Person? inverse owns; tags: [Tag] inverse items }
      entity Task: Item { p: integer = 0 }
      entity Tag { name: string; items: [Item] inverse tags }
      entity Person { name: string; friend: Person? inverse friend; owns: [Item] inverse owner delete \(ownsRule) }

      """
  }

  /// Returns a script that creates the store.
  func beginning(_ numbers: inout SeededNumbers) -> String {
    var lines: [String] = []
    for place in 1...3 { lines.append("insert Category name = \"c\(place)\";") }
    for place in 1...2 {
      lines.append("insert Tag name = \"t\(place)\"; insert Person name = \"p\(place)\";")
    }
    for _ in 0..<6 { lines.append(insertion(&numbers)) }
    return model + ".validate on\n" + lines.joined(separator: "\n") + "\nsave;\n"
  }
}

extension MeetingWorld {
  func statement(_ numbers: inout SeededNumbers) -> String {
    switch numbers.below(26) {
    case 0...3: insertion(&numbers)
    case 4...8: attribute(&numbers)
    case 9...14: link(&numbers)
    case 15...17: "delete \(object(&numbers));"
    case 18...19: "undo\(numbers.oneIn(4) ? " 3" : "");"
    case 20: "redo;"
    case 21 where numbers.oneIn(3): "rollback;"
    case 22:
      "begin \"x\"; \(attribute(&numbers)) \(link(&numbers)) \(numbers.pick(["commit", "commit", "cancel"]));"
    case 23: "delete Item where category == \(category(&numbers));"
    case 24:
      "update Item set category = \(category(&numbers)) where category == \(category(&numbers));"
    default: "delete \(category(&numbers));"
    }
  }

  private func insertion(_ numbers: inout SeededNumbers) -> String {
    switch numbers.below(8) {
    case 0: "insert Category name = \"\(word(&numbers))\";"
    case 1: "insert Tag name = \"\(word(&numbers))\", items = {\(item(&numbers))};"
    case 2: "insert Person name = \"\(word(&numbers))\", friend = \(person(&numbers));"
    case 3:
      "insert Task title = \"\(word(&numbers))\", p = \(numbers.below(9)), category = \(category(&numbers));"
    default:
      "insert Item title = \"\(word(&numbers))\", category = \(numbers.oneIn(3) ? "NULL" : category(&numbers))"
        + (numbers.oneIn(3) ? ", tags = {\(tag(&numbers))}" : "") + ";"
    }
  }

  private func attribute(_ numbers: inout SeededNumbers) -> String {
    switch numbers.below(6) {
    case 0: "update \(category(&numbers)) set name = \"\(word(&numbers))\";"
    case 1: "update \(category(&numbers)) set rank += 1;"
    case 2: "update \(item(&numbers)) set note = \(numbers.flip() ? "NULL" : "\"x\"");"
    case 3: "update \(item(&numbers)) set n = \(numbers.below(5)), title = \"\(word(&numbers))\";"
    case 4: "update Item set n += 1 where n < \(numbers.below(4));"
    default: "update \(tag(&numbers)) set name = \"\(word(&numbers))\";"
    }
  }

  private func link(_ numbers: inout SeededNumbers) -> String {
    let sign = numbers.pick(["+=", "-=", "="])
    return switch numbers.below(7) {
    case 0...1: "update \(item(&numbers)) set category = \(category(&numbers));"
    case 2: "update \(item(&numbers)) set category = NULL;"
    case 3: "update \(category(&numbers)) set items \(sign) {\(item(&numbers)), \(item(&numbers))};"
    case 4: "update \(item(&numbers)) set tags \(sign) {\(tag(&numbers))};"
    case 5: "update \(person(&numbers)) set friend = \(person(&numbers));"
    default: "update \(item(&numbers)) set owner = \(person(&numbers));"
    }
  }

  private func object(_ numbers: inout SeededNumbers) -> String {
    switch numbers.below(5) {
    case 0: category(&numbers)
    case 1: tag(&numbers)
    case 2: person(&numbers)
    default: item(&numbers)
    }
  }

  private func category(_ numbers: inout SeededNumbers) -> String {
    "Category/\(1 + numbers.below(4))"
  }
  private func item(_ numbers: inout SeededNumbers) -> String { "Item/\(1 + numbers.below(11))" }
  private func tag(_ numbers: inout SeededNumbers) -> String { "Tag/\(1 + numbers.below(3))" }
  private func person(_ numbers: inout SeededNumbers) -> String { "Person/\(1 + numbers.below(3))" }
  private func word(_ numbers: inout SeededNumbers) -> String {
    numbers.pick(["家", "仕事", "x", "y", "z"]) + "\(numbers.below(4))"
  }
}
