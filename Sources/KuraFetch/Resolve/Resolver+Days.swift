import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Warnings about dates that depend on data: a day means its first moment, so it equals none of the values with a time
/// of day.
extension AttributeComparison {
  /// Returns a warning of `timeStamp == "2010-07-20"` if values have a time of day; the probable meaning is the whole day.
  func warningOfDay(_ column: Column, of table: Table, _ environment: FetchEnvironment)
    -> Diagnostic?
  {
    guard path == comparison.left, comparison.asksForADay(in: environment),
      column.holdsTimes(of: table, in: environment.rules)
    else { return nil }
    let (key, day) = (environment.text(of: path), environment.text(of: other))
    return Diagnostic(
      FetchWarnings.dayOfMoments(key, day: day), at: path.span.joined(other.span),
      fixIt: FixIt(path.span, "startOfDay(\(key))"), severity: .warning)
  }
}

extension Comparison {
  /// Returns whether it compares for equality with dates written as days.
  fileprivate func asksForADay(in environment: FetchEnvironment) -> Bool {
    guard modifier == .direct else { return false }
    switch (operation, right.kind) {
    case (.equal, .constant), (.notEqual, .constant): return right.isDay(in: environment)
    case (.in, .aggregate(let days)):
      return !days.isEmpty && days.allSatisfy { $0.isDay(in: environment) }
    default: return false
    }
  }
}

extension ExpressionTree {
  /// Returns whether it is a date written without a time of day.
  func isDay(in environment: FetchEnvironment) -> Bool {
    guard case .constant(let constant) = kind, case .date(let moment) = constant.value,
      moment.isMidnight(in: environment.rules), let text = environment.source?.text(span)
    else { return false }
    return text.hasPrefix("\"") || text.hasPrefix("'")
      ? !text.contains(":") && !text.contains("時") : false
  }
}

extension Column {
  /// Returns whether most of the first values have a time of day.
  fileprivate func holdsTimes(of table: Table, in zone: ZoneRules) -> Bool {
    let rows = (0..<table.count).lazy.filter(table.isLive).prefix(256)
    let moments = rows.compactMap { row -> Timestamp? in
      if case .date(let moment) = value(row) { moment } else { nil }
    }
    return moments.count(where: { !$0.isMidnight(in: zone) }) * 2 > moments.count
  }
}
