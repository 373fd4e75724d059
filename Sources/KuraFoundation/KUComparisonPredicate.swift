public import KuraPredicates

/// A comparison of two expressions, with the interface of `NSComparisonPredicate`.
///
///     KUComparisonPredicate(
///       leftExpression: KUExpression(forKeyPath: "age"),
///       rightExpression: try KUExpression(forConstantValue: 18),
///       modifier: .direct, type: .greaterThanOrEqualTo, options: [])
public final class KUComparisonPredicate: KUPredicate, @unchecked Sendable {
  /// Whether the comparison applies to the value itself, to any element or to all.
  public typealias Modifier = ComparisonModifier
  /// `[c]`, `[d]`, `[n]`, `[l]`
  public typealias Options = ComparisonOptions

  /// The operators, with Cocoa's names and raw values.
  public enum Operator: UInt, Sendable {
    /// `<`
    case lessThan = 0
    /// `<=`
    case lessThanOrEqualTo = 1
    /// `>`
    case greaterThan = 2
    /// `>=`
    case greaterThanOrEqualTo = 3
    /// `==`
    case equalTo = 4
    /// `!=`
    case notEqualTo = 5
    /// `MATCHES`
    case matches = 6
    /// `LIKE`
    case like = 7
    /// `BEGINSWITH`
    case beginsWith = 8
    /// `ENDSWITH`
    case endsWith = 9
    /// `IN`
    case `in` = 10
    /// `CONTAINS`
    case contains = 99
    /// `BETWEEN`
    case between = 100
  }

  /// The left side.
  public let leftExpression: KUExpression
  /// The right side.
  public let rightExpression: KUExpression
  /// Whether the comparison applies to the value itself, to any element or to all.
  public let comparisonPredicateModifier: Modifier
  /// The operator.
  public let predicateOperatorType: Operator
  /// The options for strings, such as to ignore case.
  public let options: Options

  /// Creates a comparison.
  public init(
    leftExpression: KUExpression, rightExpression: KUExpression, modifier: Modifier = .direct,
    type: Operator, options: Options = []
  ) {
    self.leftExpression = leftExpression
    self.rightExpression = rightExpression
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    super.init(
      PredicateTree(
        .comparison(
          Comparison(
            leftExpression.tree, type.operation, options: options, rightExpression.tree,
            modifier: modifier))))
  }

  /// Decodes a comparison.
  ///
  /// Throws `DecodingError.dataCorrupted` if the data is not a comparison.
  public required init(from decoder: any Decoder) throws {
    let tree = try PredicateTree(from: decoder)
    guard case .comparison(let comparison) = tree.kind,
      let type = Operator(comparison.operation)
    else { throw DecodingError.other(than: "comparison", decoder) }
    leftExpression = KUExpression(comparison.left)
    rightExpression = KUExpression(comparison.right)
    comparisonPredicateModifier = comparison.modifier
    predicateOperatorType = type
    options = comparison.options
    super.init(tree)
  }

  /// Creates a comparison from a predicate that is one, for example after parsing a format; nil for
  /// other predicates. Constant time.
  public convenience init?(_ predicate: KUPredicate) {
    guard case .comparison(let comparison) = predicate.tree.kind,
      let type = Operator(comparison.operation)
    else { return nil }
    self.init(
      leftExpression: KUExpression(comparison.left),
      rightExpression: KUExpression(comparison.right), modifier: comparison.modifier, type: type,
      options: comparison.options)
  }
}

extension KUComparisonPredicate.Operator {
  private static let all: [(Self, ComparisonOperator)] = [
    (.lessThan, .less), (.lessThanOrEqualTo, .lessOrEqual), (.greaterThan, .greater),
    (.greaterThanOrEqualTo, .greaterOrEqual), (.equalTo, .equal), (.notEqualTo, .notEqual),
    (.matches, .matches), (.like, .like), (.beginsWith, .beginsWith), (.endsWith, .endsWith),
    (.in, .in), (.contains, .contains), (.between, .between),
  ]

  var operation: ComparisonOperator { Self.all.first { $0.0 == self }?.1 ?? .equal }

  /// Creates the operator; nil for `isEqualTo:` and other selectors.
  init?(_ operation: ComparisonOperator) {
    guard let known = Self.all.first(where: { $0.1 == operation }) else { return nil }
    self = known.0
  }
}
