import KuraModel
import KuraPredicates
import KuraValues
import TestSupport

/// Generates expressions and predicates over the keys of a model, valid ones and slightly wrong
/// ones.
struct ExpressionMaker {
  var model: Model
  /// Functions without randomness.
  private static let functions = FunctionCatalogue.all.filter {
    !$0.circumstances.contains(.chance)
  }

  /// Returns a predicate for `where`.
  func predicate(of entity: String, depth: Int, _ numbers: inout SeededNumbers) -> String {
    guard depth > 0 else { return comparison(of: entity, depth: 0, &numbers) }
    func part(_ numbers: inout SeededNumbers) -> String {
      predicate(of: entity, depth: depth - 1, &numbers)
    }
    switch numbers.below(10) {
    case 0: return "NOT (\(part(&numbers)))"
    case 1: return "(\(part(&numbers))) \(numbers.pick(["AND", "&&", "and"])) \(part(&numbers))"
    case 2: return "\(part(&numbers)) \(numbers.pick(["OR", "||"])) (\(part(&numbers)))"
    case 3: return numbers.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
    default: return comparison(of: entity, depth: depth, &numbers)
    }
  }

  private func comparison(
    of entity: String, depth: Int, _ numbers: inout SeededNumbers
  ) -> String {
    let key = path(of: entity, &numbers)
    let right =
      numbers.oneIn(3)
      ? value(of: entity, depth: depth, &numbers) : literal(fitting: key.type, &numbers)
    let options = numbers.oneIn(5) ? numbers.pick(["[c]", "[d]", "[cd]", "[n]", "[l]", "[x]"]) : ""
    let left = numbers.oneIn(4) ? value(of: entity, depth: depth, &numbers) : key.text
    let many =
      key.isMany && !numbers.oneIn(5)
      ? numbers.pick(["ANY ", "ALL ", "NONE ", "SOME ", "NOT ANY "]) : ""
    switch numbers.below(16) {
    case 0: return "\(left) BETWEEN {\(literal(fitting: key.type, &numbers)), \(right)}"
    case 1...2:
      return "\(many)\(left) IN\(options) {\(right), \(literal(fitting: key.type, &numbers))}"
    case 3: return "\(left) MATCHES\(options) \(Self.text(numbers.pick(Self.patterns)))"
    case 4:
      return "\(left) LIKE\(options) \(Self.text(numbers.pick(["*a*", "?", "家*", "a\\\\*", ""])))"
    case 5...6:
      let word = numbers.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"])
      return "\(many)\(left) \(word)\(options) \(Self.text(numbers.pick(Self.texts)))"
    case 7: return "\(left) == nil"
    case 8:
      return
        "objectID \(numbers.pick(["==", ">", "IN"])) \(numbers.pick(["1", "{1, 2}", "0", "-1", "99999999999"]))"
    default:
      let sign = numbers.pick(["==", "!=", "<", "<=", ">", ">=", "=", "<>", "=>"])
      return "\(many)\(left) \(sign)\(options) \(right)"
    }
  }

  static let patterns = [
    "a.*", "(a+)+b", "[", "(?i)A", "\\\\d+", "家.", "(.*)*x", "^$", "\\\\p{Han}+", "a{1,99999}",
    "(?<n>a)\\\\k<n>",
  ]
  static let texts = [
    "", "a", "家", "掃除", "a\u{301}", "Ａ", "𠮷", "👨‍👩‍👧", "x\\ny", "\\\"", "%@", "a b", "2020-01-01", "12",
    "NaN",
    "\u{202E}x", "true", "\u{0}".isEmpty ? "" : "\\u0000", "ﾒﾓ", "ß", "null",
    String(repeating: "z", count: 300),
  ]

  static func text(_ text: String) -> String { "\"\(text)\"" }
}

