public import KuraDiagnostics

extension Sequence {
  /// The elements that fulfil a predicate over key paths, in their order.
  ///
  ///     try books.filter(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> [Element] {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).elements(of: self) }
  }

  /// The first element that fulfils a predicate over key paths; nil if none does.
  ///
  ///     try books.first(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func first(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Element? {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).first(in: self) }
  }

  /// How many elements fulfil a predicate over key paths.
  ///
  ///     try books.count(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func count(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Int {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).count(in: self) }
  }

  /// Whether an element fulfils a predicate over key paths; none is asked behind the first that does.
  ///
  ///     try books.contains(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func contains(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).first(in: self) != nil }
  }

  /// Whether all elements fulfil a predicate over key paths; none is asked behind the first that does not.
  ///
  ///     try books.allSatisfy(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func allSatisfy(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).allSatisfy(in: self) }
  }
}

extension RangeReplaceableCollection {
  /// Removes the elements that fulfil a predicate over key paths; an error leaves the collection as it is.
  ///
  ///     try books.removeAll(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementRoot.diagnosing {
      try ElementTest(predicate, environment).removeAll(from: &self)
    }
  }
}

extension Set {
  /// The elements that fulfil a predicate over key paths, as a set.
  ///
  ///     try books.filter(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Set<Element> {
    try ElementRoot.diagnosing {
      Set(try ElementTest(predicate, environment).elements(of: self))
    }
  }

  /// Removes the elements that fulfil a predicate over key paths; an error leaves the set as it is.
  ///
  ///     try books.removeAll(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementRoot.diagnosing {
      subtract(try ElementTest(predicate, environment).elements(of: self))
    }
  }
}

extension LazySequenceProtocol {
  /// The elements that fulfil a predicate over key paths, each asked when it is wanted.
  ///
  ///     try books.lazy.filter(by: TypedKey(\Book.year) < 1910) { _ in false }.prefix(3)
  ///
  /// For an element that cannot be evaluated, `failing` is told why and says whether it stays. Constant
  /// time; each element is tested when it is wanted.
  public func filter(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current,
    failing: @escaping (Diagnostic) -> Bool
  ) -> LazyFilterSequence<Elements> {
    filter(ElementTest(predicate, environment).orAsking(failing))
  }
}
