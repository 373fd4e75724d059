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
