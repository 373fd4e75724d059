public import KuraDiagnostics
public import KuraValues

extension AsyncSequence where Element: ValueConvertible & SendableMetatype {
  /// The elements that fulfil a predicate, as they come.
  ///
  ///     for try await person in try arrivals.filter(by: "age >= 18") { … }
  ///
  /// Linear in the text; each element is tested once, in constant memory. Throws a diagnostic if
  /// the text is no predicate; the sequence throws that of the first element that cannot be
  /// evaluated.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> AsyncThrowingFilterSequence<Self> {
    let prepared = try Question(predicate, variables, environment).prepared
    return filter { try prepared.evaluate(value: Element.root($0)) }
  }
}

extension AsyncSequence where Element: Encodable & SendableMetatype {
  /// The elements that fulfil a predicate, as they come.
  ///
  ///     for try await book in try arrivals.filter(by: "form == 'ebook'") { … }
  ///
  /// Linear in the text; each element is tested once, in constant memory. Throws a diagnostic if
  /// the text is no predicate; the sequence throws that of the first element that cannot be
  /// evaluated, or what encoding throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> AsyncThrowingFilterSequence<Self> {
    let prepared = try Question(predicate, variables, environment).prepared
    return filter { try prepared.evaluate(encoding: $0) }
  }
}
