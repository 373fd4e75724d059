import KuraPredicates

/// A function in other languages; nil if a language has no function with the same results.
struct FunctionSpelling {
  /// The call in SQLite: `%1` and `%2` are its arguments. Of a window function, `%1` is the argument, `%2` the division
  /// into parts, `%3` the order, and `%4` the order in which no two rows are equal.
  var sql: Template?
  /// The expression in Swift, for values that cannot be nil.
  var swift: Template?
  /// Whether Core Data computes it in a column of a fetch.
  var isInCoreData = false
}

extension BuiltInFunction {
  /// The function in other languages.
  var spelling: FunctionSpelling {
    switch self {
    case .sum: FunctionSpelling(sql: "coalesce(sum(%1), 0)", isInCoreData: true)
    case .count: FunctionSpelling(sql: "count(%1)", isInCoreData: true)
    case .min: FunctionSpelling(sql: "min(%1)", isInCoreData: true)
    case .max: FunctionSpelling(sql: "max(%1)", isInCoreData: true)
    case .average: FunctionSpelling(sql: "avg(%1)", isInCoreData: true)
    case .countDistinct: FunctionSpelling(sql: "count(DISTINCT %1)")
    case .rank: FunctionSpelling(sql: "rank() OVER (%2ORDER BY %3)")
    case .runningSum:
      FunctionSpelling(
        sql: "coalesce(sum(%1) OVER (%2ORDER BY %4 ROWS UNBOUNDED PRECEDING), 0)")
    case .share: FunctionSpelling(sql: "(%1 * 1.0 / sum(%1) OVER (%2))")
    case .add: FunctionSpelling(sql: "(%1 + %2)", swift: "(%1 + %2)")
    case .subtract: FunctionSpelling(sql: "(%1 - %2)", swift: "(%1 - %2)")
    case .multiply: FunctionSpelling(sql: "(%1 * %2)", swift: "(%1 * %2)")
    case .median, .percentile, .mode, .stddev, .divide, .remainder, .raise, .negate, .bitwiseAnd,
      .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement, .sqrt, .log, .ln, .exp,
      .abs, .ceiling, .floor, .trunc, .round, .random, .randomn, .uppercase, .lowercase, .length,
      .canonical, .trim, .substring, .characterCount, .replace, .split, .firstMatch, .concat,
      .joined, .now, .today, .yesterday, .tomorrow, .date, .year, .month, .day, .hour, .minute,
      .second, .weekday, .startOfDay, .daysBetween, .dateByAdding, .timeBetween, .format, .cast,
      .objectAtIndex, .noindex, .coalesce, .uuid:
      FunctionSpelling()
    }
  }
}
