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
    let test = try AsyncTest(Question(predicate, variables, environment))
    return filter { try test($0) }
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
    let test = try AsyncTest(Question(predicate, variables, environment))
    for try await element in self where try test(element) { return element }
    return nil
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
    let test = try AsyncTest(Question(predicate, variables, environment))
    for try await element in self where try test(element) { return true }
    return false
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
    let test = try AsyncTest(Question(predicate, variables, environment))
    for try await element in self where try !test(element) { return false }
    return true
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
    let test = try AsyncTest(Question(predicate, untyped: variables, environment))
    return filter { try test($0) }
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
    let test = try AsyncTest(Question(predicate, untyped: variables, environment))
    for try await element in self where try test(element) { return element }
    return nil
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
    let test = try AsyncTest(Question(predicate, untyped: variables, environment))
    for try await element in self where try test(element) { return true }
    return false
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
    let test = try AsyncTest(Question(predicate, untyped: variables, environment))
    for try await element in self where try !test(element) { return false }
    return true
  }
}

/// Asks one predicate of elements that come from anywhere.
private struct AsyncTest: Sendable {
  private let prepared: PreparedPredicate

  init(_ question: Question) { prepared = question.prepared }

  func callAsFunction<Element>(_ element: Element) throws -> Bool {
    try prepared.evaluate(value: ElementRoot.value(of: element, prepared.keys))
  }
}
