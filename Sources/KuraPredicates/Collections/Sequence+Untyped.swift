public import KuraValues

extension Sequence where Element == [String: Any] {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> [Element] {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try Value(untyped: $0) }).elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Element? {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try Value(untyped: $0) }).first(in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Int {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try Value(untyped: $0) }).count(in: self)
  }

  /// Whether an element fulfils a predicate.
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Bool {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try Value(untyped: $0) }).first(in: self) != nil
  }
}
