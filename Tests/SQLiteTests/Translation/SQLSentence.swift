import TestSupport

/// A random statement of SQL.
struct SQLSentence {
  let text: String
  /// Whether the order of its rows counts.
  var isOrdered = false

  private init(_ text: String, isOrdered: Bool = false) {
    self.text = text
    self.isOrdered = isOrdered
  }

  static func some(_ numbers: inout SeededNumbers) -> SQLSentence {
    switch numbers.below(14) {
    case 0, 1, 2: SQLSentence("SELECT id FROM item WHERE \(SQLCondition.some(&numbers, .items))")
    case 3: SQLSentence("SELECT id FROM home WHERE \(SQLCondition.some(&numbers, .homes))")
    case 4: values(&numbers)
    case 5: ordered(&numbers)
    case 6: aggregates(&numbers)
    case 7: groups(&numbers)
    case 8, 9: join(&numbers)
    case 10: leftJoin(&numbers)
    case 11: partners(&numbers)
    case 12: partnerless(&numbers)
    default: distinct(&numbers)
    }
  }
}

extension SQLSentence {
  private static func filter(_ numbers: inout SeededNumbers, _ scope: SQLScope = .items) -> String {
    numbers.oneIn(3) ? "" : " WHERE \(SQLCondition.some(&numbers, scope, depth: 1))"
  }

  /// `SELECT id, n / 2, text || '!' FROM item WHERE …`
  private static func values(_ numbers: inout SeededNumbers) -> SQLSentence {
    let columns = (0...numbers.below(2)).map { _ in SQLCondition.value(&numbers, .items).text }
    return SQLSentence("SELECT id, \(columns.joined(separator: ", ")) FROM item\(filter(&numbers))")
  }

  /// `SELECT id, n AS k FROM item WHERE … ORDER BY k DESC, id LIMIT 5 OFFSET 2`
  private static func ordered(_ numbers: inout SeededNumbers) -> SQLSentence {
    let key =
      numbers.oneIn(3) ? SQLCondition.value(&numbers, .items) : SQLScope.items.column(&numbers)
    let name = numbers.oneIn(3) ? " AS k" : ""
    let order = numbers.oneIn(4) ? "2" : name.isEmpty ? key.text : "k"
    let limit = numbers.flip() ? " LIMIT \(1 + numbers.below(9))" : ""
    let offset = limit.isEmpty || numbers.flip() ? "" : " OFFSET \(numbers.below(4))"
    let nulls = numbers.oneIn(4) ? numbers.pick([" NULLS FIRST", " NULLS LAST"]) : ""
    return SQLSentence(
      "SELECT id, \(key.text)\(name) FROM item\(filter(&numbers)) "
        + "ORDER BY \(order)\(numbers.flip() ? " DESC" : "")\(nulls), id\(limit)\(offset)",
      isOrdered: true)
  }

  private static func aggregate(_ numbers: inout SeededNumbers, _ scope: SQLScope) -> String {
    if numbers.oneIn(5) { return "COUNT(*)" }
    if numbers.oneIn(5) { return "COUNT(DISTINCT \(scope.column(&numbers).text))" }
    let name = numbers.pick(["COUNT", "SUM", "AVG", "MIN", "MAX"])
    let isNumeric = name == "SUM" || name == "AVG"
    return "\(name)(\(isNumeric ? scope.number(&numbers) : scope.column(&numbers).text))"
  }

  private static func aggregates(_ numbers: inout SeededNumbers) -> SQLSentence {
    if numbers.oneIn(4) {
      return SQLSentence(
        "SELECT COUNT(DISTINCT \(SQLScope.items.column(&numbers).text)) FROM item\(filter(&numbers))"
      )
    }
    let columns = (0...numbers.below(2)).map { _ in aggregate(&numbers, .items) }
    return SQLSentence("SELECT \(columns.joined(separator: ", ")) FROM item\(filter(&numbers))")
  }

  private static func groups(_ numbers: inout SeededNumbers) -> SQLSentence {
    let key = SQLScope.items.column(&numbers).text
    let other = aggregate(&numbers, .items)
    let having =
      numbers.flip()
      ? ""
      : " HAVING \(aggregate(&numbers, .items)) \(numbers.pick(["IS NOT NULL", "> 1", "<> 2"]))"
    let count = other == "COUNT(*)" ? "" : ", COUNT(*)"
    return SQLSentence(
      "SELECT \(key) AS k, \(other)\(count) FROM item\(filter(&numbers)) "
        + "GROUP BY \(numbers.oneIn(3) ? "1" : key)\(having)")
  }

