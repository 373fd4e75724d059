public import KuraDiagnostics

/// One key of a sort: `title[cd] desc nulls last`, `name natural`, `items.@count`.
public struct SortTree: Sendable, Hashable {
  /// The expression to sort by.
  public var expression: ExpressionTree
  /// The options for strings: `[cd]`, `[l]`, `[n]`.
  public var options: ComparisonOptions
  /// Whether digits are compared as numbers, as in a file browser: `natural`.
  public var isNatural: Bool
  /// Whether the order is ascending; false for `desc`.
  public var isAscending: Bool
  /// Whether null comes first: `nulls first` or `nulls last`; nil means first if ascending, and
  /// last if descending.
  public var nullsFirst: Bool?
  /// The place in the text; equality ignores it.
  @IgnoredByEquality public var span: SourceSpan

  /// Creates a sort key.
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
