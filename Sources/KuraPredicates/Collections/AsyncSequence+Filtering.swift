public import KuraDiagnostics
public import KuraValues

extension AsyncSequence {
  /// The elements that fulfil a predicate, as they come.
  ///
  ///     for try await person in try arrivals.filter(by: "age >= 18") { … }
  ///
  /// Linear in the text; each element is tested once, in constant memory. Throws a diagnostic if
  /// the text is no predicate; the sequence throws that of the first element that cannot be
  /// evaluated, an `UnknownValueType` for one that a predicate cannot read, or what encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> AsyncThrowingFilterSequence<Self> {
    let prepared = try Question(predicate, variables, environment).prepared
    return filter { try prepared.holds($0) }
  }

  /// The first element that fulfils a predicate; nil if none comes.
  ///
  ///     try await arrivals.first(by: "age >= 18")
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be evaluated,
  /// an `UnknownValueType` for what a predicate cannot read, or what the sequence or encoding throws.
  public nonisolated(nonsending) func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) async throws -> Element? {
    try await first(that: true, Question(predicate, variables, environment).prepared)
  }

  /// Whether an element comes that fulfils a predicate; none is awaited behind it.
  ///
  ///     try await arrivals.contains(by: "age > 100")
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be evaluated,
  /// an `UnknownValueType` for what a predicate cannot read, or what the sequence or encoding throws.
  public nonisolated(nonsending) func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(that: true, Question(predicate, variables, environment).prepared) != nil
  }

  /// Whether all elements fulfil a predicate; none is awaited behind the first that does not.
  ///
  ///     try await arrivals.allSatisfy(by: "name != nil")
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be evaluated,
  /// an `UnknownValueType` for what a predicate cannot read, or what the sequence or encoding throws.
  public nonisolated(nonsending) func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(that: false, Question(predicate, variables, environment).prepared) == nil
  }
}

// Variables that the compiler knows less of.
extension AsyncSequence {
  /// The elements that fulfil a predicate, as they come; variables stand for anything.
  ///
  ///     for try await person in try arrivals.filter(by: "age >= $least", variables: ["least": least]) { … }
  ///
  /// Linear in the text; each element is tested once, in constant memory. Throws a diagnostic if
  /// the text is no predicate, and an `UnknownValueType` for a variable; the sequence throws that of the first element that cannot be
  /// evaluated, an `UnknownValueType` for one that a predicate cannot read, or what encoding throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> AsyncThrowingFilterSequence<Self> {
    let prepared = try Question(predicate, untyped: variables, environment).prepared
    return filter { try prepared.holds($0) }
  }

  /// The first element that fulfils a predicate; nil if none comes; variables stand for anything.
  ///
  ///     try await arrivals.first(by: "age >= $least", variables: ["least": least])
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be evaluated,
  /// an `UnknownValueType` for what a predicate cannot read, or what the sequence or encoding throws.
  @_disfavoredOverload
  public nonisolated(nonsending) func first(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) async throws -> Element? {
    try await first(that: true, Question(predicate, untyped: variables, environment).prepared)
  }

  /// Whether an element comes that fulfils a predicate; none is awaited behind it; variables stand for anything.
  ///
  ///     try await arrivals.contains(by: "age > $most", variables: ["most": most])
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be evaluated,
  /// an `UnknownValueType` for what a predicate cannot read, or what the sequence or encoding throws.
  @_disfavoredOverload
  public nonisolated(nonsending) func contains(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(that: true, Question(predicate, untyped: variables, environment).prepared)
      != nil
  }

  /// Whether all elements fulfil a predicate; none is awaited behind the first that does not; variables stand for anything.
  ///
  ///     try await arrivals.allSatisfy(by: "name != $name", variables: ["name": name])
  ///
  /// One pass, in constant memory. Throws the diagnostic of the first element that cannot be evaluated,
  /// an `UnknownValueType` for what a predicate cannot read, or what the sequence or encoding throws.
  @_disfavoredOverload
  public nonisolated(nonsending) func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) async throws -> Bool {
    try await first(that: false, Question(predicate, untyped: variables, environment).prepared)
      == nil
  }
}

extension AsyncSequence {
  /// The first element of which a predicate is true, or false.
  fileprivate nonisolated(nonsending) func first(
    that answer: Bool, _ prepared: PreparedPredicate
  ) async throws -> Element? {
    for try await element in self where try prepared.holds(element) == answer { return element }
    return nil
  }
}

extension PreparedPredicate {
  /// Asks an element of any type.
  fileprivate func holds<Element>(_ element: Element) throws -> Bool {
    try evaluate(value: ElementRoot.value(of: element, keys))
  }
}
