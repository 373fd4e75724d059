/// The built-in functions: the identity of each, for code that treats some of them in its own way.
///
/// Each case has one entry in the catalogue, a `PredicateFunction`, with all other facts. The
/// engine's loops and the spellings in other languages are tables by these cases.
package enum BuiltInFunction: UInt8, Sendable, CaseIterable {
  // Lists
  case sum, count, countDistinct, min, max, average, median, percentile, mode, stddev
  // Other rows
  case rank, runningSum, share
  // Arithmetic
  case add, subtract, multiply, divide, remainder, raise, negate
  case bitwiseAnd, bitwiseOr, bitwiseXor, leftShift, rightShift, onesComplement
  // Numbers
  case sqrt, log, ln, exp, abs, ceiling, floor, trunc, round, random, randomn
  // Texts
  case uppercase, lowercase, length, canonical, trim, substring, characterCount
  case replace, split, firstMatch, concat, joined
  // Dates
  case now, today, yesterday, tomorrow, date
  case year, month, day, hour, minute, second, weekday, startOfDay
  case daysBetween, dateByAdding, timeBetween, format
  // Values
  case cast, objectAtIndex, noindex, coalesce, uuid
}

extension BuiltInFunction {
  /// Returns the function with a selector; nil for custom functions. Constant time.
  package init?(selector: String) {
    guard let found = PredicateFunction.bySelector[selector]?.builtIn else { return nil }
    self = found
  }

  /// Its description and implementation. Constant time.
  package var entry: PredicateFunction { PredicateFunction.byCase[Int(rawValue)] }
}
