import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension Checker {
  /// A call with its arguments checked; a literal beside a decimal is read by its digits.
  func checked(
    _ call: FunctionCall, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    var call = call
    var arguments = call.arguments.map { checked($0) }
    if Checker.arithmetic.contains(call.selector) {
      for i in arguments.indices {
        arguments[i] = try one(arguments[i])
        arguments[i].tree = try number(arguments[i])
      }
    }
    let types = arguments.map(\.type)
    call.arguments = arguments.map(\.tree)
    try checkAggregate(call, types, expression)
    readDates(&call, types)
    try readChoices(&call, arguments)
    return CheckedExpression(
      tree: expression.with(.function(call)), type: Checker.result(call.selector, types))
  }

  /// A string where a function wants a date: `year("1935-06-11")`.
  private func readDates(_ call: inout FunctionCall, _ types: [CheckedType]) {
    guard Checker.dateFunctions.contains(call.selector) else { return }
    for i in call.arguments.indices {
      guard case .constant(let constant) = call.arguments[i].kind,
        case .string(let text) = constant.value,
        let date = try? Timestamp(text, in: context.evaluation.zone)
      else { continue }
      call.arguments[i].kind = .constant(Constant(.date(date)))
      // Only the first of `dateByAdding(d, n, unit)` is a date; the unit is none anyway.
    }
  }

  /// `coalesce(date, "2000-01-01")`: literals are read as what the others are.
  private func readChoices(
    _ call: inout FunctionCall, _ arguments: [CheckedExpression]
  ) throws(Diagnostic) {
    guard call.selector == "coalesce",
      let known = arguments.first(where: { $0.type.literalType != nil }),
      let type = known.type.literalType
    else { return }
    for (i, argument) in arguments.enumerated() {
      guard case .literal = argument.type else { continue }
      call.arguments[i] = try read(argument, as: type, known.tree)
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
  private static func result(_ selector: String, _ types: [CheckedType]) -> CheckedType {
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

  private static func element(_ type: CheckedType) -> CheckedType {
    if case .collection(let element) = type { element } else { type }
  }
}
