public import KuraDiagnostics
public import KuraValues

extension LazySequenceProtocol {
  /// The elements that fulfil a predicate, each asked when it is wanted.
  ///
  ///     try people.lazy.filter(by: "age >= 18") { _ in false }.prefix(3)
  ///
  /// A lazy sequence cannot throw: for an element that cannot be evaluated, `failing` is told why
  /// and says whether it stays. Without it the call is that of any sequence, asks all elements at once and
  /// throws. Linear in the text; each element is tested when it is wanted, in constant memory. Throws a
  /// diagnostic if the text is no predicate.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current,
    failing: @escaping (Diagnostic) -> Bool
  ) throws(Diagnostic) -> LazyFilterSequence<Elements> {
    filter(try ElementTest(Question(predicate, variables, environment)).orAsking(failing))
  }

  /// The elements that fulfil a predicate, each asked when it is wanted; variables stand for anything.
  ///
  ///     try people.lazy.filter(by: "age >= $least", variables: ["least": least]) { _ in false }
  ///
  /// Linear in the text; each element is tested when it is wanted, in constant memory. Throws a
  /// diagnostic if the text is no predicate, and an `UnknownValueType` for a variable.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current,
    failing: @escaping (Diagnostic) -> Bool
  ) throws -> LazyFilterSequence<Elements> {
    filter(try ElementTest(Question(predicate, untyped: variables, environment)).orAsking(failing))
  }
}

extension ElementTest {
  /// A test that cannot throw: who is told why one cannot be evaluated says whether it stays.
  func orAsking(_ failing: @escaping (Diagnostic) -> Bool) -> (Element) -> Bool {
    var test = self
    return { element in
      do throws(Diagnostic) { return try ElementRoot.diagnosing { try test(element) } } catch {
        return failing(error)
      }
    }
  }
}
