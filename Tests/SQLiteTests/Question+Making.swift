import TestSupport

extension Question {
  /// Returns a random condition on the objects of a table.
  static func some(
    of table: Table, _ schema: Schema, _ numbers: inout SeededNumbers, depth: Int = 3
  ) -> Question {
    if depth == 0 || numbers.oneIn(3) { return simple(of: table, schema, &numbers) }
    let first = some(of: table, schema, &numbers, depth: depth - 1)
    if numbers.oneIn(3) { return .not(first) }
    let second = some(of: table, schema, &numbers, depth: depth - 1)
    return numbers.oneIn(2) ? .and(first, second) : .or(first, second)
  }

  /// Returns a condition on the object itself or, across the relationship, on another.
  private static func simple(
    of table: Table, _ schema: Schema, _ numbers: inout SeededNumbers
  ) -> Question {
    switch (table, numbers.below(5)) {
    case (.item, 0), (.item, 1): leaf(numbers.pick(schema.fields(of: .home)), &numbers)
    case (.home, 0):
      .items(leaf(numbers.pick(schema.fields(of: .item)), &numbers), isNone: numbers.oneIn(2))
    case (.home, 1): .count(numbers.pick(Order.allCases), numbers.below(9))
    case (.home, 2):
      .subquery(element(schema, &numbers), numbers.pick(Order.allCases), numbers.below(5))
    case (.item, _), (.home, _): leaf(numbers.pick(schema.fields(of: table)), &numbers)
    }
  }

  /// Returns a condition on an item in a subquery, or on the enclosing home.
  private static func element(_ schema: Schema, _ numbers: inout SeededNumbers) -> Question {
    let first = leaf(numbers.pick(schema.fields(of: .item)), &numbers)
    let second = leaf(numbers.pick(schema.fields(of: numbers.pick(Table.allCases))), &numbers)
    return numbers.pick([first, .and(first, second), .or(first, .not(second))])
  }

  private static func leaf(_ field: Field, _ numbers: inout SeededNumbers) -> Question {
    if field.kind == .flag {
      return .comparison(field, numbers.pick([.equal, .notEqual]), field.kind.value(&numbers))
    }
    switch numbers.below(6) {
    case 0: return .comparison(field, numbers.pick([.equal, .notEqual]), .null)
    case 1:
      return .between(field, field.kind.literal(&numbers), field.kind.literal(&numbers))
    case 2:
      let literals = (0...numbers.below(4)).map { _ in field.kind.literal(&numbers) }
      return .among(field, literals)
    default:
      return .comparison(field, numbers.pick(Order.allCases), field.kind.literal(&numbers))
    }
  }
}