extension ExpressionMaker {
  /// Returns a key path from an entity, its type if it ends at an attribute, and whether it has
  /// many values.
  private func path(
    of entity: String, _ numbers: inout SeededNumbers
  ) -> (text: String, type: AttributeType?, isMany: Bool) {
    var (text, here, isMany) = ("", entity, false)
    for _ in 0..<3 {
      let links = model.allRelationships(of: here)
      guard !links.isEmpty, numbers.oneIn(3) else { break }
      let link = numbers.pick(links)
      text += name(link.name, &numbers) + "."
      isMany = isMany || link.isToMany
      here = link.destination
    }
    let attributes = model.allAttributes(of: here)
    guard !attributes.isEmpty, !numbers.oneIn(12) else {
      return (text + numbers.pick(["objectID", "entity.name", "@count", "nowhere"]), nil, isMany)
    }
    let attribute = numbers.pick(attributes)
    return (text + name(attribute.name, &numbers), attribute.type, isMany)
  }

  /// Returns a name, sometimes bare regardless of its characters.
  func name(_ name: String, _ numbers: inout SeededNumbers) -> String {
    let isPlain = name.allSatisfy { $0.isLetter || $0 == "_" }
    return isPlain && !numbers.oneIn(4) || numbers.oneIn(60) ? name : name.asName
  }

  /// Returns an expression for `print`, `select` or `set`.
  func value(of entity: String, depth: Int, _ numbers: inout SeededNumbers) -> String {
    guard depth > 0 else {
      return numbers.flip() ? path(of: entity, &numbers).text : literal(fitting: nil, &numbers)
    }
    func part(_ numbers: inout SeededNumbers) -> String {
      value(of: entity, depth: depth - 1, &numbers)
    }
    switch numbers.below(14) {
    case 0...2: return call(of: entity, depth: depth, &numbers)
    case 3...4:
      let sign = numbers.pick(["+", "-", "*", "/", "**", "&", "|", "^", "<<", ">>"])
      return "(\(part(&numbers)) \(sign) \(part(&numbers)))"
    case 5: return "{\(part(&numbers)), \(part(&numbers))}"
    case 6:
      return
        "TERNARY(\(predicate(of: entity, depth: depth - 1, &numbers)), \(part(&numbers)), \(part(&numbers)))"
    case 7: return collection(of: entity, depth: depth, &numbers)
    case 8: return "(\(part(&numbers)))[\(numbers.pick(["0", "FIRST", "LAST", "SIZE", "-1", "9"]))]"
    case 9: return "\(numbers.pick(["-", "~", "NOT "]))\(part(&numbers))"
    case 10:
      let word = numbers.pick(["UNION", "INTERSECT", "MINUS"])
      return "({\(part(&numbers))} \(word) {\(part(&numbers))})"
    case 11:
      return
        "(\(part(&numbers))).\(numbers.pick(["@count", "@sum.self", "@avg.self", "@max.self", "length", "x"]))"
    default: return path(of: entity, &numbers).text
    }
  }

  private func call(of entity: String, depth: Int, _ numbers: inout SeededNumbers) -> String {
    let function = numbers.pick(Self.functions)
    var count =
      switch function.arguments {
      case .exactly(let count): count
      case .collection: 1
      case .atLeast(let count): count + numbers.below(2)
      case .between(let least, let most): least + numbers.below(most - least + 1)
      }
    if numbers.oneIn(30) { count += 1 }
    let values = (0..<count).map { _ in value(of: entity, depth: depth - 1, &numbers) }
    return "\(numbers.pick(function.names))(\(values.joined(separator: ", ")))"
  }

  private func collection(
    of entity: String, depth: Int, _ numbers: inout SeededNumbers
  ) -> String {
    let many = model.allRelationships(of: entity).filter(\.isToMany)
    guard !many.isEmpty else { return "{1, 2}.@count" }
    let link = numbers.pick(many)
    let name = name(link.name, &numbers)
    if numbers.flip() {
      let operation = numbers.pick([
        "sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects", "unionOfArrays",
      ])
      return "\(name).@\(operation).\(path(of: link.destination, &numbers).text)"
    }
    let inner = predicate(of: link.destination, depth: depth - 1, &numbers)
    return "SUBQUERY(\(name), $s, $s.objectID > 0 AND \(inner)).@count"
  }
}
