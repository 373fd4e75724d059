import KuraPredicates

// Window functions: `rank() per category`, `runningSum(cost)`, `share(cost)`
extension SQLWriter {
  /// Returns a call of a window function; nil for other functions.
  func window(_ call: FunctionCall) -> String? {
    guard let function = call.builtIn, function.entry.isWindow, let template = function.spelling.sql
    else { return nil }
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
