public import KuraDiagnostics
public import KuraValues

extension Sequence where Element: ValueConvertible {
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

/// What elements are as SELF.
enum ElementRoot {
  /// An encoded element.
  static func encoded(_ element: some Encodable) throws -> Value {
    try ValueEncoder().encode(element)
  }

  /// Does what throws diagnostics alone, which `Sequence.filter` cannot say.
  static func diagnosing<Result>(_ body: () throws -> Result) throws(Diagnostic) -> Result {
    do { return try body() } catch let diagnostic as Diagnostic { throw diagnostic } catch {
      throw Diagnostic(EvaluationFacts.unreadableKey("SELF", "\(error)"))
    }
  }
}
