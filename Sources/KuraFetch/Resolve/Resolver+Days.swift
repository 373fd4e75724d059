import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Warnings about dates that depend on data: a day means its first moment, so it equals none of the values with a time
/// of day.
extension Resolver {
  /// Warns of `timeStamp == "2010-07-20"` if values have a time of day; the probable meaning is the whole day.
  func warnOfDays(in predicate: PredicateTree, _ place: EntityPlace) {
    guard let warnings = environment.warnings else { return }
    let table = snapshot.graph.tables[place.table]
    predicate.walk { node, _ in
      guard case .predicate(let tree) = node, case .comparison(let comparison) = tree.kind,
        comparison.asksForADay(in: environment), case .keyPath(let path) = comparison.left.kind,
        let key = path.onlyKey,
        case .attribute(let column, .date)? = table.layout.slots[place.code][key],
        table.columns[column].holdsTimes(of: table, in: environment.rules)
      else { return .into }
      warnings.note([comparison.warning(ofDay: key, environment.source)], in: environment.source)
      return .into
    }
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

  fileprivate func warning(ofDay key: String, _ source: SourceText?) -> Diagnostic {
    let day = source?.text(right.span) ?? ""
    return Diagnostic(
      FetchWarnings.dayOfMoments(key, day: day), at: left.span.joined(right.span),
      fixIt: FixIt(left.span, "startOfDay(\(key.writtenName))"), severity: .warning)
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
