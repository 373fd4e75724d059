import TestSupport

/// The columns that a condition may name.
struct SQLScope {
  let columns: [(text: String, kind: TranslationWorld.Column)]
  /// The name of the object itself, and whether it is an item or a home.
  let id: String
  let isItem: Bool

  private init(
    _ prefixes: [(String, [(name: String, kind: TranslationWorld.Column)])], id: String,
    isItem: Bool
  ) {
    columns = prefixes.flatMap { prefix, columns in columns.map { (prefix + $0.name, $0.kind) } }
    self.id = id
    self.isItem = isItem
  }

  static let items = SQLScope([("", TranslationWorld.items)], id: "id", isItem: true)
  static let homes = SQLScope([("", TranslationWorld.homes)], id: "home.id", isItem: false)
  static let joinedItems = SQLScope([("i.", TranslationWorld.items)], id: "i.id", isItem: true)
  static let joinedHomes = SQLScope([("h.", TranslationWorld.homes)], id: "h.id", isItem: false)
  static let both = SQLScope(
    [("i.", TranslationWorld.items), ("h.", TranslationWorld.homes)], id: "i.id", isItem: true)

  typealias Typed = (text: String, kind: TranslationWorld.Column)

  func column(_ numbers: inout SeededNumbers) -> Typed { numbers.pick(columns) }

  func column(_ numbers: inout SeededNumbers, of kind: TranslationWorld.Column) -> String? {
    let all = columns.filter { $0.kind == kind }
    return all.isEmpty ? nil : numbers.pick(all).text
  }

  func number(_ numbers: inout SeededNumbers) -> String {
    numbers.pick(columns.filter { $0.kind == .integer || $0.kind == .real }).text
  }

  func text(_ numbers: inout SeededNumbers) -> String {
    numbers.pick(columns.filter { $0.kind == .text }).text
  }
}

/// Random conditions and values of SQL.
enum SQLCondition {
  static func some(_ numbers: inout SeededNumbers, _ scope: SQLScope, depth: Int = 2) -> String {
    guard depth > 0, !numbers.oneIn(4) else { return leaf(&numbers, scope) }
    let first = some(&numbers, scope, depth: depth - 1)
    switch numbers.below(4) {
    case 0: return "NOT (\(first))"
    case 1: return "\(first) AND \(some(&numbers, scope, depth: depth - 1))"
    case 2: return "(\(first) OR \(some(&numbers, scope, depth: depth - 1)))"
    default: return "NOT (\(first) AND \(some(&numbers, scope, depth: depth - 1)))"
    }
  }

  private static let orders = ["=", "<>", "!=", "<", "<=", ">", ">="]

  /// `n > 3`
  static func comparison(_ numbers: inout SeededNumbers, _ scope: SQLScope) -> String {
    let column = scope.column(&numbers)
    let order = column.kind == .boolean ? numbers.pick(["=", "<>"]) : numbers.pick(orders)
    return "\(column.text) \(order) \(column.kind.value(&numbers).sql)"
  }

  static func leaf(_ numbers: inout SeededNumbers, _ scope: SQLScope) -> String {
    let column = scope.column(&numbers)
    let not = numbers.flip() ? " NOT" : ""
    switch numbers.below(16) {
    case 0, 1, 2: return comparison(&numbers, scope)
    case 3:
      guard let other = scope.column(&numbers, of: column.kind) else { return "1 = 1" }
      let order = column.kind == .boolean ? "=" : numbers.pick(orders)
      return "\(column.text) \(order) \(other)"
    case 4: return "\(column.text) IS\(not) NULL"
    case 5:
      let number = scope.number(&numbers)
      let bound = numbers.oneIn(3) ? scope.number(&numbers) : "\(numbers.below(5))"
      return "\(number)\(not) BETWEEN \(numbers.below(4) - 3) AND \(bound)"
    case 6:
      var values = (0...numbers.below(3)).map { _ in column.kind.value(&numbers).sql }
      if numbers.oneIn(3) { values.append("NULL") }
      if numbers.oneIn(5), let other = scope.column(&numbers, of: column.kind) {
        values.append(other)
      }
      return "\(column.text)\(not) IN (\(values.joined(separator: ", ")))"
    case 7:
      let pattern = numbers.pick(["a%", "%b", "%a%", "_", "a_", "%", "", "誕%", "*", "a?", "%\\%"])
      return "\(scope.text(&numbers))\(not) LIKE '\(pattern)'"
    case 8:
      guard let flag = scope.column(&numbers, of: .boolean) else {
        return comparison(&numbers, scope)
      }
      return numbers.pick([
        flag, "NOT \(flag)", "\(flag) IS\(not) TRUE", "\(flag) IS\(not) FALSE", "\(flag) = 1",
        "\(flag) <> 0",
      ])
    case 9: return numbers.pick([scope.number(&numbers), "NOT \(scope.number(&numbers))"])
    case 10, 11:
      let value = value(&numbers, scope)
      return "\(value.text) \(numbers.pick(value.kind == .boolean ? ["=", "<>"] : orders)) "
        + value.kind.value(&numbers).sql
    case 12: return "\(column.text) IS\(not) \(column.kind.value(&numbers).sql)"
    case 13: return "\(scope.id)\(not) IN (\(1 + numbers.below(9)), \(1 + numbers.below(9)))"
    default: return subquery(&numbers, scope, not)
    }
  }

