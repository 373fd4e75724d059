public import KuraDiagnostics
public import KuraValues

extension PredicateTree {
  /// Returns whether a dictionary matches the predicate.
  ///
  ///     try predicate.evaluate(["age": 42])   // true for `age == 42.0`
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(
    _ object: [String: Value], variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try evaluate(on: .object(ObjectReference(object)), in: environment.context(variables))
  }

  /// Returns whether an object with keys matches the predicate.
  ///
  ///     try predicate.evaluate(person, variables: ["least": 18])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(
    _ object: any KeyReadable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try evaluate(on: .object(ObjectReference(object)), in: environment.context(variables))
  }

  /// Returns whether a value matches the predicate. The value is SELF.
  ///
  ///     try "SELF > 2".predicate().evaluate(value: 3)   // true
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(
    value: Value, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try evaluate(on: value, in: environment.context(variables))
  }

  /// Returns whether a value matches the predicate.
  package func evaluate(
    on root: Value, in context: EvaluationContext
  ) throws(Diagnostic) -> Bool {
    try Evaluator(root: root, context: context).holds(self)
  }
}

extension ExpressionTree {
  /// Returns the value of the expression for a dictionary.
  ///
  ///     try expression.evaluate(["price": 3])   // 6 for `price * 2`
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(
    _ object: [String: Value], variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Value {
    try evaluate(on: .object(ObjectReference(object)), in: environment.context(variables))
  }

  /// Returns the value of the expression for an object with keys.
  ///
  ///     try ExpressionTree(parsing: "name.length").evaluate(person).intValue
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(
    _ object: any KeyReadable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Value {
    try evaluate(on: .object(ObjectReference(object)), in: environment.context(variables))
  }

  /// Returns the value of the expression for a value.
  package func evaluate(
    on root: Value, in context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    try Evaluator(root: root, context: context).value(of: self)
  }
}
