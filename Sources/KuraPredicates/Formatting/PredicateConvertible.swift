public import KuraDiagnostics

/// A predicate, or a text that can be parsed as one.
///
///     try people.filter(by: "age >= 18")
///     try people.filter(by: adults)
public protocol PredicateConvertible {
  /// Returns the predicate.
  ///
  /// Throws a diagnostic whose span is in the text.
  func predicate() throws(Diagnostic) -> PredicateTree
}

extension PredicateTree: PredicateConvertible {
  /// Returns the predicate itself.
  public func predicate() -> PredicateTree { self }
}

extension String: PredicateConvertible {
  /// Parses the text as a predicate.
  ///
  ///     try "SUBQUERY(items, $i, $i.done == NO).@count > 2".predicate()
  ///
  /// Linear in the text. Throws a diagnostic whose span is in the text.
  public func predicate() throws(Diagnostic) -> PredicateTree { try PredicateTree(parsing: self) }
}

/// Sort keys, or a text that can be parsed as sort keys.
///
///     try people.sorted(by: "age desc, name[cd]")
///     try people.sorted(by: [SortTree(parsing: "age")])
public protocol SortConvertible {
  /// Returns the sort keys; the first has precedence.
  ///
  /// Throws a diagnostic whose span is in the text.
  func sortKeys() throws(Diagnostic) -> [SortTree]
}

extension [SortTree]: SortConvertible {
  /// Returns the sort keys themselves.
  public func sortKeys() -> [SortTree] { self }
}

extension SortTree: SortConvertible {
  /// Returns this key as the only one.
  public func sortKeys() -> [SortTree] { [self] }
}

extension String: SortConvertible {
  /// Parses the keys, which are separated by commas. Linear in the text. Throws a diagnostic whose
  /// span is in the text.
  public func sortKeys() throws(Diagnostic) -> [SortTree] { try [SortTree](parsing: self) }
}
