import KuraValues

extension FunctionMeaning {
  /// `a & b`, `a << n`, `~a`
  static let bits: [FunctionMeaning] = [
    integers("bitwiseAnd:with:") { $0 & $1 },
    integers("bitwiseOr:with:") { $0 | $1 },
    integers("bitwiseXor:with:") { $0 ^ $1 },
    // Beyond 64 places nothing is left; a negative count goes the other way.
    integers("leftshift:by:") { $0 << $1 },
    integers("rightshift:by:") { $0 >> $1 },
    number("onesComplement:") { value throws(ValueError) in .integer(~(try value.wholeNumber())) },
  ]

  private static func integers(
    _ selector: String, _ body: @escaping @Sendable (Int64, Int64) -> Int64
  ) -> FunctionMeaning {
    of(selector, taking: 2) { (arguments, context) throws(EvaluationFacts) in
      if context.nilArithmeticIsNil, arguments.contains(where: \.isNull) { return .null }
      return try evaluating { () throws(ValueError) in
        .integer(body(try arguments[0].wholeNumber(), try arguments[1].wholeNumber()))
      }
    }
  }
}
