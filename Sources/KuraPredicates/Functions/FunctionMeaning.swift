import KuraValues

/// What a function of the catalogue computes.
package struct FunctionMeaning: Sendable {
  /// What it does, with its arguments in their order.
  typealias Body = @Sendable ([Value], EvaluationContext) throws(EvaluationFacts) -> Value

  /// As the catalogue has it: `add:to:`
  package let selector: String
  let body: Body

  init(_ selector: String, _ body: @escaping Body) {
    self.selector = selector
    self.body = body
  }
}

extension FunctionMeaning {
  /// All functions, in the order of the help.
  package static let all: [FunctionMeaning] =
    statistics + arithmetic + numbers + bits + texts + others + ownDates + ownTexts + ownValues

  private static let bySelector: [String: FunctionMeaning] = Dictionary(
    all.map { ($0.selector, $0) }, uniquingKeysWith: { first, _ in first })

  /// The function that a selector names.
  package static func of(_ selector: String) -> FunctionMeaning? { bySelector[selector] }
}

extension FunctionMeaning {
  /// A function of one argument that is nil for nil.
  static func ofOne(
    _ selector: String,
    _ body: @escaping @Sendable (Value, EvaluationContext) throws(EvaluationFacts) -> Value
  ) -> FunctionMeaning {
    FunctionMeaning(selector) { (arguments, context) throws(EvaluationFacts) in
      guard arguments.count == 1 else { throw .argumentCount(selector, arguments.count) }
      return arguments[0].isNull ? .null : try body(arguments[0], context)
    }
  }

  /// A function of so many arguments.
  static func of(
    _ selector: String, taking count: Int, _ body: @escaping Body
  ) -> FunctionMeaning {
    FunctionMeaning(selector) { (arguments, context) throws(EvaluationFacts) in
      guard arguments.count == count else { throw .argumentCount(selector, arguments.count) }
      return try body(arguments, context)
    }
  }

  /// A function over one list, or over the arguments themselves.
  static func ofList(
    _ selector: String, _ body: @escaping @Sendable ([Value]) throws(EvaluationFacts) -> Value
  ) -> FunctionMeaning {
    FunctionMeaning(selector) { (arguments, _) throws(EvaluationFacts) in
      guard arguments.count == 1, let only = arguments.first else { return try body(arguments) }
      if only.isNull { return try body([]) }
      return try body(only.elements ?? [only])
    }
  }
}
