public import KuraDiagnostics
public import KuraValues

extension LazySequenceProtocol {
  /// Returns the elements that match a predicate, each tested on demand.
  ///
  ///     try people.lazy.filter(by: "age >= 18") { _ in false }.prefix(3)
  ///
  /// A lazy sequence cannot throw. For an element that cannot be evaluated, `failing` receives the
  /// diagnostic and returns whether to include the element. Without `failing`, the call is the
  /// eager `filter`, which tests all elements at once and throws. Linear in the text; each element
  /// is tested on demand, in constant memory. Throws a diagnostic if the text is not a predicate.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current,
    failing: @escaping (Diagnostic) -> Bool
  ) throws(Diagnostic) -> LazyFilterSequence<Elements> {
    filter(
      try ElementTest(BoundPredicate(predicate, variables, environment)).resolvingFailures(failing))
  }

  /// Returns the elements that match a predicate, each tested on demand. The variables can have
  /// values of any type.
  ///
  ///     try people.lazy.filter(by: "age >= $least", variables: ["least": least]) { _ in false }
  ///
  /// Linear in the text; each element is tested on demand, in constant memory. Throws a diagnostic
  /// if the text is not a predicate, and an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current,
    failing: @escaping (Diagnostic) -> Bool
  ) throws -> LazyFilterSequence<Elements> {
    filter(
      try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).resolvingFailures(
        failing))
  }
}

extension ElementTest {
  /// Returns a test that does not throw: `failing` decides about elements that cannot be evaluated.
  func resolvingFailures(_ failing: @escaping (Diagnostic) -> Bool) -> (Element) -> Bool {
    var test = self
    return { element in
      do throws(Diagnostic) { return try ElementRoot.diagnosing { try test(element) } } catch {
        return failing(error)
      }
    }
  }
}
