public import KuraValues

extension PredicateTree {
  /// Whether anything `Encodable` fulfils the predicate; it is encoded for this.
  ///
  ///     struct Song: Codable { var title: String }
  ///     try PredicateTree(parsing: "title LIKE[c] '*moon*'").evaluate(encoding: Song(title: "Blue Moon"))
  ///
  /// Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:]
  ) throws -> Bool {
    try evaluate(value: ValueEncoder().encode(object), variables: variables)
  }
}

extension ExpressionTree {
  /// The value of the expression for anything `Encodable`; it is encoded for this.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:]
  ) throws -> Value {
    let root = try ValueEncoder().encode(object)
    return try evaluate(on: root, in: EvaluationContext(variables: variables))
  }
}
