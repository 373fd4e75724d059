public import KuraDiagnostics

/// Two expressions, compared by an operator.
public struct Comparison: Sendable, Hashable {
  /// `title` in `title CONTAINS[cd] "誕生"`
  public var left: ExpressionTree
  /// `CONTAINS`
  public var operation: ComparisonOperator
  /// `[cd]`
  public var options: ComparisonOptions
  /// `"誕生"`
  public var right: ExpressionTree
  /// The modifier: ANY, ALL or none.
  public var modifier: ComparisonModifier
  /// The place of the operator; equality ignores it.
  @IgnoredByEquality public var operationSpan: SourceSpan

  /// Creates a comparison.
  public init(
    _ left: ExpressionTree, _ operation: ComparisonOperator, options: ComparisonOptions = [],
    _ right: ExpressionTree, modifier: ComparisonModifier = .direct,
    operationSpan: SourceSpan = .none
  ) {
    self.left = left
    self.operation = operation
    self.options = options
    self.right = right
    self.modifier = modifier
    self.operationSpan = operationSpan
  }
}

/// The options of a comparison, such as `[cd]`.
public struct ComparisonOptions: OptionSet, Sendable, Hashable {
  /// Apple's raw values: c 1, d 2, n 4, l 8.
  public var rawValue: UInt8

  /// Creates options from Apple's raw values.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: ignores case and width.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `[d]`: ignores diacritics and width.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `[n]`: compares bytes.
  public static let normalized = ComparisonOptions(rawValue: 4)
  /// `[l]`: uses the order of the locale.
  public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

/// The treatment of a collection on the left side of a comparison.
public enum ComparisonModifier: Sendable, Hashable {
  /// Compares the value itself.
  case direct
  /// `ANY`, `SOME`
  case any
  /// `ALL`
  case all
}
