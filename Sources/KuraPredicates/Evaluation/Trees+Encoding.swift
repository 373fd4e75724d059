public import KuraValues

extension PredicateTree {
  /// Whether anything `Encodable` fulfils the predicate; it is encoded for this, but only the keys
  /// that are asked for.
  ///
  ///     struct Song: Codable { var title: String }
  ///     try PredicateTree(parsing: "title LIKE[c] '*moon*'").evaluate(encoding: Song(title: "Blue Moon"))
  ///
  /// A key that the type does not encode is an error. Linear in the keys that are asked for, and in the
  /// tree for most. Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    let root = try KeyPicker(keysOfSelf).value(of: object)
    return try evaluate(on: root, in: environment.context(variables))
  }
}

extension ExpressionTree {
  /// The value of the expression for anything `Encodable`; it is encoded for this.
  ///
  /// A key that the type does not encode is an error. Linear in the keys that are asked for, and in the
  /// tree for most. Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    let root = try KeyPicker(keysOfSelf).value(of: object)
    return try evaluate(on: root, in: environment.context(variables))
  }
}

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
