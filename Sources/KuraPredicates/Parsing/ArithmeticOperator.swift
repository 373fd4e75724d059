/// An infix operator that is another way to write a function.
enum ArithmeticOperator: String, CaseIterable {
  case raise = "**"
  case multiply = "*"
  case divide = "/"
  case add = "+"
  case subtract = "-"
  case leftShift = "<<"
  case rightShift = ">>"
  case bitwiseAnd = "&"
  case bitwiseXor = "^"
  case bitwiseOr = "|"

  var selector: String {
    switch self {
    case .raise: "raise:toPower:"
    case .multiply: "multiply:by:"
    case .divide: "divide:by:"
    case .add: "add:to:"
    case .subtract: "from:subtract:"
    case .leftShift: "leftshift:by:"
    case .rightShift: "rightshift:by:"
    case .bitwiseAnd: "bitwiseAnd:with:"
    case .bitwiseXor: "bitwiseXor:with:"
    case .bitwiseOr: "bitwiseOr:with:"
    }
  }

  var precedence: Precedence {
    switch self {
    case .raise: .power
    case .multiply, .divide: .product
    case .add, .subtract: .sum
    case .leftShift, .rightShift: .shift
    case .bitwiseAnd: .bitwiseAnd
    case .bitwiseXor: .bitwiseXor
    case .bitwiseOr: .bitwiseOr
    }
  }

  /// The operator that writes a function, or nil.
  init?(selector: String) {
    guard let found = Self.allCases.first(where: { $0.selector == selector }) else { return nil }
    self = found
  }
}

/// How tightly an operator binds; a later one binds tighter.
enum Precedence: Int, Comparable {
  case or, and, not, comparison, assignment, set
  case bitwiseOr, bitwiseXor, bitwiseAnd, shift, sum, product, power
  case unary

  static func < (a: Precedence, b: Precedence) -> Bool { a.rawValue < b.rawValue }

  /// The next tighter one.
  var tighter: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }
}
