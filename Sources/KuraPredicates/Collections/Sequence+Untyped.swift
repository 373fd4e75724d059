public import KuraValues

extension Sequence where Element == [String: Any] {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }
      .elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": 18])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Element? {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }.first(
      in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  ///     try people.count(by: "children.@count == 0")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Int {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }.count(
      in: self)
  }

  /// Whether an element fulfils a predicate; none is asked behind the first that does.
  ///
  ///     try people.contains(by: "age > 100")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }.first(
      in: self) != nil
  }

  /// Whether all elements fulfil a predicate; none is asked behind the first that does not.
  ///
  ///     try people.allSatisfy(by: "name != nil")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }
      .allSatisfy(in: self)
  }
}

extension RangeReplaceableCollection where Element == [String: Any] {
  /// Removes the elements that fulfil a predicate; an error leaves the collection as it is.
  ///
  ///     try people.removeAll(by: "age < 18")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }
      .removeAll(from: &self)
  }
}

// What came from somewhere as `[Any]`, an NSArray for instance.
extension Sequence where Element == Any {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }
      .elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": 18])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Element? {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }.first(
      in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  ///     try people.count(by: "children.@count == 0")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Int {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }.count(
      in: self)
  }

  /// Whether an element fulfils a predicate; none is asked behind the first that does.
  ///
  ///     try people.contains(by: "age > 100")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }.first(
      in: self) != nil
  }

  /// Whether all elements fulfil a predicate; none is asked behind the first that does not.
  ///
  ///     try people.allSatisfy(by: "name != nil")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, variables, environment)) { try Value(untyped: $0) }
      .allSatisfy(in: self)
  }
}
