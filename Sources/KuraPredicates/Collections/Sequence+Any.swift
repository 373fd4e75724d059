public import KuraValues

// Whatever an element is: `Encodable`, a dictionary, a class of Foundation or of yours. What a predicate
// cannot read is an error.
extension Sequence {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try ElementTest(Question(predicate, variables, environment)).elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": 18])
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Element? {
    try ElementTest(Question(predicate, variables, environment)).first(in: self)
  }

  /// How many elements fulfil a predicate.
  ///
  ///     try people.count(by: "children.@count == 0")
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Int {
    try ElementTest(Question(predicate, variables, environment)).count(in: self)
  }

  /// Whether an element fulfils a predicate; none is asked behind the first that does.
  ///
  ///     try people.contains(by: "age > 100")
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, variables, environment)).first(in: self) != nil
  }

  /// Whether all elements fulfil a predicate; none is asked behind the first that does not.
  ///
  ///     try people.allSatisfy(by: "name != nil")
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, variables, environment)).allSatisfy(in: self)
  }
}

extension RangeReplaceableCollection {
  /// Removes the elements that fulfil a predicate; an error leaves the collection as it is.
  ///
  ///     try people.removeAll(by: "age < 18")
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws {
    try ElementTest(Question(predicate, variables, environment)).removeAll(from: &self)
  }
}

extension Set {
  /// The elements that fulfil a predicate, as a set.
  ///
  ///     try tags.filter(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Set<Element> {
    Set(try ElementTest(Question(predicate, variables, environment)).elements(of: self))
  }

  /// Removes the elements that fulfil a predicate; an error leaves the set as it is.
  ///
  ///     try tags.removeAll(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass; of what is `Encodable` only the keys that are asked for are encoded. Throws the
  /// diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws {
    subtract(try ElementTest(Question(predicate, variables, environment)).elements(of: self))
  }
}
