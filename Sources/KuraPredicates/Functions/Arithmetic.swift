import KuraValues

/// Arithmetic with the rule for nil, which depends on where it is done.
enum Arithmetic {
  static func compute(
    _ operation: ArithmeticOperation, _ a: Value, _ b: Value, _ context: EvaluationContext
  ) throws(EvaluationFacts) -> Value {
    if context.nilArithmeticIsNil, a.isNull || b.isNull { return .null }
    return try evaluating { () throws(ValueError) in try Value.compute(operation, a, b) }
  }
}

extension FunctionMeaning {
  /// `a + b`, `modulus:by:(a, b)`, `-x`
  static let arithmetic: [FunctionMeaning] = [
    binary("add:to:", .add),
    binary("from:subtract:", .subtract),
    binary("multiply:by:", .multiply),
    binary("divide:by:", .divide),
    binary("modulus:by:", .remainder),
    binary("raise:toPower:", .power),
    of("negate:", taking: 1) { (arguments, context) throws(EvaluationFacts) in
      try Arithmetic.compute(.subtract, 0, arguments[0], context)
    },
  ]

  private static func binary(
    _ selector: String, _ operation: ArithmeticOperation
  ) -> FunctionMeaning {
    of(selector, taking: 2) { (arguments, context) throws(EvaluationFacts) in
      try Arithmetic.compute(operation, arguments[0], arguments[1], context)
    }
  }
}
