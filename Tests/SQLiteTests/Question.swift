/// A predicate that SQL can express, too.
indirect enum Question {
  /// `text0 == "x"`, `home.price1 < 2.5`
  case comparison(Field, Order, Literal)
  /// `number0 BETWEEN {1, 5}`
  case between(Field, Literal, Literal)
  /// `number0 IN {1, 2, nil}`
  case among(Field, [Literal])
  case not(Question)
  case and(Question, Question)
  case or(Question, Question)
  /// `ANY items.number0 > 3`, `NONE items.number0 > 3`; the inner condition is a leaf
  case items(Question, isNone: Bool)
  /// `items.@count > 3`
  case count(Order, Int)
  /// `SUBQUERY(items, $i, $i.number0 > 3).@count < 2`
  case subquery(Question, Order, Int)

  enum Order: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }
}

// As a predicate
extension Question {
  /// The prefixes for the fields of both tables at a place in a predicate.
  struct Scope {
    let item: String
    let home: String

    static let item = Scope(item: "", home: "home.")
    static let home = Scope(item: "items.", home: "")
    /// A bare key in a subquery belongs to the outer object.
    static let element = Scope(item: "$i.", home: "")

    func path(_ field: Field) -> String {
      switch field.table {
      case .item: item + field.name
      case .home: home + field.name
      }
    }
  }

  func predicate(_ scope: Scope) -> String {
    switch self {
    case .comparison(let field, let order, let literal):
      "\(scope.path(field)) \(order.rawValue) \(literal.predicate)"
    case .between(let field, let low, let high):
      "\(scope.path(field)) BETWEEN {\(low.predicate), \(high.predicate)}"
    case .among(let field, let literals):
      "\(scope.path(field)) IN {\(literals.map(\.predicate).joined(separator: ", "))}"
    case .not(let question): "NOT (\(question.predicate(scope)))"
    case .and(let a, let b): "(\(a.predicate(scope)) AND \(b.predicate(scope)))"
    case .or(let a, let b): "(\(a.predicate(scope)) OR \(b.predicate(scope)))"
    case .items(let question, let isNone): "\(isNone ? "NONE" : "ANY") \(question.predicate(scope))"
    case .count(let order, let count): "items.@count \(order.rawValue) \(count)"
    case .subquery(let question, let order, let count):
      "SUBQUERY(items, $i, \(question.predicate(.element))).@count \(order.rawValue) \(count)"
    }
  }
}

// As SQL, with Cocoa's two truth values: nil equals nil, and any other comparison with it is false.
extension Question {
  var sql: String {
    switch self {
    case .comparison(let field, .equal, let literal): "\(field.column) IS \(literal.sql)"
    case .comparison(let field, .notEqual, let literal): "\(field.column) IS NOT \(literal.sql)"
    case .comparison(let field, let order, let literal):
      "coalesce(\(field.column) \(order.rawValue) \(literal.sql), 0)"
    case .between(let field, let low, let high):
      "coalesce(\(field.column) BETWEEN \(low.sql) AND \(high.sql), 0)"
    case .among(let field, let literals):
      "coalesce(\(field.column) IN (\(literals.map(\.sql).joined(separator: ", "))), 0)"
    case .not(let question): "NOT (\(question.sql))"
    case .and(let a, let b): "(\(a.sql) AND \(b.sql))"
    case .or(let a, let b): "(\(a.sql) OR \(b.sql))"
    case .items(let question, let isNone):
      "\(isNone ? "NOT " : "")EXISTS (SELECT 1 FROM item WHERE item.home = home.id AND \(question.sql))"
    case .count(let order, let count):
      "(SELECT count(*) FROM item WHERE item.home = home.id) \(order.rawValue) \(count)"
    case .subquery(let question, let order, let count):
      "(SELECT count(*) FROM item WHERE item.home = home.id AND \(question.sql)) "
        + "\(order.rawValue) \(count)"
    }
  }
}