  private static func distinct(_ numbers: inout SeededNumbers) -> SQLSentence {
    let columns = (0...numbers.below(2)).map { _ in SQLScope.items.column(&numbers).text }
    return SQLSentence(
      "SELECT DISTINCT \(columns.joined(separator: ", ")) FROM item\(filter(&numbers))")
  }
}

// Joins
extension SQLSentence {
  private static let tables = [
    "item i JOIN home h ON i.home = h.id", "home h JOIN item i ON i.home = h.id",
    "home h INNER JOIN item i ON h.id = i.home", "item i, home h",
  ]

  private static func join(_ numbers: inout SeededNumbers) -> SQLSentence {
    let source = numbers.pick(tables)
    let isComma = source.contains(",")
    let condition = SQLCondition.some(&numbers, .both, depth: 1)
    let filter =
      isComma
      ? " WHERE i.home = h.id AND (\(condition))" : numbers.oneIn(4) ? "" : " WHERE \(condition)"
    switch numbers.below(5) {
    case 0: return SQLSentence("SELECT COUNT(*) FROM \(source)\(filter)")
    case 1:
      return SQLSentence(
        "SELECT h.id, h.name, \(aggregate(&numbers, .joinedItems)) FROM \(source)\(filter) GROUP BY h.id"
      )
    case 2:
      return SQLSentence(
        "SELECT h.kind, \(aggregate(&numbers, .joinedItems)) AS a FROM \(source)\(filter) "
          + "GROUP BY h.kind HAVING COUNT(*) > \(numbers.below(3))")
    case 3:
      return SQLSentence("SELECT DISTINCT h.name, h.size FROM \(source)\(filter)")
    default:
      return SQLSentence(
        "SELECT i.id, \(SQLScope.both.column(&numbers).text), "
          + "\(SQLCondition.value(&numbers, .both).text) FROM \(source)\(filter)")
    }
  }

  /// Items without a home are kept.
  private static func leftJoin(_ numbers: inout SeededNumbers) -> SQLSentence {
    let condition = numbers.oneIn(4) ? "h.id IS NULL" : SQLCondition.some(&numbers, .both, depth: 1)
    return SQLSentence(
      "SELECT i.id, h.name, \(SQLScope.both.column(&numbers).text) FROM item i "
        + "LEFT JOIN home h ON i.home = h.id\(numbers.oneIn(4) ? "" : " WHERE \(condition)")")
  }

  /// Homes with aggregates of their items; homes without items are kept.
  private static func partners(_ numbers: inout SeededNumbers) -> SQLSentence {
    let extra = numbers.flip() ? "" : " AND \(SQLCondition.leaf(&numbers, .joinedItems))"
    let filter =
      numbers.flip() ? "" : " WHERE \(SQLCondition.some(&numbers, .joinedHomes, depth: 1))"
    let having = numbers.oneIn(3) ? " HAVING COUNT(i.id) > \(numbers.below(3))" : ""
    return SQLSentence(
      "SELECT h.id, h.kind, \(aggregate(&numbers, .joinedItems)), \(aggregate(&numbers, .joinedItems)) "
        + "FROM home h LEFT JOIN item i ON i.home = h.id\(extra)\(filter) GROUP BY h.id\(having)")
  }

  /// Homes without items, and a condition that drops them.
  private static func partnerless(_ numbers: inout SeededNumbers) -> SQLSentence {
    let extra = numbers.flip() ? "" : " AND \(SQLCondition.leaf(&numbers, .joinedItems))"
    let column = numbers.pick(["i.id", "i.m", "i.home", "i.n"])
    if numbers.oneIn(3) {
      return SQLSentence(
        "SELECT h.id, i.id FROM home h LEFT JOIN item i ON i.home = h.id\(extra) "
          + "WHERE \(SQLCondition.comparison(&numbers, .joinedItems))")
    }
    let more = numbers.flip() ? "" : " AND \(SQLCondition.leaf(&numbers, .joinedHomes))"
    return SQLSentence(
      "SELECT h.id, h.name FROM home h LEFT JOIN item i ON i.home = h.id\(extra) "
        + "WHERE \(column) IS NULL\(more)")
  }
}
