public import KuraDiagnostics
public import KuraValues

// What is both is read, not encoded; without these the compiler could not choose.
extension Sequence where Element: ValueConvertible & Encodable {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> [Element] {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementRoot.diagnosing {
      try ElementTest(prepared, root: Element.root).elements(of: self)
    }
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> Element? {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementRoot.diagnosing {
      try ElementTest(prepared, root: Element.root).first(in: self)
    }
  }

  /// How many elements fulfil a predicate.
  ///
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> Int {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementRoot.diagnosing {
      try ElementTest(prepared, root: Element.root).count(in: self)
    }
  }

  /// Whether an element fulfils a predicate.
  ///
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> Bool {
    let prepared = try predicate.predicate().prepared(variables: variables)
    return try ElementRoot.diagnosing {
      try ElementTest(prepared, root: Element.root).first(in: self) != nil
    }
  }
}
