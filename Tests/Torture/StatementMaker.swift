import KuraModel
import TestSupport

/// Generates statements, most of them valid, for the present model.
struct StatementMaker {
  var model: Model
  var expressions: ExpressionMaker { ExpressionMaker(model: model) }

  static let names = [
    "Item", "Task", "名前", "家", "a b", "where", "select", "limit", "x\"y", "é", "SELF", "entity",
    "count", "\\",
    "a.b", "@count", "-- x", "\u{202E}x", "\u{1B}[31m", "nil", "TRUE", "🙂", "a\tb", "n", "s",
    "date", "title",
  ]
  static let types = [
    "integer", "integer16", "integer32", "double", "float", "decimal", "string", "string",
    "boolean", "date",
    "uuid", "uri", "binary", "json",
  ]

  /// A statement of any kind.
  func statement(_ numbers: inout SeededNumbers) -> String {
    guard !model.entities.isEmpty else { return definition(&numbers) }
    switch numbers.below(60) {
    case 0...1: return definition(&numbers)
    case 2...5: return alteration(&numbers)
    case 6: return "drop entity \(anEntity(&numbers))\(numbers.flip() ? " all" : "")"
    case 7...16: return insertion(&numbers)
    case 17...18:
      return "insert or \(numbers.pick(["fetch", "update"]))\(insertion(&numbers).dropFirst(6))"
    case 19...27: return update(&numbers)
    case 28...31: return deletion(&numbers)
    case 32...40:
      return
        "\(numbers.pick(["fetch", "fetch", "explain", "explain analyze fetch"])) \(fetch(&numbers))"
    case 41: return "count \(filtered(&numbers))"
    case 42: return "exists \(filtered(&numbers))"
    case 43: return "print \(value(&numbers)), \(value(&numbers))"
    case 44:
      return
        "let $v = \(numbers.pick([value(&numbers), "fetch \(filtered(&numbers))", insertion(&numbers)]))"
    case 45: return "request R($d) = fetch \(filtered(&numbers))"
    case 46: return numbers.pick(["run R(\(value(&numbers)))", "drop request R"])
    case 47...49: return "undo\(numbers.pick(["", "", " 2", " list", " 99"]))"
    case 50...51: return "redo\(numbers.pick(["", " 2"]))"
    case 52: return numbers.pick(["begin", "begin \"x\"", "commit", "cancel"])
    case 53: return numbers.pick(["rollback", "changes", "save"])
    case 54:
      return
        "model\(numbers.pick(["", " as text", " as mermaid", " as dot", " as svg", " as swift"]))"
    case 55: return "describe \(anEntity(&numbers))"
    default: return setting(&numbers)
    }
  }

  private func setting(_ numbers: inout SeededNumbers) -> String {
    numbers.pick([
      ".mode csv", ".mode table", ".mode list", ".mode json", ".mode jsonl", ".mode tsv",
      ".mode markdown", ".mode nothing", ".null 無", ".timer on", ".timezone Asia/Tokyo",
      ".timezone x",
      ".locale ja_JP", ".validate", ".validate on", ".validate off", ".undo levels 3",
      ".undo levels 0",
      ".merge store", ".refresh", ".fold", ".help", ".help operators", ".help fetch", ".nothing",
      ".",
    ])
  }
}

extension StatementMaker {
  func anEntity(_ numbers: inout SeededNumbers) -> String {
    numbers.oneIn(40) ? "Nothing" : expressions.name(entity(&numbers), &numbers)
  }

  func entity(_ numbers: inout SeededNumbers) -> String {
    model.entities.isEmpty ? "Nothing" : numbers.pick(model.entities).name
  }

  private func value(_ numbers: inout SeededNumbers) -> String {
    expressions.value(of: entity(&numbers), depth: numbers.below(4), &numbers)
  }

  /// `Item where …`
  func filtered(_ numbers: inout SeededNumbers) -> String {
    let entity = entity(&numbers)
    let name = expressions.name(entity, &numbers)
    guard !numbers.oneIn(5) else { return name }
    return "\(name) where "
      + expressions.predicate(of: entity, depth: numbers.below(4), &numbers)
  }

