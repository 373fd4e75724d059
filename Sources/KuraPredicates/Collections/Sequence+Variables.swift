// Variables that the compiler knows less of: an `Int`, a `Date`, an object of yours.
extension Sequence {
  /// The elements that fulfil a predicate, in their order; variables stand for anything.
  ///
  ///     try people.filter(by: "born < $day", variables: ["day": Date.now])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try ElementTest(Question(predicate, untyped: variables, environment)).elements(of: self)
  }

  /// The first element that fulfils a predicate; nil if none does; variables stand for anything.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": least])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Element? {
    try ElementTest(Question(predicate, untyped: variables, environment)).first(in: self)
  }

  /// How many elements fulfil a predicate; variables stand for anything.
  ///
  ///     try people.count(by: "friend == $me", variables: ["me": person])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Int {
    try ElementTest(Question(predicate, untyped: variables, environment)).count(in: self)
  }

  /// Whether an element fulfils a predicate; none is asked behind the first that does; variables stand for anything.
  ///
  ///     try people.contains(by: "age > $most", variables: ["most": most])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, untyped: variables, environment)).first(in: self) != nil
  }

  /// Whether all elements fulfil a predicate; none is asked behind the first that does not; variables stand for anything.
  ///
  ///     try people.allSatisfy(by: "name != $name", variables: ["name": name])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(Question(predicate, untyped: variables, environment)).allSatisfy(in: self)
  }
}

extension RangeReplaceableCollection {
  /// Removes the elements that fulfil a predicate; an error leaves the collection as it is; variables stand for anything.
  ///
  ///     try people.removeAll(by: "age < $least", variables: ["least": least])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws {
    try ElementTest(Question(predicate, untyped: variables, environment)).removeAll(from: &self)
  }
}

extension Set {
  /// The elements that fulfil a predicate, as a set; variables stand for anything.
  ///
  ///     try tags.filter(by: "SELF BEGINSWITH $start", variables: ["start": start])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Set<Element> {
    Set(try ElementTest(Question(predicate, untyped: variables, environment)).elements(of: self))
  }

  /// Removes the elements that fulfil a predicate; an error leaves the set as it is; variables stand for anything.
  ///
  ///     try tags.removeAll(by: "SELF BEGINSWITH $start", variables: ["start": start])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that a predicate cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws {
    subtract(
      try ElementTest(Question(predicate, untyped: variables, environment)).elements(of: self))
  }
}
