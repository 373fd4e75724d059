// Variables of any type, such as an `Int`, a `Date`, or an object of your own
extension Sequence {
  /// Returns the elements that match a predicate, in order. The variables can have values of any
  /// type.
  ///
  ///     try people.filter(by: "born < $day", variables: ["day": Date.now])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).elements(of: self)
  }

  /// Returns the first element that matches a predicate; nil if none does. The variables can have
  /// values of any type.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": least])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Element? {
    try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).first(in: self)
  }

  /// Returns the number of elements that match a predicate. The variables can have values of any
  /// type.
  ///
  ///     try people.count(by: "friend == $me", variables: ["me": person])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Int {
    try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).count(in: self)
  }

  /// Returns whether an element matches a predicate. It stops at the first one. The variables can
  /// have values of any type.
  ///
  ///     try people.contains(by: "age > $most", variables: ["most": most])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).first(in: self)
      != nil
  }

  /// Returns whether all elements match a predicate. It stops at the first that does not. The
  /// variables can have values of any type.
  ///
  ///     try people.allSatisfy(by: "name != $name", variables: ["name": name])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).allSatisfy(in: self)
  }
}

extension RangeReplaceableCollection {
  /// Removes the elements that match a predicate. If it throws, the collection is unchanged. The
  /// variables can have values of any type.
  ///
  ///     try people.removeAll(by: "age < $least", variables: ["least": least])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws {
    try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).removeAll(
      from: &self)
  }
}

extension Set {
  /// Returns the elements that match a predicate, as a set. The variables can have values of any
  /// type.
  ///
  ///     try tags.filter(by: "SELF BEGINSWITH $start", variables: ["start": start])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> Set<Element> {
    Set(
      try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).elements(of: self)
    )
  }

  /// Removes the elements that match a predicate. If it throws, the set is unchanged. The variables
  /// can have values of any type.
  ///
  ///     try tags.removeAll(by: "SELF BEGINSWITH $start", variables: ["start": start])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, an
  /// `UnknownValueType` for an element or a variable that predicates cannot read, or what encoding
  /// throws.
  @_disfavoredOverload
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws {
    subtract(
      try ElementTest(BoundPredicate(predicate, untyped: variables, environment)).elements(of: self)
    )
  }
}