  private func fetch(_ numbers: inout SeededNumbers) -> String {
    let entity = entity(&numbers)
    var text = expressions.name(entity, &numbers)
    if numbers.oneIn(6) {
      text +=
        " as $o where (\(numbers.pick(["count", "exists"])) \(filtered(&numbers))) == $o.objectID"
    } else if let link = model.allRelationships(of: entity).first, numbers.oneIn(6) {
      text += ".\(expressions.name(link.name, &numbers))"
    }
    func value(_ numbers: inout SeededNumbers) -> String {
      expressions.value(of: entity, depth: numbers.below(3), &numbers)
    }
    if !text.contains(" where "), numbers.flip() {
      text += " where " + expressions.predicate(of: entity, depth: numbers.below(3), &numbers)
    }
    if numbers.oneIn(3) {
      text +=
        " sort \(value(&numbers))\(numbers.pick(["", " desc", " asc nulls last", "[cd]", " natural"]))"
    }
    if numbers.oneIn(3) {
      text +=
        " select \(numbers.pick(["", "distinct "]))\(value(&numbers)) as x, \(value(&numbers))"
    }
    if numbers.oneIn(6) { text += " group by \(value(&numbers)) select @count" }
    let per = numbers.oneIn(3) ? " per \(value(&numbers))" : ""
    if numbers.oneIn(4) { text += " limit \(numbers.below(4))\(per)" }
    if numbers.oneIn(5) { text += " offset \(numbers.below(4))\(per)" }
    if numbers.oneIn(8) {
      text +=
        " select \(numbers.pick(["rank()", "runningSum(objectID)", "share(objectID)"]))\(per)"
    }
    if numbers.oneIn(9) {
      text += numbers.pick([
        " without subentities", " section by \(value(&numbers))", " batch 2", " distinct",
      ])
    }
    return text
  }

  private func object(_ numbers: inout SeededNumbers, of entity: String? = nil) -> String {
    numbers.oneIn(20)
      ? numbers.pick(["$v", "_", "NULL"])
      : "\(expressions.name(entity ?? self.entity(&numbers), &numbers))/\(1 + numbers.below(6))"
  }

  private func insertion(_ numbers: inout SeededNumbers) -> String {
    let entity = entity(&numbers)
    return
      "insert \(expressions.name(entity, &numbers)) \(assignments(of: entity, leavingOut: 4, "=", &numbers))"
  }

  private func update(_ numbers: inout SeededNumbers) -> String {
    let entity = entity(&numbers)
    let sign = numbers.oneIn(5) ? numbers.pick(["+=", "-="]) : "="
    let what = assignments(of: entity, leavingOut: 1, sign, &numbers)
    if numbers.flip() { return "update \(object(&numbers, of: entity)) set \(what)" }
    let filter =
      numbers.oneIn(4)
      ? "all" : "where \(expressions.predicate(of: entity, depth: numbers.below(3), &numbers))"
    return "update \(expressions.name(entity, &numbers)) set \(what) \(filter)"
  }

  private func deletion(_ numbers: inout SeededNumbers) -> String {
    if numbers.oneIn(3) { return "delete \(filtered(&numbers))" }
    return numbers.oneIn(12) ? "delete \(anEntity(&numbers)) all" : "delete \(object(&numbers))"
  }

  private func assignments(
    of entity: String, leavingOut: Int, _ sign: String, _ numbers: inout SeededNumbers
  ) -> String {
    var parts: [String] = []
    for attribute in model.allAttributes(of: entity) {
      if leavingOut == 1 ? !numbers.oneIn(4) : numbers.oneIn(leavingOut) { continue }
      if attribute.derivation != nil, !numbers.oneIn(20) { continue }
      let value =
        numbers.oneIn(6)
        ? expressions.value(of: entity, depth: 1, &numbers)
        : expressions.literal(fitting: attribute.type, &numbers)
      let part =
        attribute.type == .json && numbers.flip()
        ? numbers.pick([".a", ".a.b", "[0]", ".a[1].b", "[99999999]", "[-1]"]) : ""
      parts.append("\(expressions.name(attribute.name, &numbers))\(part) \(sign) \(value)")
    }
    for link in model.allRelationships(of: entity) where numbers.oneIn(3) {
      let one =
        numbers.oneIn(4)
        ? "(insert \(expressions.name(link.destination, &numbers)) objectID = \(1 + numbers.below(50)))"
        : object(&numbers, of: link.destination)
      let value = link.isToMany ? "{\(one), \(object(&numbers, of: link.destination))}" : one
      parts.append("\(expressions.name(link.name, &numbers)) \(sign) \(value)")
    }
    if numbers.oneIn(25) { parts.append("objectID = \(1 + numbers.below(30))") }
    return parts.isEmpty ? "objectID = \(1 + numbers.below(50))" : parts.joined(separator: ", ")
  }
}
