import KuraValues

/// Statistics of lists of values.
package enum Statistics {
  /// Returns the sum. Nil counts as 0; the sum of an empty list is 0.
  static func sum(_ values: [Value]) throws(EvaluationError) -> Value {
    if let sum = integerSum(values) {
      guard let sum = Int64(exactly: sum) else { throw .overflow }
      return .integer(sum)
    }
    do throws(EvaluationError) { return try sum(inOrder: values) } catch {
      guard error == .overflow, values.allSatisfy(\.isExactNumber) else { throw error }
      return try sum(balanced: values)
    }
  }

  private static func sum(inOrder values: [Value]) throws(EvaluationError) -> Value {
    var sum: Value = 0
    for value in values where !value.isNull { sum = try compute(.add, sum, value) }
    return sum
  }

  /// Returns the sum of decimals whose intermediate sums could overflow. Each step adds a number of
  /// the opposite sign, as long as there is one.
  private static func sum(balanced values: [Value]) throws(EvaluationError) -> Value {
    var negative = values.filter(\.isNegative)
    var others = values.filter { !$0.isNull && !$0.isNegative }
    var sum: Value = 0
    while let next = sum.isNegative
      ? others.popLast() ?? negative.popLast() : negative.popLast() ?? others.popLast()
    {
      sum = try compute(.add, sum, next)
    }
    return sum
  }

  /// Returns the sum of integers with 128-bit intermediate sums; nil if there are other values.
  private static func integerSum(_ values: [Value]) -> Int128? {
    var sum: Int128 = 0
    for value in values where !value.isNull {
      guard case .integer(let number) = value else { return nil }
      sum += Int128(number)
    }
    return sum
  }

  /// Returns the average. Nil counts as 0, and is counted; the average of an empty list is 0.
  static func average(_ values: [Value]) throws(EvaluationError) -> Value {
    guard !values.isEmpty else { return 0 }
    do throws(EvaluationError) { return try mean(sum(values), of: values.count) } catch {
      // If the sum overflows, the mean may still be representable.
      guard error == .overflow else { throw error }
      return try meanOfShares(values)
    }
  }

  /// Returns the average for a sum and a count; 0 if the count is 0.
  package static func average(sum: Value, count: Int) throws(EvaluationError) -> Value {
    count == 0 ? 0 : try mean(sum, of: count)
  }

  /// Returns the mean as the sum of each value's share.
  private static func meanOfShares(_ values: [Value]) throws(EvaluationError) -> Value {
    if values.allSatisfy(\.isExactNumber), values.contains(where: { $0.kind == .decimal }) {
      return try exactMeanOfShares(values)
    }
    let count = Double(values.count)
    let mean = values.reduce(0) { $0 + ($1.approximateNumber ?? 0) / count }
    return try evaluating { () throws(ValueError) in try Value.finite(mean) }
  }

  /// Returns the mean of decimals. Each is split into a multiple of the count and a remainder.
  private static func exactMeanOfShares(_ values: [Value]) throws(EvaluationError) -> Value {
    let count = Value.integer(Int64(values.count))
    var (shares, remainders): (Value, Value) = (0, 0)
    for value in values where !value.isNull {
      let remainder = try compute(.remainder, value, count)
      let share = try compute(.divide, compute(.subtract, value, remainder), count)
      shares = try compute(.add, shares, share)
      remainders = try compute(.add, remainders, remainder)
    }
    return try compute(.add, shares, compute(.divide, remainders, count))
  }

  /// Returns a quotient with its fraction: the average of {1, 2} is 1.5.
  private static func mean(_ sum: Value, of count: Int) throws(EvaluationError) -> Value {
    if case .decimal = sum { return try compute(.divide, sum, .integer(Int64(count))) }
    return try compute(.divide, sum, .double(Double(count)))
  }

  /// Returns the least (`.before`) or greatest (`.after`) value that is not nil; nil if there is
  /// none.
  static func extreme(_ values: [Value], _ wanted: ValueOrder) throws(EvaluationError) -> Value {
    var best = Value.null
    for value in values where !value.isNull {
      if best.isNull {
        best = value
      } else if try order(value, best) == wanted {
        best = value
      }
    }
    return best
  }

  /// Returns the median, or the mean of the two middle values; nil for an empty list.
  static func median(_ values: [Value]) throws(EvaluationError) -> Value {
    let sorted = try numbers(values).sorted { Value.sortOrder($0, $1) == .before }
    guard let last = sorted.last else { return .null }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted.indices.contains(middle) ? sorted[middle] : last }
    return try average([sorted[middle - 1], sorted[middle]])
  }

  /// Returns the number at a percentage of the way from the least to the greatest, or a number between two; nil for an
  /// empty list. It is computed like Excel's PERCENTILE.INC and SQL's PERCENTILE_CONT.
  static func percentile(
    _ values: [Value], _ percentage: Value, _ context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    let takesOthers = context.otherKinds != nil
    let values = takesOthers ? values.filter { (try? $0.number()) != nil } : values
    let sorted = try numbers(values).sorted { Value.sortOrder($0, $1) == .before }
    guard let last = sorted.last else { return .null }
    guard let share = percentage.approximateNumber else {
      throw .wrongArgument(expected: "a number", percentage.kind)
    }
    guard (0...100).contains(share) else { throw .notInRange(share, 0...100) }
    let place = Double(sorted.count - 1) * share / 100
    let before = Int(place)
    guard before + 1 < sorted.count else { return last }
    return try between(sorted[before], sorted[before + 1], place - Double(before))
  }

  /// Returns the number at a share of the way between two: a decimal between decimals, otherwise a double.
  package static func between(
    _ a: Value, _ b: Value, _ share: Double
  ) throws(EvaluationError) -> Value {
    if share == 0 { return a }
    guard case .decimal = a, case .decimal = b else {
      guard let x = a.approximateNumber, let y = b.approximateNumber else { return .null }
      return .double(x + (y - x) * share)
    }
    // Places from the tenth on are errors of the double.
    let exact = ScaledDecimal(Int128((share * 1e9).rounded()), places: 9).value
    return try compute(.add, a, compute(.multiply, compute(.subtract, b, a), exact))
  }

  /// Returns the most frequent values, in order of appearance.
  static func mode(_ values: [Value]) -> Value {
    let values = values.filter { !$0.isNull }
    let counts = values.reduce(into: [Value: Int]()) { $0[$1, default: 0] += 1 }
    let most = counts.values.max()
    return .list(ValueSet(values.filter { counts[$0] == most }).elements)
  }

  /// Returns the standard deviation of a population; nil for an empty list.
  static func deviation(_ values: [Value]) throws(EvaluationError) -> Value {
    let numbers = try numbers(values).compactMap(\.approximateNumber)
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let distances = numbers.map { $0 - mean }
    let deviation = deviation(
      count: Double(numbers.count), sum: distances.reduce(0, +),
      squares: distances.reduce(0) { $0 + $1 * $1 })
    return try evaluating { () throws(ValueError) in try Value.finite(deviation) }
  }

  /// Returns the standard deviation of numbers from the sum of their distances from the mean and of the squares of these.
  ///
  /// The sum is not 0 if the mean was rounded; subtracting it corrects the squares.
  package static func deviation(count: Double, sum: Double, squares: Double) -> Double {
    let variance = (squares - sum * sum / count) / count
    return variance < 0 ? 0 : variance.squareRoot()
  }

  private static func numbers(_ values: [Value]) throws(EvaluationError) -> [Value] {
    try evaluating { () throws(ValueError) in
      var numbers: [Value] = []
      for value in values where !value.isNull { numbers.append(try value.number()) }
      return numbers
    }
  }

  private static func order(_ a: Value, _ b: Value) throws(EvaluationError) -> ValueOrder {
    try evaluating { () throws(ValueError) in try Value.order(a, b) }
  }

  private static func compute(
    _ operation: ArithmeticOperation, _ a: Value, _ b: Value
  ) throws(EvaluationError) -> Value {
    try evaluating { () throws(ValueError) in try Value.compute(operation, a, b) }
  }
}

