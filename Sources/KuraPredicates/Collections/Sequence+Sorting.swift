public import KuraDiagnostics
public import KuraValues

extension Sequence where Element: ValueConvertible {
  /// The elements in the order of sort keys, or of the text of some; those alike as they came.
  ///
  ///     try people.sorted(by: "age desc, name[cd]")
  ///
  /// Values of several kinds sort by kind. Each key is computed once for each element; n log n.
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func sorted(
    by keys: some SortConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> [Element] {
    let keys = try keys.sortKeys()
    return try ElementRoot.diagnosing {
      try SortedElements(self, keys, variables, root: Element.root).sorted
    }
  }
}

extension Sequence where Element: Encodable {
  /// The elements in the order of sort keys, or of the text of some; those alike as they came.
  ///
  ///     try people.sorted(by: "age desc, name[cd]")
  ///
  /// Values of several kinds sort by kind. Each key is computed once for each element; n log n.
  /// Each element is encoded for this. Throws what evaluating or encoding throws.
  public func sorted(
    by keys: some SortConvertible, variables: [String: Value] = [:]
  ) throws -> [Element] {
    let keys = try keys.sortKeys()
    let sorted = try SortedElements(self, keys, variables) { try ElementRoot.encoded($0) }
    return sorted.sorted
  }
}

extension Sequence where Element: ValueConvertible & Encodable {
  /// The elements in the order of sort keys, or of the text of some; those alike as they came.
  ///
  ///     try people.sorted(by: "age desc, name[cd]")
  ///
  /// Values of several kinds sort by kind. Each key is computed once for each element; n log n.
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func sorted(
    by keys: some SortConvertible, variables: [String: Value] = [:]
  ) throws(Diagnostic) -> [Element] {
    let keys = try keys.sortKeys()
    return try ElementRoot.diagnosing {
      try SortedElements(self, keys, variables, root: Element.root).sorted
    }
  }
}
