import Foundation
import KuraValues

extension FunctionMeaning {
  /// `sqrt(9)`, `ceiling(1.2)`, `random()`
  static let numbers: [FunctionMeaning] = [
    real("sqrt:") { $0.squareRoot() },
    real("log:") { log10($0) },
    real("ln:") { log($0) },
    real("exp:") { exp($0) },
    number("abs:") { value throws(ValueError) in
      (value.approximateNumber ?? 0) < 0 ? try Value.compute(.subtract, 0, value) : value
    },
    number("ceiling:") { $0.rounded(.up) },
    number("floor:") { $0.rounded(.down) },
    number("trunc:") { $0.rounded(.towardZero) },
    of("random", taking: 0) { _, context in
      // 53 bits are what a double holds.
      .double(Double(context.random() >> 11) / Double((UInt64(1) << 53) - 1))
    },
    ofOne("randomn:") { (value, context) throws(EvaluationFacts) in
      let limit = try evaluating { () throws(ValueError) in try value.wholeNumber() }
      guard limit > 0 else { throw .notPositive(limit) }
      return .integer(Int64(context.random() % UInt64(limit)))
    },
  ]

  /// A function that gives a double; a result that is not finite is an error.
  private static func real(
    _ selector: String, _ body: @escaping @Sendable (Double) -> Double
  ) -> FunctionMeaning {
    number(selector) { value throws(ValueError) in
      try Value.finite(body(value.approximateNumber ?? .nan))
    }
  }

  /// A function of a number; nil gives nil in a fetch, elsewhere it is an error.
  static func number(
    _ selector: String, _ body: @escaping @Sendable (Value) throws(ValueError) -> Value
  ) -> FunctionMeaning {
    of(selector, taking: 1) { (arguments, context) throws(EvaluationFacts) in
      if context.nilArithmeticIsNil, arguments[0].isNull { return .null }
      return try evaluating { () throws(ValueError) in try body(arguments[0].number()) }
    }
  }
}

extension Value {
  /// A number rounded to an integer; one beyond 64 bits stays a double.
  func rounded(_ rule: FloatingPointRoundingRule) -> Value {
    switch self {
    case .double(let x):
      let whole = x.rounded(rule)
      return Int64(exactly: whole).map(Value.integer) ?? .double(whole)
    case .decimal(let x): return x.rounded(to: rule).map(Value.decimal) ?? self
    default: return self
    }
  }
}
