public import KuraDiagnostics

/// One key of a sort: `title[cd] desc nulls last`, `name natural`, `items.@count`.
public struct SortTree: Sendable {
  /// What is sorted by.
  public var expression: ExpressionTree
  /// `[cd]`, `[l]`, `[n]`
  public var options: ComparisonOptions
  /// `natural`: digits by their value, as a file browser does.
  public var isNatural: Bool
  /// `asc` unless `desc`.
  public var isAscending: Bool
  /// `nulls first` or `nulls last`; nil: first ascending, last descending.
  public var nullsFirst: Bool?
  /// Where.
  public var span: SourceSpan

  /// Makes a sort key.
  public init(
    _ expression: ExpressionTree, options: ComparisonOptions = [], isNatural: Bool = false,
    isAscending: Bool = true, nullsFirst: Bool? = nil, span: SourceSpan = .none
  ) {
    self.expression = expression
    self.options = options
    self.isNatural = isNatural
    self.isAscending = isAscending
    self.nullsFirst = nullsFirst
    self.span = span
  }

  /// Whether null comes first.
  public var putsNullsFirst: Bool { nullsFirst ?? isAscending }
}

extension SortTree: Hashable {
  /// Equal without regard to spans. Linear in the trees.
  public static func == (a: SortTree, b: SortTree) -> Bool {
    a.expression == b.expression && a.options == b.options && a.isNatural == b.isNatural
      && a.isAscending == b.isAscending && a.nullsFirst == b.nullsFirst
  }

  /// Hashes everything but the span. Linear in the tree.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(expression)
    hasher.combine(options)
    hasher.combine(isNatural)
    hasher.combine(isAscending)
    hasher.combine(nullsFirst)
  }
}
