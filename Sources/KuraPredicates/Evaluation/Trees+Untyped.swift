public import KuraValues

extension PredicateTree {
  /// Whether anything at all fulfils the predicate, as `NSPredicate.evaluate(with:)` asks it.
  ///
  ///     try predicate.evaluate(with: ["age": 42] as [String: Any])
  ///     try predicate.evaluate(with: NSNumber(3), substitutionVariables: ["least": 2])
  ///
  /// Swift's values, Foundation's classes, dictionaries of `Any`, what is `KeyReadable` or `Encodable`;
  /// nil is null. Linear in the object's keys, and in the tree for most predicates. Throws a diagnostic at
  /// the node that cannot be evaluated, or an `UnknownValueType`.
  public func evaluate(
    with object: Any?, substitutionVariables: [String: Any] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    let variables = try (substitutionVariables as [String: Any?]).predicateValues()
    return try evaluate(
      on: try object.map(Value.init(untyped:)) ?? .null, in: environment.context(variables))
  }
}

extension ExpressionTree {
  /// The value of the expression for anything at all, as `NSExpression.expressionValue(with:context:)`.
  ///
  ///     try ExpressionTree(parsing: "price * 2").value(with: ["price": 3] as [String: Any])   // integer(6)
  ///
  /// Linear in the object's keys, and in the tree for most expressions. Throws a diagnostic at the node
  /// that cannot be evaluated, or an `UnknownValueType`.
  public func value(
    with object: Any?, substitutionVariables: [String: Any] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    let variables = try (substitutionVariables as [String: Any?]).predicateValues()
    return try evaluate(
      on: try object.map(Value.init(untyped:)) ?? .null, in: environment.context(variables))
  }
}

extension [String: Any?] {
  /// The values of variables, whatever they are.
  func predicateValues() throws(UnknownValueType) -> [String: KuraValues.Value] {
    var values: [String: KuraValues.Value] = [:]
    for (name, value) in self {
      if let value {
        values[name] = try KuraValues.Value(untyped: value)
      } else {
        values[name] = .null
      }
    }
    return values
  }
}
