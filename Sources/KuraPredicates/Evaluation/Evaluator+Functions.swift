import KuraDiagnostics
import KuraValues

extension Evaluator {
  /// `sum({1, 2})`, `a + b`
  func value(of call: FunctionCall, _ span: SourceSpan) throws(Diagnostic) -> Value {
    let here = call.nameSpan == .none ? span : call.nameSpan
    guard let function = call.function else {
      throw Diagnostic(EvaluationFacts.unknownFunction(call.selector), at: here)
    }
    let arguments = exactOperands(try values(of: call.arguments), call.arguments)
    return try at(span) { () throws(EvaluationFacts) in
      try function.value(of: arguments, in: context)
    }
  }

  /// A number literal beside a decimal is one, with all the digits it was typed with.
  func exactOperands(_ values: [Value], _ expressions: [ExpressionTree]) -> [Value] {
    guard values.count == 2 else { return values }
    return [
      exact(values[0], expressions[0], beside: values[1]),
      exact(values[1], expressions[1], beside: values[0]),
    ]
  }

  /// `FUNCTION(title, "uppercaseString")`
  func send(
    _ selector: String, to target: ExpressionTree, _ arguments: [ExpressionTree],
    _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let target = try value(of: target)
    let arguments = try values(of: arguments)
    if let message = Message.of(selector) {
      if target.isNull { return .null }
      return try at(span) { () throws(EvaluationFacts) in
        try message.send(target, arguments, context)
      }
    }
    guard let function = PredicateFunction.of(selector) else {
      throw Diagnostic(EvaluationFacts.unknownSelector(selector), at: span)
    }
    return try at(span) { () throws(EvaluationFacts) in
      try function.value(of: [target] + arguments, in: context)
    }
  }
}
