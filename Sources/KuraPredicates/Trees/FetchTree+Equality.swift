extension FetchTree: Hashable {
  /// Equal if each clause is; spans do not count.
  public static func == (a: FetchTree, b: FetchTree) -> Bool {
    a.result == b.result && a.source == b.source && a.predicate == b.predicate
      && a.sort == b.sort && a.offset == b.offset && a.limit == b.limit && a.batch == b.batch
      && a.selection == b.selection && a.isDistinct == b.isDistinct && a.grouping == b.grouping
      && a.having == b.having && a.section == b.section
      && a.includesSubentities == b.includesSubentities
  }

  /// Hashes what tells most fetches apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(source)
    hasher.combine(predicate)
    hasher.combine(sort)
    hasher.combine(selection)
    hasher.combine(grouping)
  }
}

extension FetchSource: Hashable {
  /// Equal without regard to spans.
  public static func == (a: FetchSource, b: FetchSource) -> Bool { a.kind == b.kind }
  /// Hashes everything but the span.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension SelectedColumn: Hashable {
  /// Equal by name and expression.
  public static func == (a: SelectedColumn, b: SelectedColumn) -> Bool {
    a.name == b.name && a.expression == b.expression
  }

  /// Hashes name and expression.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(expression)
  }
}
