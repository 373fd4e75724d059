public import KuraDiagnostics

/// Two expressions and what is asked of them.
public struct Comparison: Sendable {
  /// `title` in `title CONTAINS[cd] "誕生"`
  public var left: ExpressionTree
  /// `CONTAINS`
  public var operation: ComparisonOperator
  /// `[cd]`
  public var options: ComparisonOptions
  /// `"誕生"`
  public var right: ExpressionTree
  /// ANY, ALL or neither.
  public var modifier: ComparisonModifier
  /// Where the operator stands.
  public var operationSpan: SourceSpan

  /// Makes a comparison.
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

/// What is asked of two values.
public enum ComparisonOperator: Sendable, Hashable {
  /// `==` `=`
  case equal
  /// `!=` `<>`
  case notEqual
  /// `<`
  case less
  /// `<=` `=<`
  case lessOrEqual
  /// `>`
  case greater
  /// `>=` `=>`
  case greaterOrEqual
  /// `MATCHES`
  case matches
  /// `LIKE`
  case like
  /// `BEGINSWITH`
  case beginsWith
  /// `ENDSWITH`
  case endsWith
  /// `CONTAINS`
  case contains
  /// `IN`
  case `in`
  /// `BETWEEN`
  case between
  /// `SELF isKindOfClass: "text"`: it parses; evaluating it is an error
  case selector(String)
  /// `TOKENMATCHES`, `UTI-CONFORMS-TO`, `UTI-EQUALS`: they parse; evaluating them is an error
  case unsupported(String)
}

/// `[cd]` and the like.
public struct ComparisonOptions: OptionSet, Sendable, Hashable {
  /// Apple's numbers: c 1, d 2, n 4, l 8.
  public var rawValue: UInt8

  /// Makes options from Apple's numbers.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: case does not count.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `[d]`: diacritics do not count.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `[n]`: the bytes as they are.
  public static let normalized = ComparisonOptions(rawValue: 4)
  /// `[l]`: the order of the session's locale.
  public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

/// How a comparison meets a collection on its left.
public enum ComparisonModifier: Sendable, Hashable {
  /// The value itself.
  case direct
  /// `ANY`, `SOME`
  case any
  /// `ALL`
  case all
}

extension Comparison: Hashable {
  /// Equal without regard to spans. Linear in the trees.
  public static func == (a: Comparison, b: Comparison) -> Bool {
    a.operation == b.operation && a.options == b.options && a.modifier == b.modifier
      && a.left == b.left && a.right == b.right
  }

  /// Hashes everything but the span. Linear in the trees.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(operation)
    hasher.combine(options)
    hasher.combine(modifier)
    hasher.combine(left)
    hasher.combine(right)
  }
}
