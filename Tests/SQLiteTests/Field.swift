import KuraModel
import TestSupport

/// The two tables: items, each in one home or none, and homes.
enum Table: String, CaseIterable {
  case item, home

  var entity: String {
    switch self {
    case .item: "Item"
    case .home: "Home"
    }
  }
}

/// An attribute of a table.
struct Field: Hashable {
  let table: Table
  let name: String
  let kind: Kind
  let isOptional: Bool

  enum Kind: String, CaseIterable {
    case number, price, text, flag
  }

  /// The column's name in a statement about both tables.
  var column: String { "\(table.rawValue).\(name)" }

  var attribute: Attribute { Attribute(name: name, type: kind.type, isOptional: isOptional) }

  /// `text1 TEXT`
  var definition: String { "\(name) \(kind.sqlType)" }
}

extension Field.Kind {
  fileprivate var type: AttributeType {
    switch self {
    case .number: .integer
    case .price: .double
    case .text: .string
    case .flag: .boolean
    }
  }

  fileprivate var sqlType: String {
    switch self {
    case .number, .flag: "INTEGER"
    case .price: "REAL"
    case .text: "TEXT"
    }
  }

  /// Returns a value; sums of these doubles are exact in any order.
  func value(_ numbers: inout SeededNumbers) -> Literal {
    switch self {
    case .number:
      .integer(numbers.oneIn(40) ? 9_007_199_254_740_993 : Int64(numbers.below(13)) - 6)
    case .price: .double(Double(numbers.below(33)) / 4 - 4)
    case .text:
      .text(
        numbers.pick([
          "", "a", "B", "b", "Zebra", "zebra", "ä", "a\u{308}", "誕生", "誕生日", "𠮷野家", "ｶﾞ", "don't",
          "\"x\"", "back\\slash", "1", "10", "9",
        ]))
    case .flag: .boolean(numbers.oneIn(2))
    }
  }

  /// Returns a literal to compare with: of its kind, or a number of the other kind.
  func literal(_ numbers: inout SeededNumbers) -> Literal {
    switch self {
    case .number where numbers.oneIn(5): .double(numbers.pick([2.5, 0, -1, 9_007_199_254_740_992]))
    case .price where numbers.oneIn(5): .integer(Int64(numbers.below(9)) - 4)
    case .number, .price, .text, .flag: value(&numbers)
    }
  }
}
