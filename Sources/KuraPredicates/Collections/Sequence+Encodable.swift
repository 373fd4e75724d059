public import KuraValues

extension Sequence where Element: Encodable {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> [Element] {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try ElementRoot.encoded($0) }).elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Element? {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try ElementRoot.encoded($0) }).first(in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Int {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try ElementRoot.encoded($0) }).count(in: self)
  }

  /// Whether an element fulfils a predicate.
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be evaluated, or what encoding throws.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Bool {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementTest(prepared, root: { try ElementRoot.encoded($0) }).first(in: self) != nil
  }
}
