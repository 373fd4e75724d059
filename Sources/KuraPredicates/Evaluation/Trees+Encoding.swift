public import KuraValues

extension PredicateTree {
  /// Returns whether an `Encodable` value matches the predicate. Only the keys that the predicate
  /// reads are encoded.
  ///
  ///     struct Song: Codable { var title: String }
  ///     try PredicateTree(parsing: "title LIKE[c] '*moon*'").evaluate(encoding: Song(title: "Blue Moon"))
  ///
  /// A key that the type does not encode is an error. Linear in the keys that are read, and in the
  /// tree for most predicates. Throws a diagnostic at the node that cannot be evaluated, or what
  /// encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    let root = try KeyPicker(keysOfSelf).value(of: object)
    return try evaluate(on: root, in: environment.context(variables))
  }
}

extension ExpressionTree {
  /// Returns the value of the expression for an `Encodable` value. Only the keys that the
  /// expression reads are encoded.
  ///
  /// A key that the type does not encode is an error. Linear in the keys that are read, and in the
  /// tree for most expressions. Throws a diagnostic at the node that cannot be evaluated, or what
  /// encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    let root = try KeyPicker(keysOfSelf).value(of: object)
    return try evaluate(on: root, in: environment.context(variables))
  }
}

extension PredicateTree {
  /// Returns whether an object of any type matches the predicate, as `NSPredicate.evaluate(with:)`
  /// does.
  ///
  ///     try predicate.evaluate(with: ["age": 42] as [String: Any])
  ///     try predicate.evaluate(with: NSNumber(3), substitutionVariables: ["least": 2])
  ///
  /// The object can be a Swift value, a Foundation object, a dictionary of `Any`, `KeyReadable` or
  /// `Encodable`; nil is null. Linear in the object's keys, and in the tree for most predicates.
  /// Throws a diagnostic at the node that cannot be evaluated, or an `UnknownValueType`.
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
  /// Returns the value of the expression for an object of any type, as
  /// `NSExpression.expressionValue(with:context:)` does.
  ///
  ///     try ExpressionTree(parsing: "price * 2").value(with: ["price": 3] as [String: Any])   // integer(6)
  ///
  /// Linear in the object's keys, and in the tree for most expressions. Throws a diagnostic at the
  /// node that cannot be evaluated, or an `UnknownValueType`.
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
  /// Returns the values of variables of any type.
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

// Variables of any type, such as an `Int`, a `Date`, or an object of your own
extension PredicateTree {
  /// Returns whether a dictionary matches the predicate. The variables can have values of any type.
  ///
  ///     try predicate.evaluate(["age": 42], variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: [String: Value], variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// Returns whether an object with keys matches the predicate. The variables can have values of
  /// any type.
  ///
  ///     try predicate.evaluate(person, variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: any KeyReadable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// Returns whether a value matches the predicate. The variables can have values of any type.
  ///
  ///     try predicate.evaluate(value: 3, variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    value: Value, variables: [String: Any?], in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(value: value, variables: variables.predicateValues(), in: environment)
  }

  /// Returns whether an `Encodable` value matches the predicate. The variables can have values of
  /// any type.
  ///
  ///     try predicate.evaluate(encoding: song, variables: ["least": least])
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated, an `UnknownValueType` for a variable, or what encoding throws.
  @_disfavoredOverload
  public func evaluate(
    encoding object: some Encodable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try evaluate(encoding: object, variables: variables.predicateValues(), in: environment)
  }

  /// Returns the predicate prepared for many objects. The variables can have values of any type.
  ///
  ///     let wanted = try PredicateTree(parsing: "date < $today").prepared(variables: ["today": Date.now])
  ///
  /// Linear in the tree. Throws an `UnknownValueType` for a variable of a type that predicates do
  /// not support.
  @_disfavoredOverload
  public func prepared(
    variables: [String: Any?], in environment: PredicateEnvironment = .current
  ) throws(UnknownValueType) -> PreparedPredicate {
    prepared(variables: try variables.predicateValues(), in: environment)
  }
}

extension ExpressionTree {
  /// Returns the value of the expression for a dictionary. The variables can have values of any
  /// type.
  ///
  ///     try expression.evaluate(["age": 42], variables: ["least": least])
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that cannot be
  /// evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: [String: Value], variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// Returns the value of the expression for an object with keys. The variables can have values of
  /// any type.
  ///
  ///     try expression.evaluate(person, variables: ["least": least])
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that cannot be
  /// evaluated, or an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func evaluate(
    _ object: any KeyReadable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    try evaluate(object, variables: variables.predicateValues(), in: environment)
  }

  /// Returns the value of the expression for an `Encodable` value. The variables can have values of
  /// any type.
  ///
  ///     try expression.evaluate(encoding: song, variables: ["least": least])
  ///
  /// Linear in the tree for most expressions. Throws a diagnostic at the node that cannot be
  /// evaluated, an `UnknownValueType` for a variable, or what encoding throws.
  @_disfavoredOverload
  public func evaluate(
    encoding object: some Encodable, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    try evaluate(encoding: object, variables: variables.predicateValues(), in: environment)
  }
}
