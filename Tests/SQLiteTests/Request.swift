import TestSupport

/// The same request in both languages.
struct Request {
  let statement: String
  let sql: String
}

extension Request {
  /// Returns the objectIDs of the objects that pass a predicate.
  static func objects(
    of table: Table, _ schema: Schema, _ numbers: inout SeededNumbers
  ) -> Request {
    let question = Question.some(of: table, schema, &numbers)
    let scope: Question.Scope = table == .item ? .item : .home
    return Request(
      statement: "fetch \(table.entity) where \(question.predicate(scope))",
      sql: """
        SELECT \(table.rawValue).id FROM \(table.source) WHERE \(question.sql)
        ORDER BY \(table.rawValue).id
        """)
  }

  /// Returns the first items by one or two keys; null is the smallest, and ties are in objectID
  /// order.
  static func firstItems(_ schema: Schema, _ numbers: inout SeededNumbers) -> Request {
    let question = Question.some(of: .item, schema, &numbers)
    let keys = (0...numbers.below(2)).map { _ in
      SortKey(numbers.pick(schema.fields(of: numbers.pick(Table.allCases))), numbers.oneIn(2))
    }
    let (offset, limit) = (numbers.below(4), 1 + numbers.below(30))
    return Request(
      statement: """
        fetch Item where \(question.predicate(.item)) \
        sort \(keys.map(\.clause).joined(separator: ", ")) offset \(offset) limit \(limit)
        """,
      sql: """
        SELECT item.id FROM \(Table.item.source) WHERE \(question.sql)
        ORDER BY \((keys.map(\.sql) + ["item.id"]).joined(separator: ", "))
        LIMIT \(limit) OFFSET \(offset)
        """)
  }

  /// Returns the first items of each value of one or two keys.
  static func firstOfEach(_ schema: Schema, _ numbers: inout SeededNumbers) -> Request {
    let question = Question.some(of: .item, schema, &numbers, depth: 1)
    let order = SortKey(numbers.pick(schema.fields(of: .item)), numbers.oneIn(2))
    let keys = (0...numbers.below(2)).map { _ in
      numbers.pick(schema.fields(of: numbers.pick(Table.allCases)))
    }
    let (offset, limit) = (numbers.below(2), 1 + numbers.below(4))
    let (sort, paths) = ("\(order.sql), item.id", keys.map { Question.Scope.item.path($0) })
    return Request(
      statement: """
        fetch Item where \(question.predicate(.item)) sort \(order.clause) \
        offset \(offset) limit \(limit) per \(paths.joined(separator: ", "))
        """,
      sql: """
        SELECT id FROM (SELECT item.id AS id,
          row_number() OVER (ORDER BY \(sort)) AS place,
          row_number() OVER (PARTITION BY \(keys.map(\.column).joined(separator: ", "))
            ORDER BY \(sort)) AS number
          FROM \(Table.item.source) WHERE \(question.sql))
        WHERE number > \(offset) AND number <= \(offset + limit) ORDER BY place
        """)
  }

  /// Returns ranks, running sums and shares of the items, of all or of each value of a key.
  static func windows(_ schema: Schema, _ numbers: inout SeededNumbers) -> Request {
    let question = Question.some(of: .item, schema, &numbers, depth: 1)
    let order = SortKey(numbers.pick(schema.fields(of: .item)), numbers.oneIn(2))
    let key = numbers.pick(schema.fields(of: numbers.pick(Table.allCases)))
    let number = numbers.pick(schema.fields(of: .item).filter { $0.kind == .number })
    let isParted = numbers.oneIn(2)
    let per = isParted ? " per \(Question.Scope.item.path(key))" : ""
    let part = isParted ? "PARTITION BY \(key.column) " : ""
    let (offset, limit) = (numbers.below(3), 1 + numbers.below(50))
    return Request(
      statement: """
        fetch Item where \(question.predicate(.item)) sort \(order.clause) \
        select rank()\(per), runningSum(\(number.name))\(per), share(\(number.name))\(per) * 2 \
        offset \(offset) limit \(limit)
        """,
      sql: """
        SELECT rank() OVER (\(part)ORDER BY \(order.sql)),
          coalesce(sum(\(number.column)) OVER (\(part)ORDER BY \(order.sql), item.id
            ROWS UNBOUNDED PRECEDING), 0),
          \(number.column) * 1.0 / sum(\(number.column)) OVER (\(part)) * 2
        FROM \(Table.item.source) WHERE \(question.sql)
        ORDER BY \(order.sql), item.id LIMIT \(limit) OFFSET \(offset)
        """)
  }

