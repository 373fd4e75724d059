import KuraValues

// `a + b`, `modulus:by:(a, b)`, `-x`
extension PredicateFunction {
  static let arithmetic = [
    computing(.add, .add, "add:to:", "a + b", ("add:to:(2, 3)", "5")),
    computing(.subtract, .subtract, "from:subtract:", "a - b", ("from:subtract:(3, 1)", "2")),
    computing(.multiply, .multiply, "multiply:by:", "a * b", ("multiply:by:(5, 3)", "15")),
    computing(
      .divide, .divide, "divide:by:", "a / b; two integers give an integer",
      ("divide:by:(7, 2)", "3")),
    computing(
      .remainder, .remainder, "modulus:by:", "the remainder of a division",
      ("modulus:by:(7, 2)", "1")
    ).knownElsewhere(as: "mod"),
    computing(.raise, .power, "raise:toPower:", "a ** b", ("raise:toPower:(2, 3)", "8.0"))
      .knownElsewhere(as: "pow", "power"),
    apple(.negate, "negate:", [.number], .number, "-a", ("FUNCTION(2, \"negate:\")", "-2")) {
      (arguments, context) throws(EvaluationError) in
      try computed(.subtract, 0, arguments[0], context)
    }.unnamed,
  ]

  /// Whether it is an arithmetic function, with or without an operator sign such as `+`.
  package var isArithmetic: Bool { Self.arithmetic.contains(self) }

  private static func computing(
    _ builtIn: BuiltInFunction, _ operation: ArithmeticOperation, _ selector: String,
    _ summary: String, _ example: Example
  ) -> PredicateFunction {
    apple(builtIn, selector, [.number, .number], .number, summary, example) {
      (arguments, context) throws(EvaluationError) in
      try computed(operation, arguments[0], arguments[1], context)
    }
  }

  /// Computes an operation; the result for nil depends on the context.
  private static func computed(
    _ operation: ArithmeticOperation, _ a: Value, _ b: Value, _ context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    if context.nilArithmeticIsNil, a.isNull || b.isNull { return .null }
    return try evaluating { () throws(ValueError) in try Value.compute(operation, a, b) }
  }
}

// `a & b`, `a << n`, `~a`: fractions are truncated, as NSNumber does when asked for an integer
extension PredicateFunction {
  static let bits = [
    integers(.bitwiseAnd, "bitwiseAnd:with:", "a & b", ("bitwiseAnd:with:(6, 3)", "2")) { $0 & $1 },
    integers(.bitwiseOr, "bitwiseOr:with:", "a | b", ("bitwiseOr:with:(6, 3)", "7")) { $0 | $1 },
    integers(.bitwiseXor, "bitwiseXor:with:", "a ^ b", ("bitwiseXor:with:(6, 3)", "5")) { $0 ^ $1 },
    // Shifting by 64 or more gives 0; a negative count shifts in the opposite direction.
    integers(.leftShift, "leftshift:by:", "a << b", ("leftshift:by:(1, 3)", "8")) { $0 << $1 },
    integers(.rightShift, "rightshift:by:", "a >> b", ("rightshift:by:(8, 2)", "2")) { $0 >> $1 },
    apple(
      .onesComplement, "onesComplement:", [.integer], .number, "~a", ("onesComplement(8)", "-9"),
      ofNumber { value throws(ValueError) in .integer(~(try value.wholePart())) }),
  ]

  private static func integers(
    _ builtIn: BuiltInFunction, _ selector: String, _ summary: String, _ example: Example,
    _ body: @escaping @Sendable (Int64, Int64) -> Int64
  ) -> PredicateFunction {
    apple(builtIn, selector, [.integer, .integer], .number, summary, example) {
      (arguments, context) throws(EvaluationError) in
      if context.nilArithmeticIsNil, arguments.contains(where: \.isNull) { return .null }
      return try evaluating { () throws(ValueError) in
        .integer(body(try arguments[0].wholePart(), try arguments[1].wholePart()))
      }
    }
  }
}
