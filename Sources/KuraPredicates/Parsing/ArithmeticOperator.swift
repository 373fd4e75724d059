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

  /// The function that it writes.
  var function: PredicateFunction {
    switch self {
    case .raise: .raise
    case .multiply: .multiply
    case .divide: .divide
    case .add: .add
    case .subtract: .subtract
    case .leftShift: .leftShift
    case .rightShift: .rightShift
    case .bitwiseAnd: .bitwiseAnd
    case .bitwiseXor: .bitwiseXor
    case .bitwiseOr: .bitwiseOr
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

  /// The operator that writes a call, or nil.
  init?(_ call: FunctionCall) {
    guard call.arguments.count == 2, let found = Self.bySelector[call.selector] else { return nil }
    self = found
  }

  private static let bySelector = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.function.selector, $0) })
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