extension Value {
  /// Whether it is an exact number. Nil counts as 0.
  fileprivate var isExactNumber: Bool {
    switch self {
    case .null, .boolean, .integer, .decimal: true
    case .double, .string, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object: false
    }
  }

  fileprivate var isNegative: Bool { (approximateNumber ?? 0) < 0 }
}

// `sum({1, 2})`, `max(1, 5, 10)`
extension PredicateFunction {
  static let statistics = [
    sum, count, countDistinct, min, max, average, median, percentile, mode, stddev,
  ]

  private static let sum = apple(
    .sum, "sum:", .list(of: .number), .numberLikeElements, "the sum of a list of numbers",
    ("sum({1, 2, 3})", "6"), ofElements(Statistics.sum))

  private static let count = apple(
    .count, "count:", .list(of: .any), .number, "the number of elements in a list",
    ("count({1, 1, 2})", "3"),
    ofElements { .integer(Int64($0.count)) })

  private static let countDistinct = own(
    .countDistinct, "countDistinct", .list(of: .any), .number,
    "the number of different elements that are not nil",
    ("countDistinct({1, 1, 2})", "2"),
    ofElements { .integer(Int64(Set($0.lazy.filter { !$0.isNull }).count)) }
  ).within(0 ... .infinity)

  private static let min = apple(
    .min, "min:", .list(of: .any), .element, "the smallest element of a list",
    ("min({3, 1, 2})", "1"),
    ofElements { values throws(EvaluationError) in try Statistics.extreme(values, .before) })

