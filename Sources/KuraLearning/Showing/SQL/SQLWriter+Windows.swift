import KuraPredicates

// Window functions: `rank() per category`, `runningSum(cost)`, `share(cost)`
extension SQLWriter {
  /// The window functions. `%1` is the argument, `%2` the division into parts, `%3` the order, and `%4` the order in
  /// which no two rows are equal.
  private static let windows: [PredicateFunction: Template] = [
    .rank: "rank() OVER (%2ORDER BY %3)",
    .runningSum: "coalesce(sum(%1) OVER (%2ORDER BY %4 ROWS UNBOUNDED PRECEDING), 0)",
    .share: "(%1 * 1.0 / sum(%1) OVER (%2))",
  ]

  /// Returns a call of a window function; nil for other functions.
  func window(_ call: FunctionCall) -> String? {
    guard let function = call.function, let template = Self.windows[function] else { return nil }
    let fetch = typed.fetch
    let keys = call.windowKey.map { $0.elementsOfList ?? [$0] } ?? []
    let part = keys.map(side).joined(separator: ", ")
    let order = fetch.sort.map { term($0, side($0.expression)) }
    return template(
      call.argumentsInParentheses.first.map(aggregate) ?? "",
      part.isEmpty ? "" : "PARTITION BY \(part) ",
      (order.isEmpty ? lastKeys : order).joined(separator: ", "),
      (order + lastKeys).joined(separator: ", "))
  }
}
