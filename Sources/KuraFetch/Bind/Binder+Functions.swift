import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension Binder {
  /// A call with its arguments checked; a literal beside a decimal is read by its digits.
  func bound(
    _ call: FunctionCall, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    var call = call
    var types: [BoundType] = []
    for i in call.arguments.indices {
      var argument = try bound(call.arguments[i])
      // Each operand of arithmetic is one value.
      if call.function?.isArithmetic == true {
        argument = try one(argument, call.arguments[i])
      }
      call.arguments[i] = argument.tree
      types.append(argument.type)
    }
    try checkAggregate(call, types, expression)
    readDates(&call, types)
    try readChoices(&call, types)
    return BoundExpression(
      tree: expression.with(.function(call)), type: Binder.result(call, types))
  }

  /// A string where a function wants a date: `year("1935-06-11")`.
  private func readDates(_ call: inout FunctionCall, _ types: [BoundType]) {
    let operands = call.function?.operands
    for i in call.arguments.indices {
      guard operands?.kind(at: i) == .date,
        case .constant(let constant) = call.arguments[i].kind,
        case .string(let text) = constant.value,
        let date = try? Timestamp(text, in: environment.rules)
      else { continue }
      call.arguments[i].kind = .constant(Constant(.date(date)))
    }
  }

  /// `coalesce(date, "2000-01-01")`: literals are read as what the others are.
  private func readChoices(
    _ call: inout FunctionCall, _ types: [BoundType]
  ) throws(Diagnostic) {
    guard call.resultType == .firstTyped,
      let known = types.firstIndex(where: { $0.literalType != nil }),
      let type = types[known].literalType
    else { return }
    for i in call.arguments.indices {
      guard case .literal = types[i] else { continue }
      call.arguments[i] = try read(call.arguments[i], as: type, call.arguments[known])
    }
  }

  /// What a call gives, as far as it can be known.
  private static func result(_ call: FunctionCall, _ types: [BoundType]) -> BoundType {
    switch call.resultType {
    case .number, .numberLikeElements: .number
    case .string: .string
    case .date: .date
    case .boolean: .boolean
    case .argument: types.first ?? .any
    case .firstTyped: types.first { $0.literalType != nil } ?? types.first ?? .any
    case .element: types.first.map(element) ?? .any
    case .member: if case .collection(let element)? = types.first { element } else { .any }
    case .collection: .collection(.any)
    case .castTarget, .unknown: .any
    }
  }

  private static func element(_ type: BoundType) -> BoundType {
    if case .collection(let element) = type { element } else { type }
  }
}