  private static let max = apple(
    .max, "max:", .list(of: .any), .element, "the largest element of a list",
    ("max({3, 1, 2})", "3"),
    ofElements { values throws(EvaluationError) in try Statistics.extreme(values, .after) })

  private static let average = apple(
    .average, "average:", .list(of: .number), .number, "the mean of a list of numbers",
    ("average({1, 2, 6})", "3.0"), ofElements(Statistics.average)
  ).called("avg", "avg:").knownElsewhere(as: "mean")

  private static let median = apple(
    .median, "median:", .list(of: .number), .number,
    "the middle of the sorted numbers, or the mean of the two middle ones",
    ("median({1, 2, 9})", "2"),
    ofElements(Statistics.median))

  private static let percentile = own(
    .percentile, "percentile", [.collection, .number], .number,
    "the number at a percentage of a list's sorted numbers, interpolated between two of them",
    ("percentile({1, 2, 3, 5}, 50)", "2.5")
  ) { (arguments, context) throws(EvaluationError) in
    if arguments.contains(where: \.isNull) { return .null }
    guard let elements = arguments[0].elements else {
      throw .wrongArgument(expected: "a list", arguments[0].kind)
    }
    return try Statistics.percentile(elements, arguments[1], context)
  }.ofGroups.knownElsewhere(as: "percentile_cont", "quantile", "quantile_cont")

  /// The values of a group, for functions of lists such as `joined`. It cannot be called by name.
  package static let elements = own(
    nil, "elements", .list(of: .any), .collection, "the values of a list", ("elements({1})", "{1}"),
    ofElements { .list($0) })

  private static let mode = apple(
    .mode, "mode:", .list(of: .any), .collection, "a list of the values that occur most often",
    ("mode({1, 2, 2})", "{2}"), ofElements { Statistics.mode($0) })

  private static let stddev = apple(
    .stddev, "stddev:", .list(of: .number), .number,
    "the population standard deviation of a list of numbers",
    ("stddev({1, 3})", "1.0"), ofElements(Statistics.deviation))

  private static func ofElements(
    _ body: @escaping @Sendable ([Value]) throws(EvaluationError) -> Value
  ) -> Body {
    { (arguments, _) throws(EvaluationError) in
      guard arguments.count == 1, let only = arguments.first else { return try body(arguments) }
      if only.isNull { return try body([]) }
      return try body(only.elements ?? [only])
    }
  }
}
