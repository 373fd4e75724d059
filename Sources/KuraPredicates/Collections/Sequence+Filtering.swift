public import KuraDiagnostics
public import KuraValues

extension Sequence where Element: ValueConvertible {
  /// The elements that fulfil a predicate, in their order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> [Element] {
    try ElementRoot.diagnosing {
      try ElementTest(reading: Question(predicate, variables, environment)).elements(
        of: self)
    }
  }

  /// The first element that fulfils a predicate; nil if none does.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": 18])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Element? {
    try ElementRoot.diagnosing {
      try ElementTest(reading: Question(predicate, variables, environment)).first(
        in: self)
    }
  }

  /// How many elements fulfil a predicate.
  ///
  ///     try people.count(by: "children.@count == 0")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Int {
    try ElementRoot.diagnosing {
      try ElementTest(reading: Question(predicate, variables, environment)).count(
        in: self)
    }
  }

  /// Whether an element fulfils a predicate; none is asked behind the first that does.
  ///
  ///     try people.contains(by: "age > 100")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementRoot.diagnosing {
      try ElementTest(reading: Question(predicate, variables, environment)).first(
        in: self) != nil
    }
  }

  /// Whether all elements fulfil a predicate; none is asked behind the first that does not.
  ///
  ///     try people.allSatisfy(by: "name != nil")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementRoot.diagnosing {
      try ElementTest(reading: Question(predicate, variables, environment)).allSatisfy(
        in: self)
    }
  }
}

extension RangeReplaceableCollection where Element: ValueConvertible {
  /// Removes the elements that fulfil a predicate; an error leaves the collection as it is.
  ///
  ///     try people.removeAll(by: "age < 18")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementRoot.diagnosing {
      try ElementTest(reading: Question(predicate, variables, environment)).removeAll(
        from: &self)
    }
  }
}

extension Set where Element: ValueConvertible {
  /// The elements that fulfil a predicate, as a set.
  ///
  ///     try tags.filter(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Set<Element> {
    try ElementRoot.diagnosing {
      Set(
        try ElementTest(reading: Question(predicate, variables, environment)).elements(
          of: self))
    }
  }

  /// Removes the elements that fulfil a predicate; an error leaves the set as it is.
  ///
  ///     try tags.removeAll(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementRoot.diagnosing {
      subtract(
        try ElementTest(reading: Question(predicate, variables, environment)).elements(of: self))
    }
  }
}
