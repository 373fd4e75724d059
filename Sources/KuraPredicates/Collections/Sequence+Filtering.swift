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
    try ElementRoot.diagnosing {
      try ElementTest(predicate, variables, root: Element.root).elements(of: self)
    }
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> Element? {
    try ElementRoot.diagnosing {
      try ElementTest(predicate, variables, root: Element.root).first(in: self)
    }
  }

  /// How many elements fulfil a predicate.
  ///
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> Int {
    try ElementRoot.diagnosing {
      try ElementTest(predicate, variables, root: Element.root).count(in: self)
    }
  }

  /// Whether an element fulfils a predicate.
  ///
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> Bool {
    try ElementRoot.diagnosing {
      try ElementTest(predicate, variables, root: Element.root).first(in: self) != nil
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

// What can also be read is read, and not encoded: these are disfavoured.
extension Sequence where Element: Encodable {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be
  /// evaluated, or what encoding throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> [Element] {
    try ElementTest(predicate, variables, root: { try ElementRoot.encoded($0) }).elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be
  /// evaluated, or what encoding throws.
  @_disfavoredOverload
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Element? {
    try ElementTest(predicate, variables, root: { try ElementRoot.encoded($0) }).first(in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be
  /// evaluated, or what encoding throws.
  @_disfavoredOverload
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Int {
    try ElementTest(predicate, variables, root: { try ElementRoot.encoded($0) }).count(in: self)
  }

  /// Whether an element fulfils a predicate.
  ///
  /// Each element is encoded for this. Throws the diagnostic of the first element that cannot be
  /// evaluated, or what encoding throws.
  @_disfavoredOverload
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Bool {
    try ElementTest(predicate, variables, root: { try ElementRoot.encoded($0) }).first(in: self)
      != nil
  }
}

extension Sequence where Element == [String: Any] {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be
  /// evaluated.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> [Element] {
    try ElementTest(predicate, variables, root: { try Value(untyped: $0) }).elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be
  /// evaluated.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Element? {
    try ElementTest(predicate, variables, root: { try Value(untyped: $0) }).first(in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be
  /// evaluated.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Int {
    try ElementTest(predicate, variables, root: { try Value(untyped: $0) }).count(in: self)
  }

  /// Whether an element fulfils a predicate.
  ///
  /// As JSONSerialization gives them. Throws the diagnostic of the first element that cannot be
  /// evaluated.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:]
  ) throws -> Bool {
    try ElementTest(predicate, variables, root: { try Value(untyped: $0) }).first(in: self) != nil
  }
}
