public import KuraValues

extension Key {
  /// The comparison with this on the left, which is where ANY and ALL count.
  ///
  ///     Key("title").compared(.contains, Key("name"), options: .cd)   // title CONTAINS[cd] name
  public func compared(
    _ operation: ComparisonOperator, _ right: Key, options: ComparisonOptions = []
  ) -> PredicateTree {
    PredicateTree(
      .comparison(
        Comparison(
          expression, operation, options: options, right.expression, modifier: modifier)))
  }

  /// `title CONTAINS[cd] "誕生"`
  public func contains(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.contains, .value(value), options: options) }

  /// `title BEGINSWITH "父"`
  public func beginsWith(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.beginsWith, .value(value), options: options) }

  /// `title ENDSWITH "日"`
  public func endsWith(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.endsWith, .value(value), options: options) }

  /// `title LIKE "*の?生日"`
  public func isLike(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.like, .value(value), options: options) }

  /// `title MATCHES ".+[0-9]"`
  public func matches(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.matches, .value(value), options: options) }

  /// `category IN {"Private", "Office"}`
  public func isIn(
    _ values: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.in, .value(values), options: options) }

  /// `title IN names`, `"家" IN tags`
  public func isIn(_ collection: Key, options: ComparisonOptions = []) -> PredicateTree {
    compared(.in, collection, options: options)
  }

  /// `age BETWEEN {13, 19}`; both bounds belong to it
  public func isBetween(
    _ low: some ValueConvertible, and high: some ValueConvertible
  ) -> PredicateTree {
    compared(.between, .value([low.predicateValue, high.predicateValue]))
  }
}