  /// Returns the items for which so many other items have a value that is equal to one of theirs, and greater numbers.
  static func correlated(_ schema: Schema, _ numbers: inout SeededNumbers) -> Request {
    let field = numbers.pick(schema.fields(of: .item))
    let number = numbers.pick(schema.fields(of: .item).filter { $0.kind == .number })
    let isGreater = numbers.oneIn(2)
    let least = numbers.below(4)
    let count = numbers.oneIn(3) ? ("(fetch", " limit 1000).@count") : ("(count", ")")
    let more = isGreater ? " AND \(number.name) > $i.\(number.name)" : ""
    return Request(
      statement: """
        fetch Item as $i where \(count.0) Item where \(field.name) == $i.\(field.name)\(more) \
        AND home != nil\(count.1) > \(least)
        """,
      sql: """
        SELECT item.id FROM item WHERE (SELECT count(*) FROM item AS other
          WHERE other.\(field.name) IS item.\(field.name) AND other.home IS NOT NULL
          \(isGreater ? "AND other.\(number.name) > item.\(number.name)" : "")) > \(least)
        ORDER BY item.id
        """)
  }

  /// Returns aggregates of an expression over the items of each home.
  static func computedSummaries(_ schema: Schema, _ numbers: inout SeededNumbers) -> Request {
    let fields = schema.fields(of: .item).filter { $0.kind == .number }
    let (a, b) = (numbers.pick(fields), numbers.pick(fields))
    let name = numbers.pick(["sum", "min", "max"])
    let expression = "\(a.name) * \(2 + numbers.below(3)) - \(b.name)"
    let value = "(SELECT \(name)(\(expression)) FROM item WHERE item.home = home.id)"
    return Request(
      statement: "fetch Home select items.@\(name).(\(expression))",
      sql: "SELECT \(name == "sum" ? "coalesce(\(value), 0)" : value) FROM home ORDER BY home.id")
  }

  private struct SortKey {
    let clause: String
    let sql: String

    init(_ field: Field, _ isDescending: Bool) {
      let direction = isDescending ? "desc" : "asc"
      clause = "\(Question.Scope.item.path(field)) \(direction)"
      sql = "\(field.column) \(direction)"
    }
  }
}

extension Request {
  /// Returns aggregates of the items of each value of a key, ordered by the keys.
  static func groups(_ schema: Schema, _ numbers: inout SeededNumbers) -> Request {
    let question = Question.some(of: .item, schema, &numbers, depth: 1)
    let key = numbers.pick(schema.fields(of: numbers.pick(Table.allCases)))
    let path = Question.Scope.item.path(key)
    let parts = Aggregate.some(schema, &numbers)
    let least = numbers.below(4)
    return Request(
      statement: """
        fetch Item where \(question.predicate(.item)) \
        select \(path), \(parts.map(\.expression).joined(separator: ", ")) \
        group by \(path) having count(SELF) > \(least)
        """,
      sql: """
        SELECT \(key.column), \(parts.map(\.sql).joined(separator: ", "))
        FROM \(Table.item.source) WHERE \(question.sql)
        GROUP BY \(key.column) HAVING count(*) > \(least) ORDER BY \(key.column)
        """)
  }

  /// Returns aggregates of all items that pass a predicate.
  static func summary(_ schema: Schema, _ numbers: inout SeededNumbers) -> Request {
    let question = Question.some(of: .item, schema, &numbers, depth: 1)
    let parts = Aggregate.some(schema, &numbers)
    return Request(
      statement: """
        fetch Item where \(question.predicate(.item)) \
        select \(parts.map(\.expression).joined(separator: ", "))
        """,
      sql: """
        SELECT \(parts.map(\.sql).joined(separator: ", "))
        FROM \(Table.item.source) WHERE \(question.sql)
        """)
  }

  private struct Aggregate {
    let expression: String
    let sql: String

    /// Returns a count of items, a count of values, a sum (0 for none), a minimum and a maximum.
    static func some(_ schema: Schema, _ numbers: inout SeededNumbers) -> [Aggregate] {
      let fields = schema.fields(of: .item)
      let counted = numbers.pick(fields)
      let added = numbers.pick(fields.filter { $0.kind == .number || $0.kind == .price })
      let ordered = numbers.pick(fields.filter { $0.kind != .flag })
      return [
        Aggregate(expression: "count(SELF) as n", sql: "count(*)"),
        Aggregate(expression: "count(\(counted.name)) as c", sql: "count(\(counted.column))"),
        Aggregate(
          expression: "sum(\(added.name)) as s", sql: "coalesce(sum(\(added.column)), 0)"),
        Aggregate(expression: "min(\(ordered.name)) as least", sql: "min(\(ordered.column))"),
        Aggregate(expression: "max(\(ordered.name)) as most", sql: "max(\(ordered.column))"),
      ]
    }
  }
}

extension Table {
  /// The source of a SELECT: items with their homes, if they have one.
  fileprivate var source: String {
    switch self {
    case .item: "item LEFT JOIN home ON home.id = item.home"
    case .home: "home"
    }
  }
}
