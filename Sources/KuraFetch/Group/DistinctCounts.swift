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
      let values = request.wholeColumn(aggregate.argument, passing, textsAsCodes: true),
      // A text that is not a decimal counts as nil.
      !values.areTextsOfDecimals
    else { return nil }
    let known = zip(passing, values.column.chunks).map { rows, chunk in
      var rows = rows
      if let nulls = chunk.nulls { rows.subtract(nulls) }
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
    aggregate.function == .countDistinct && request.typeOfColumn(aggregate.argument) != nil
  }

  /// Returns the number for each slot.
  func values(_ slots: [Int]) -> AggregateValues {
    AggregateValues(integers: slots.map { counts[$0] })
  }
}
