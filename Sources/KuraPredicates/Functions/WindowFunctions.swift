import KuraValues

// Functions whose results depend on earlier rows or on all rows, like SQL's window functions. They
// are valid only in `select`.
extension PredicateFunction {
  static let windows = [
    window(
      .rank, "rank", [],
      "the place of a row in the order of sort; rows with equal sort keys share a place",
      ("rank()", "1")),
    window(
      .runningSum, "runningSum", [.number],
      "the sum of a number over all rows up to this one, in the order of sort",
      ("runningSum(amount)", "12")),
    window(
      .share, "share", [.number], "a number divided by its sum over all rows",
      ("share(amount)", "0.25")),
  ]

  /// Whether it needs other rows than its own.
  package var isWindow: Bool { circumstances.contains(.rows) }

  private static func window(
    _ builtIn: BuiltInFunction, _ name: String, _ operands: [OperandKind], _ summary: String,
    _ example: Example
  ) -> PredicateFunction {
    own(builtIn, name, .each(operands), .number, summary, example) {
      (_, _) throws(EvaluationError) in throw .outsideSelect(name)
    }.depending(on: .rows)
  }
}

extension FunctionCall {
  /// The key of `rank() per category`, which is one more argument of the call; nil without `per`, and for functions of
  /// other kinds.
  package var windowKey: ExpressionTree? {
    guard let function, function.isWindow, !function.operands.accept(arguments.count) else {
      return nil
    }
    return arguments.last
  }

  /// The arguments in parentheses.
  package var argumentsInParentheses: [ExpressionTree] {
    windowKey == nil ? arguments : arguments.dropLast()
  }
}
