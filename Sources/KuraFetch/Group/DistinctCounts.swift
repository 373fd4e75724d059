import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates

/// The results of `countDistinct(x)` for each group.
///
/// The rows are grouped by the keys and the value, and the groups with each key are counted.
struct DistinctCounts: Sendable {
  private let counts: [Int64]

  /// Returns nil for every other aggregate, and if the values cannot be computed as a column.
  init?(
    _ aggregate: CheckedAggregate, _ request: BoundRequest, by keys: [ExpressionTree],
    _ passing: [Bitmap], _ slots: GroupSlots
  ) throws(Diagnostic) {
    guard DistinctCounts.canCount(aggregate, request),
      let nulls = DistinctCounts.nulls(aggregate.argument, request, passing)
    else { return nil }
    let known = zip(passing, nulls).map { rows, nulls in
      var rows = rows
      if let nulls { rows.subtract(nulls) }
      return rows
    }
    let pairs = try GroupSlots(request, known, by: keys + [aggregate.argument])
    var isCounted = [Bool](repeating: false, count: pairs.count)
    isCounted[0] = true
    var counts = [Int64](repeating: 0, count: slots.count)
    for chunk in 0..<slots.chunkCount {
      try request.environment.checkStopped()
      for (slot, pair) in zip(slots.slots(chunk), pairs.slots(chunk)) where !isCounted[Int(pair)] {
        isCounted[Int(pair)] = true
        counts[Int(slot)] += 1
      }
    }
    self.counts = counts
  }

  /// Returns whether this can count an aggregate, as far as is known without reading rows.
  static func canCount(_ aggregate: CheckedAggregate, _ request: BoundRequest) -> Bool {
    aggregate.function.builtIn == .countDistinct
      && (request.typeOfColumn(aggregate.argument) != nil
        || request.links(aggregate.argument) != nil)
  }

  /// Returns the rows of each chunk without a value; nil if there is no column.
  private static func nulls(
    _ tree: ExpressionTree, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> [Bitmap?]? {
    if let links = request.links(tree) {
      let last = UInt32(truncatingIfNeeded: links.count - 1)
      return rows.indices.map { links.codes($0).rows { $0 == last } }
    }
    // A text that is not a decimal counts as nil.
    guard let values = request.wholeColumn(tree, rows, textsAsCodes: true),
      !values.areTextsOfDecimals
    else { return nil }
    return values.column.chunks.map(\.nulls)
  }

  /// Returns the number for each slot.
  func values(_ slots: [Int]) -> AggregateValues {
    AggregateValues(integers: slots.map { counts[$0] })
  }
}

extension BoundRequest {
  /// Returns the destinations of a to-one relationship as codes; nil for other expressions, and if links may lead to
  /// deleted objects.
  fileprivate func links(_ tree: ExpressionTree) -> Encoding? {
    let graph = snapshot.graph
    let table = graph.tables[place.table]
    guard let key = tree.onlyKey, !graph.mayDangle,
      case .toOne(let column, let destination)? = table.layout.slots[place.code][key]
    else { return nil }
    return Encoding(cells: table.columns[column], values: graph.tables[destination].count)
  }
}