  private static func subquery(
    _ numbers: inout SeededNumbers, _ scope: SQLScope, _ not: String
  ) -> String {
    let inner = leafOfItem(&numbers)
    guard !scope.isItem else {
      if numbers.flip() {
        return "home\(not) IN (SELECT id FROM home WHERE \(leafOfHome(&numbers)))"
      }
      let column = numbers.pick(["n", "m"])
      return "\(scope.number(&numbers))\(not) IN (SELECT \(column) FROM item WHERE \(inner))"
    }
    let id = scope.id
    switch numbers.below(4) {
    case 0: return "\(id)\(not) IN (SELECT home FROM item WHERE \(inner))"
    case 1:
      let more = numbers.flip() ? " AND \(leafOfItem(&numbers))" : ""
      return "\(not)  EXISTS (SELECT 1 FROM item WHERE item.home = \(id) AND \(inner)\(more))"
    case 2: return "\(not) EXISTS (SELECT * FROM item WHERE home = \(id))"
    default:
      let call = numbers.pick([
        "COUNT(*)", "COUNT(n)", "SUM(n)", "SUM(m)", "AVG(x)", "AVG(m)", "MIN(n)", "MAX(m)",
        "MAX(x)",
      ])
      let more = numbers.flip() ? " AND \(inner)" : ""
      return "(SELECT \(call) FROM item WHERE item.home = \(id)\(more)) "
        + "\(numbers.pick(orders)) \(numbers.below(4))"
    }
  }

  private static func leafOfItem(_ numbers: inout SeededNumbers) -> String {
    let column = numbers.pick(TranslationWorld.items)
    if numbers.oneIn(4) { return "item.\(column.name) IS NOT NULL" }
    let order = numbers.pick(column.kind == .boolean ? ["=", "<>"] : orders)
    return "item.\(column.name) \(order) \(column.kind.value(&numbers).sql)"
  }

  private static func leafOfHome(_ numbers: inout SeededNumbers) -> String {
    let column = numbers.pick(TranslationWorld.homes)
    return "\(column.name) \(numbers.pick(orders)) \(column.kind.value(&numbers).sql)"
  }

  /// A computed value.
  static func value(_ numbers: inout SeededNumbers, _ scope: SQLScope) -> SQLScope.Typed {
    let (number, text) = (scope.number(&numbers), scope.text(&numbers))
    let other = scope.number(&numbers)
    let small = 1 + numbers.below(3)
    switch numbers.below(17) {
    case 0: return ("\(number) \(numbers.pick(["+", "-", "*"])) \(numbers.below(4))", .real)
    case 1: return ("\(number) / \(numbers.pick(["2", "2.0", "3"]))", .real)
    case 2: return ("\(number) / \(other)", .real)
    case 3:
      guard let whole = scope.column(&numbers, of: .integer) else { return (number, .real) }
      return ("\(whole) % \(small)", .integer)
    case 4: return ("LENGTH(\(text))", .integer)
    case 5: return ("SUBSTR(\(text), \(numbers.pick([1, 2, -1, -2, -3])))", .text)
    case 6: return ("SUBSTR(\(text), \(numbers.pick([1, 2, -1, -2, -3])), \(small))", .text)
    case 7: return ("\(text) || '\(numbers.pick(["!", "a"]))'", .text)
    case 8: return ("COALESCE(\(number), \(numbers.oneIn(3) ? other : "0"))", .real)
    case 9: return ("IFNULL(\(text), '?')", .text)
    case 10: return ("NULLIF(\(number), \(small))", .real)
    case 11:
      let rest = numbers.flip() ? " ELSE '\(numbers.pick(["b", "c"]))'" : ""
      return ("CASE WHEN \(comparison(&numbers, scope)) THEN 'a'\(rest) END", .text)
    case 12: return ("ABS(\(number))", .real)
    case 13: return ("ROUND(\(number), \(numbers.pick([0, 1, 2])))", .real)
    case 14:
      return (
        "REPLACE(\(text), '\(numbers.pick(["a", "b", "誕"]))', '\(numbers.pick(["", "x"]))')", .text
      )
    default: return ("-\(number)", .real)
    }
  }
}
