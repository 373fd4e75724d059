public import KuraValues

// Variables that the compiler knows less of: an `Int`, a `Date`, an object of yours.
extension PredicateTree {
  /// Whether a dictionary fulfils the predicate; variables stand for anything.
  ///
  ///     try predicate.evaluate(["age": 42], variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that
  /// cannot be evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: [String: Value], variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// Whether something with keys fulfils the predicate; variables stand for anything.
  ///
  ///     try predicate.evaluate(person, variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that
  /// cannot be evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: any KeyReadable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// Whether a value of any kind fulfils the predicate; variables stand for anything.
  ///
  ///     try predicate.evaluate(value: 3, variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that
  /// cannot be evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    value: Value, variables: [String: Any?], in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(value: value, variables: variables.predicateValues(), in: environment)
  }

  /// Whether anything `Encodable` fulfils the predicate; variables stand for anything.
  ///
  ///     try predicate.evaluate(encoding: song, variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that
  /// cannot be evaluated, an `UnknownValueType` for a variable, or what encoding throws.
  @_disfavoredOverload
  public func evaluate(
    encoding object: some Encodable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(encoding: object, variables: variables.predicateValues(), in: environment)
  }

  /// The predicate made ready for many objects; variables stand for anything.
  ///
  ///     let wanted = try PredicateTree(parsing: "date < $today").prepared(variables: ["today": Date.now])
  ///
  /// Linear in the tree. Throws an `UnknownValueType` for a variable that predicates do not know.
  @_disfavoredOverload
  public func prepared(
    variables: [String: Any?], in environment: PredicateEnvironment = .current
  ) throws(UnknownValueType) -> PreparedPredicate {
    prepared(variables: try variables.predicateValues(), in: environment)
  }
}

extension ExpressionTree {
  /// The value of the expression for a dictionary; variables stand for anything.
  ///
  ///     try expression.evaluate(["age": 42], variables: ["least": least])
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that
  /// cannot be evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: [String: Value], variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// The value of the expression for something with keys; variables stand for anything.
  ///
  ///     try expression.evaluate(person, variables: ["least": least])
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that
  /// cannot be evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: any KeyReadable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// The value of the expression for anything `Encodable`; variables stand for anything.
  ///
  ///     try expression.evaluate(encoding: song, variables: ["least": least])
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that
  /// cannot be evaluated, an `UnknownValueType` for a variable, or what encoding throws.
  @_disfavoredOverload
  public func evaluate(
    encoding object: some Encodable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    try evaluate(encoding: object, variables: variables.predicateValues(), in: environment)
  }
}
