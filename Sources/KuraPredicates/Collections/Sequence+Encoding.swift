public import KuraValues

// What can also be read is read, and not encoded: these are disfavoured.
extension Sequence where Element: Encodable {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// One pass, in which only the keys that are asked for are encoded. Throws the diagnostic of the first
  /// element that cannot be evaluated, or what encoding throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try ElementTest(encoding: Question(predicate, variables, environment)).elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": 18])
  ///
  /// One pass, in which only the keys that are asked for are encoded. Throws the diagnostic of the first
  /// element that cannot be evaluated, or what encoding throws.
  @_disfavoredOverload
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Element? {
    try ElementTest(encoding: Question(predicate, variables, environment)).first(in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  ///     try people.count(by: "children.@count == 0")
  ///
  /// One pass, in which only the keys that are asked for are encoded. Throws the diagnostic of the first
  /// element that cannot be evaluated, or what encoding throws.
  @_disfavoredOverload
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Int {
    try ElementTest(encoding: Question(predicate, variables, environment)).count(in: self)
  }

  /// Whether an element fulfils a predicate; none is asked behind the first that does.
  ///
  ///     try people.contains(by: "age > 100")
  ///
  /// One pass, in which only the keys that are asked for are encoded. Throws the diagnostic of the first
  /// element that cannot be evaluated, or what encoding throws.
  @_disfavoredOverload
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(encoding: Question(predicate, variables, environment)).first(in: self) != nil
  }

  /// Whether all elements fulfil a predicate; none is asked behind the first that does not.
  ///
  ///     try people.allSatisfy(by: "name != nil")
  ///
  /// One pass, in which only the keys that are asked for are encoded. Throws the diagnostic of the first
  /// element that cannot be evaluated, or what encoding throws.
  @_disfavoredOverload
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(encoding: Question(predicate, variables, environment)).allSatisfy(in: self)
  }
}

extension RangeReplaceableCollection where Element: Encodable {
  /// Removes the elements that fulfil a predicate; an error leaves the collection as it is.
  ///
  ///     try people.removeAll(by: "age < 18")
  ///
  /// One pass, in which only the keys that are asked for are encoded. Throws the diagnostic of the first
  /// element that cannot be evaluated, or what encoding throws.
  @_disfavoredOverload
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws {
    try ElementTest(encoding: Question(predicate, variables, environment)).removeAll(from: &self)
  }
}

extension Set where Element: Encodable {
  /// The elements that fulfil a predicate, as a set.
  ///
  ///     try books.filter(by: "form == 'ebook'")
  ///
  /// One pass, in which only the keys that are asked for are encoded. Throws the diagnostic of the first
  /// element that cannot be evaluated, or what encoding throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Set<Element> {
    Set(try ElementTest(encoding: Question(predicate, variables, environment)).elements(of: self))
  }
}
