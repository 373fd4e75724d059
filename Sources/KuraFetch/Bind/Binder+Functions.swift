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
      if Binder.arithmetic.contains(call.selector) {
        argument = try one(argument, call.arguments[i])
      }
      call.arguments[i] = argument.tree
      types.append(argument.type)
    }
    try checkAggregate(call, types, expression)
    readDates(&call, types)
    try readChoices(&call, types)
    return BoundExpression(
      tree: expression.with(.function(call)), type: Binder.result(call.selector, types))
  }

  /// A string where a function wants a date: `year("1935-06-11")`.
  private func readDates(_ call: inout FunctionCall, _ types: [BoundType]) {
    guard Binder.dateFunctions.contains(call.selector) else { return }
    for i in call.arguments.indices {
      guard case .constant(let constant) = call.arguments[i].kind,
        case .string(let text) = constant.value,
        let date = try? Timestamp(text, in: environment.rules)
      else { continue }
      call.arguments[i].kind = .constant(Constant(.date(date)))
      // Only the first of `dateByAdding(d, n, unit)` is a date; the unit is none anyway.
    }
  }

  /// `coalesce(date, "2000-01-01")`: literals are read as what the others are.
  private func readChoices(
    _ call: inout FunctionCall, _ types: [BoundType]
  ) throws(Diagnostic) {
    guard call.selector == "coalesce",
      let known = types.firstIndex(where: { $0.literalType != nil }),
      let type = types[known].literalType
    else { return }
    for i in call.arguments.indices {
      guard case .literal = types[i] else { continue }
      call.arguments[i] = try read(call.arguments[i], as: type, call.arguments[known])
    }
  }

  private static let dateFunctions: Set<String> = [
    "year", "month", "day", "hour", "minute", "second", "weekday", "startOfDay", "daysBetween",
    "dateByAdding",
  ]

  /// Each of their operands is one value.
  private static let arithmetic: Set<String> = [
    "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
  ]

  /// What a function gives, as far as it can be known.
  private static func result(_ selector: String, _ types: [BoundType]) -> BoundType {
    switch selector {
    case "now", "today", "date", "startOfDay", "dateByAdding": .date
    case "uppercase:", "lowercase:", "canonical:", "trim", "substring", "concat", "joined": .string
    case "noindex:": types.first ?? .any
    case "coalesce": types.first { $0.literalType != nil } ?? types.first ?? .any
    case "min:", "max:": types.first.map(element) ?? .any
    case "mode:": .collection(.any)
    case "castObject:toType:", "objectFrom:withIndex:", "random", "randomn:": .any
    default: .number
    }
  }

  private static func element(_ type: BoundType) -> BoundType {
    if case .collection(let element) = type { element } else { type }
  }
}
