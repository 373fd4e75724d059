import Foundation
import KuraPredicates
import KuraValues

extension ExpressionTree {
  /// The value of a literal or of a list of literals; nil for other expressions.
  var literal: Value? {
    switch kind {
    case .constant(let constant): return constant.value
    // Deeper lists are left to the evaluator, because freeing them recurses.
    case .aggregate(let parts) where height <= 64:
      return parts.mapAll(\.literal).map { .list($0) }
    default: return nil
    }
  }

  /// The number of elements of a constant list; nil for other expressions.
  var elementCount: Int? {
    guard case .constant(let constant) = kind else { return nil }
    return constant.objects?.count ?? constant.value.elements?.count
  }
}

extension Comparison {
  /// `3 < priority` as `priority > 3`, `"x" IN title` as `title CONTAINS "x"`, `{1, 2} CONTAINS priority` as `priority
  /// IN {1, 2}`; nil for an operator without a mirrored form.
  var turned: Comparison? {
    guard modifier == .direct else { return nil }
    var result = self
    swap(&result.left, &result.right)
    switch (operation, left.literal) {
    case (.in, let element?) where element.elements == nil && !element.isNull:
      result.operation = .contains
    case (.contains, let list?) where list.elements != nil: result.operation = .in
    default:
      guard let mirrored = operation.mirrored else { return nil }
      result.operation = mirrored
    }
    return result
  }
}

extension Value {
  /// Returns the integers (dates, Booleans) that satisfy a comparison with this literal; for `!=`, the integers of
  /// `==`.
  func integerRanges(_ operation: ComparisonOperator) -> [ClosedRange<Int64>]? {
    switch operation {
    case .equal, .notEqual: return integerBounds.map { $0.isExact ? [$0.low...$0.low] : [] }
    case .less: return integerBounds.flatMap { below($0.isExact ? $0.low : $0.high) }
    case .lessOrEqual: return integerBounds.map { [.min...$0.low] }
    case .greater: return integerBounds.flatMap { above($0.isExact ? $0.high : $0.low) }
    case .greaterOrEqual: return integerBounds.map { [$0.high ... .max] }
    case .between:
      guard case .list(let bounds) = self, bounds.count == 2, let low = bounds[0].integerBounds,
        let high = bounds[1].integerBounds
      else { return nil }
      return low.high <= high.low ? [low.high...high.low] : []
    case .in: return elements?.integerPoints
    case .matches, .like, .beginsWith, .endsWith, .contains, .selector, .unsupported: return nil
    }
  }

  private func below(_ bound: Int64) -> [ClosedRange<Int64>]? {
    bound == .min ? [] : [.min...bound - 1]
  }

  private func above(_ bound: Int64) -> [ClosedRange<Int64>]? {
    bound == .max ? [] : [bound + 1 ... .max]
  }

  /// The integers next to a number, both equal to it if it is an integer; nil for other values.
  private var integerBounds: (low: Int64, high: Int64, isExact: Bool)? {
    switch self {
    case .integer(let number): (number, number, true)
    case .boolean(let flag): (flag ? 1 : 0, flag ? 1 : 0, true)
    case .date(let date): (date.microseconds, date.microseconds, true)
    case .double(let number):
      // Beyond 2^53, neighboring doubles are not neighboring integers.
      if number.magnitude < 0x1p53 {
        (Int64(number.rounded(.down)), Int64(number.rounded(.up)), number == number.rounded())
      } else {
        nil
      }
    case .null, .decimal, .string, .uuid, .uri, .binary, .list, .set, .dictionary, .object: nil
    }
  }

  private var elements: [Value]? {
    if case .list(let elements) = self { elements } else { nil }
  }
}

extension [Value] {
  /// The integers in ascending order, with consecutive ones as one range; null and fractions equal none. Nil for other
  /// values.
  fileprivate var integerPoints: [ClosedRange<Int64>]? {
    guard let points = filter({ !$0.isNull }).mapAll({ $0.integerRanges(.equal) }) else {
      return nil
    }
    var ranges: [ClosedRange<Int64>] = []
    for point in points.joined().map(\.lowerBound).sorted() {
      if let last = ranges.last, point <= last.upperBound || point - 1 == last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound...point
      } else {
        ranges.append(point...point)
      }
    }
    return ranges
  }
}

extension Value {
  /// Returns the doubles that satisfy a comparison with this literal; for `!=`, the doubles of `==`.
  func doubleRanges(_ operation: ComparisonOperator) -> [ClosedRange<Double>]? {
    let infinity = Double.infinity
    switch operation {
    case .equal, .notEqual: return exactDouble.map { [$0...$0] }
    case .less: return exactDouble.map { [-infinity...$0.nextDown] }
    case .lessOrEqual: return exactDouble.map { [-infinity...$0] }
    case .greater: return exactDouble.map { [$0.nextUp...infinity] }
    case .greaterOrEqual: return exactDouble.map { [$0...infinity] }
    case .between:
      guard case .list(let bounds) = self, bounds.count == 2, let low = bounds[0].exactDouble,
        let high = bounds[1].exactDouble
      else { return nil }
      return low <= high ? [low...high] : []
    case .in, .matches, .like, .beginsWith, .endsWith, .contains, .selector, .unsupported:
      return nil
    }
  }

  /// The number as a double, if it is exact.
  private var exactDouble: Double? {
    switch self {
    case .double(let number): number
    case .integer(let number): Double(exactly: number)
    case .boolean(let flag): flag ? 1 : 0
    case .null, .decimal, .string, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
      nil
    }
  }
}
