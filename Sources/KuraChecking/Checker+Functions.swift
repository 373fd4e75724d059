import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension Checker {
  /// A call with its arguments checked, and read as what the function takes.
  func checked(
    _ call: FunctionCall, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    let function = call.function
    var arguments = call.arguments.map { checked($0) }
    for i in arguments.indices {
      // Each operand of arithmetic is one value.
      if function?.isArithmetic == true { arguments[i] = try one(arguments[i]) }
      arguments[i].tree = try operand(arguments[i], function?.operands.kind(at: i))
    }
    let types = arguments.map(\.type)
    if let function { try checkFormat(arguments, function) }
    var call = call
    call.arguments = arguments.map(\.tree)
    try checkAggregate(call, types, expression)
    if call.resultType == .firstTyped { call.arguments = try choices(arguments) }
    let failsWithDates = warnOfDates(in: call, arguments, expression)
    return CheckedExpression(
      tree: expression.with(.function(call)),
      type: failsWithDates ? .any : Checker.result(call, types))
  }

  /// A text where a function wants a date, `year("1935-06-11")`; one in a variable where it wants
  /// a number.
  private func operand(
    _ argument: CheckedExpression, _ kind: PredicateFunction.OperandKind?
  ) throws(Diagnostic) -> ExpressionTree {
    guard case .constant(let constant) = argument.tree.kind,
      case .string(let text) = constant.value
    else { return argument.tree }
    switch kind {
    case .date:
      let (zone, now) = (context.evaluation.zone, context.evaluation.now)
      guard let date = try? Timestamp(written: text, in: zone, now: now) else { break }
      return argument.tree.with(.constant(Constant(.date(date))))
    case .number, .integer:
      guard case .variable(let name) = argument.written.kind else { break }
      let read = try self.constant(constant, of: name, as: .double, argument.tree.span)
      return argument.tree.with(.constant(read))
    case .any, .text, .collection, .word, .pattern, .locale, nil: break
    }
    return argument.tree
  }

  /// A pattern and a locale that stand in the text are read before any value is.
  private func checkFormat(
    _ arguments: [CheckedExpression], _ function: PredicateFunction
  ) throws(Diagnostic) {
    for (place, argument) in arguments.enumerated() {
      guard case .constant(let constant) = argument.tree.kind,
        case .string(let text) = constant.value
      else { continue }
      do throws(FormatProblem) {
        switch function.operands.kind(at: place) {
        case .locale: _ = try LocaleName.locale(text)
        case .pattern: try Self.check(pattern: text, for: arguments[0])
        case .any, .number, .integer, .text, .date, .collection, .word, nil: break
        }
      } catch { throw Diagnostic(EvaluationFacts.badFormat(error), at: argument.tree.span) }
    }
  }

  private static func check(
    pattern: String, for argument: CheckedExpression
  ) throws(FormatProblem) {
    switch argument.type {
    case .date, .attribute(.date):
      if DateStyle(pattern) == nil { try DatePattern.check(pattern) }
    case let type where type.isNumeric || argument.tree.isNumberLiteral:
      _ = try Value.integer(0).numberText(format: pattern, nil)
    default: break
    }
  }

  /// `coalesce(date, "2000-01-01")`: literals are read as what the others are.
  private func choices(
    _ arguments: [CheckedExpression]
  ) throws(Diagnostic) -> [ExpressionTree] {
    guard let known = arguments.first(where: { $0.type.literalType != nil }),
      let type = known.type.literalType
    else { return arguments.map(\.tree) }
    return try arguments.map { argument throws(Diagnostic) in
      guard case .literal = argument.type else { return argument.tree }
      return try read(argument, as: type, known.tree)
    }
  }

  /// What a call gives, as far as it can be known.
  private static func result(_ call: FunctionCall, _ types: [CheckedType]) -> CheckedType {
    switch call.resultType {
    case .number, .numberLikeElements: .number
    case .string: .string
    case .date: .date
    case .boolean: .boolean
    case .uuid: .attribute(.uuid)
    case .argument: types.first ?? .any
    case .firstTyped: types.first { $0.literalType != nil } ?? types.first ?? .any
    case .element: types.first?.element ?? .any
    case .member: if case .collection(let element)? = types.first { element } else { .any }
    case .collection: .collection(.any)
    case .numberOrList, .other, .castTarget, .unknown: .any
    }
  }

  /// `MAX(rating)` of one object is its rating: what was meant is of all objects.
  private func checkAggregate(
    _ call: FunctionCall, _ types: [CheckedType], _ expression: ExpressionTree
  ) throws(Diagnostic) {
    guard let entity, let function = call.function, function.isAggregate, types.count == 1,
      let type = types.first, type.isOneValue, type != .entity, !call.arguments[0].isConstant
    else { return }
    let (name, argument) = (function.names[0], call.arguments[0].expressionFormat)
    throw Diagnostic(
      CheckFacts.aggregateOfOne(name: name, argument: argument, entity: entity),
      at: expression.span,
      fixIt: FixIt(
        expression.span, "(fetch \(entity.writtenName) select \(name)(\(argument)))"))
  }
}

extension ExpressionTree {
  fileprivate var isConstant: Bool { if case .constant = kind { true } else { false } }
}
