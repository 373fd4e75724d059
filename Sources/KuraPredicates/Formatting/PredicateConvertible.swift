public import KuraDiagnostics

/// What can be asked of a collection: a predicate, or the text of one.
///
///     try people.filter(by: "age >= 18")
///     try people.filter(by: adults)
public protocol PredicateConvertible {
  /// The predicate.
  ///
  /// Throws a diagnostic whose span lies in the text.
  func predicate() throws(Diagnostic) -> PredicateTree
}

extension PredicateTree: PredicateConvertible {
  /// Itself.
  public func predicate() -> PredicateTree { self }
}

extension String: PredicateConvertible {
  /// The predicate that the text is.
  ///
  ///     try "SUBQUERY(items, $i, $i.done == NO).@count > 2".predicate()
  ///
  /// Linear in the text. Throws a diagnostic whose span lies in the text.
  public func predicate() throws(Diagnostic) -> PredicateTree { try PredicateTree(parsing: self) }
}

/// What a collection can be sorted by: sort keys, or the text of some.
///
///     try people.sorted(by: "age desc, name[cd]")
///     try people.sorted(by: [SortTree(parsing: "age")])
public protocol SortConvertible {
  /// The keys, the first one first.
  ///
  /// Throws a diagnostic whose span lies in the text.
  func sortKeys() throws(Diagnostic) -> [SortTree]
}

extension [SortTree]: SortConvertible {
  /// Itself.
  public func sortKeys() -> [SortTree] { self }
}

extension SortTree: SortConvertible {
  /// This key alone.
  public func sortKeys() -> [SortTree] { [self] }
}

extension String: SortConvertible {
  /// The keys between the commas. Linear in the text. Throws a diagnostic whose span lies in the
  /// text.
  public func sortKeys() throws(Diagnostic) -> [SortTree] { try [SortTree](parsing: self) }
}
