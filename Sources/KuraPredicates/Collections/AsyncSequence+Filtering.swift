public import KuraDiagnostics
public import KuraValues

extension AsyncSequence {
  /// Returns the elements that match a predicate, as they arrive.
  ///
  ///     for try await person in try arrivals.filter(by: "age >= 18") { … }
  ///
  /// Linear in the text; each element is tested once, in constant memory. Throws a diagnostic if
  /// the text is not a predicate; the sequence throws the diagnostic of the first element that
  /// cannot be evaluated, an `UnknownValueType` for an element that predicates cannot read, or what
  /// encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> AsyncThrowingFilterSequence<Self> {
    let prepared = try BoundPredicate(predicate, variables, environment).prepared
    return filter { try prepared.holds($0) }
  }

  /// Returns the first element that matches a predicate; nil if none does.
  ///
  ///     try await arrivals.first(by: "age >= 18")
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be
  /// evaluated, an `UnknownValueType` for an element that predicates cannot read, or what the
  /// sequence or encoding throws.
  public nonisolated(nonsending) func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) async throws -> Element? {
    try await first(that: true, BoundPredicate(predicate, variables, environment).prepared)
  }

  /// Returns whether an element matches a predicate. It stops at the first one.
  ///
  ///     try await arrivals.contains(by: "age > 100")
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be
  /// evaluated, an `UnknownValueType` for an element that predicates cannot read, or what the
  /// sequence or encoding throws.
  public nonisolated(nonsending) func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(that: true, BoundPredicate(predicate, variables, environment).prepared) != nil
  }

  /// Returns whether all elements match a predicate. It stops at the first that does not.
  ///
  ///     try await arrivals.allSatisfy(by: "name != nil")
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be
  /// evaluated, an `UnknownValueType` for an element that predicates cannot read, or what the
  /// sequence or encoding throws.
  public nonisolated(nonsending) func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(that: false, BoundPredicate(predicate, variables, environment).prepared) == nil
  }
}

// Variables of any type
extension AsyncSequence {
  /// Returns the elements that match a predicate, as they arrive. The variables can have values of
  /// any type.
  ///
  ///     for try await person in try arrivals.filter(by: "age >= $least", variables: ["least": least]) { … }
  ///
  /// Linear in the text; each element is tested once, in constant memory. Throws a diagnostic if
  /// the text is not a predicate, and an `UnknownValueType` for a variable; the sequence throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for an element
  /// that predicates cannot read, or what encoding throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> AsyncThrowingFilterSequence<Self> {
    let prepared = try BoundPredicate(predicate, untyped: variables, environment).prepared
    return filter { try prepared.holds($0) }
  }

  /// Returns the first element that matches a predicate; nil if none does. The variables can have
  /// values of any type.
  ///
  ///     try await arrivals.first(by: "age >= $least", variables: ["least": least])
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be
  /// evaluated, an `UnknownValueType` for an element that predicates cannot read, or what the
  /// sequence or encoding throws.
  @_disfavoredOverload
  public nonisolated(nonsending) func first(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) async throws -> Element? {
    try await first(that: true, BoundPredicate(predicate, untyped: variables, environment).prepared)
  }

  /// Returns whether an element matches a predicate. It stops at the first one. The variables can
  /// have values of any type.
  ///
  ///     try await arrivals.contains(by: "age > $most", variables: ["most": most])
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be
  /// evaluated, an `UnknownValueType` for an element that predicates cannot read, or what the
  /// sequence or encoding throws.
  @_disfavoredOverload
  public nonisolated(nonsending) func contains(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(that: true, BoundPredicate(predicate, untyped: variables, environment).prepared)
      != nil
  }

  /// Returns whether all elements match a predicate. It stops at the first that does not. The
  /// variables can have values of any type.
  ///
  ///     try await arrivals.allSatisfy(by: "name != $name", variables: ["name": name])
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be
  /// evaluated, an `UnknownValueType` for an element that predicates cannot read, or what the
  /// sequence or encoding throws.
  @_disfavoredOverload
  public nonisolated(nonsending) func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(
      that: false, BoundPredicate(predicate, untyped: variables, environment).prepared)
      == nil
  }
}

extension AsyncSequence {
  /// Returns the first element for which the predicate has this result.
  fileprivate nonisolated(nonsending) func first(
    that answer: Bool, _ prepared: PreparedPredicate
  ) async throws -> Element? {
    for try await element in self where try prepared.holds(element) == answer { return element }
    return nil
  }
}

extension PreparedPredicate {
  /// Evaluates the predicate for an element of any type.
  fileprivate func holds<Element>(_ element: Element) throws -> Bool {
    try evaluate(value: ElementRoot.value(of: element, keys))
  }
}
