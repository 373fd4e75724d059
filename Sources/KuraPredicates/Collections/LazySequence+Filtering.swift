public import KuraDiagnostics
public import KuraValues

extension LazySequenceProtocol where Element: ValueConvertible {
  /// The elements that fulfil a predicate, each asked when it is wanted.
  ///
  ///     try people.lazy.filter(by: "age >= 18") { _ in false }.prefix(3)
  ///
  /// A lazy sequence cannot throw: for an element that cannot be evaluated, `failing` is told why
  /// and says whether it stays. Linear in the text; each element is tested when it is wanted, in
  /// constant memory. Throws a diagnostic if the text is no predicate.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current,
    failing: @escaping (Diagnostic) -> Bool
  ) throws(Diagnostic) -> LazyFilterSequence<Elements> {
    var test = ElementTest<Element>(reading: try Question(predicate, variables, environment))
    return filter { element in
      do throws(Diagnostic) { return try ElementRoot.diagnosing { try test(element) } } catch {
        return failing(error)
      }
    }
  }
}
