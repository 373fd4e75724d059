import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates

/// The results of `countDistinct(x)` or `mode(x)` for each group.
///
/// The rows are grouped by the keys and the value. Of the groups with the same keys, `countDistinct` is the number, and
/// `mode` lists the values of the largest.
struct DistinctValues: Sendable {
  private let results: Results

  /// The results per slot.
  private enum Results {
    case counts([Int64])
    case modes([Value])
  }

  /// Returns nil for every other aggregate, and if the values cannot be computed as a column.
  init?(
    _ aggregate: CheckedAggregate, _ request: BoundRequest, by keys: [ExpressionTree],
    _ passing: [Bitmap], _ slots: GroupSlots
  ) throws(Diagnostic) {
    guard DistinctValues.canFind(aggregate, request),
      let nulls = DistinctValues.nulls(aggregate.argument, request, passing)
    else { return nil }
    let known = zip(passing, nulls).map { $0.subtracting($1) }
    let pairs = try GroupSlots(request, known, by: keys + [aggregate.argument])
    results =
      aggregate.function.builtIn == .mode
      ? .modes(try request.modes(of: aggregate.argument, pairs, slots))
      : .counts(try request.counts(pairs, slots))
  }

  /// Returns whether this can compute an aggregate, as far as is known without reading rows.
  static func canFind(_ aggregate: CheckedAggregate, _ request: BoundRequest) -> Bool {
    [.countDistinct, .mode].contains(aggregate.function.builtIn)
      && (request.typeOfColumn(aggregate.argument) != nil
        || request.object(aggregate.argument) != nil)
  }

  /// Returns the rows of each chunk without a value; nil if there is no column.
  private static func nulls(
    _ tree: ExpressionTree, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> [Bitmap?]? {
    if let object = request.object(tree) {
      let table = request.table
      return rows.enumerated().map { number, rows in
        let objects = object.objects(ChunkRows(table: table, number: number, candidates: rows))
        return Bitmap(objects) { $0 == noRow }
      }
    }
    // A text that is not a decimal counts as nil.
    guard let values = request.wholeColumn(tree, rows, textsAsCodes: true),
      !values.areTextsOfDecimals
    else { return nil }
    return values.column.chunks.map(\.nulls)
  }

  /// Returns the result for each slot.
  func values(_ slots: [Int]) -> AggregateValues {
    switch results {
    case .counts(let counts): AggregateValues(integers: slots.map { counts[$0] })
    case .modes(let modes): AggregateValues(slots.map { modes[$0] })
    }
  }
}

extension BoundRequest {
  /// Returns the number of pairs of each slot.
  fileprivate func counts(_ pairs: GroupSlots, _ slots: GroupSlots) throws(Diagnostic) -> [Int64] {
    var isCounted = [Bool](repeating: false, count: pairs.count)
    isCounted[0] = true
    var counts = [Int64](repeating: 0, count: slots.count)
    for chunk in 0..<slots.chunkCount {
      try environment.checkStopped()
      for (slot, pair) in zip(slots.slots(chunk), pairs.slots(chunk)) where !isCounted[Int(pair)] {
        isCounted[Int(pair)] = true
        counts[Int(slot)] += 1
      }
    }
    return counts
  }

  /// Returns the values of each slot's largest pairs, in the order of their first rows; null without pairs.
  fileprivate func modes(
    of tree: ExpressionTree, _ pairs: GroupSlots, _ slots: GroupSlots
  ) throws(Diagnostic) -> [Value] {
    var sizes = [Int](repeating: 0, count: pairs.count)
    var most = [Int](repeating: 1, count: slots.count)
    for chunk in 0..<slots.chunkCount {
      try environment.checkStopped()
      for (slot, pair) in zip(slots.slots(chunk), pairs.slots(chunk)) where pair != 0 {
        sizes[Int(pair)] += 1
        most[Int(slot)] = max(most[Int(slot)], sizes[Int(pair)])
      }
    }
    var largest: (slots: [Int], rows: [UInt32]) = ([], [])
    for chunk in 0..<slots.chunkCount {
      let first = chunk << ColumnChunk.shift
      for (row, (slot, pair)) in zip(slots.slots(chunk), pairs.slots(chunk)).enumerated()
      where sizes[Int(pair)] == most[Int(slot)] {
        largest.slots.append(Int(slot))
        largest.rows.append(UInt32(truncatingIfNeeded: first + row))
        sizes[Int(pair)] = 0
      }
    }
    var lists = [[Value]](repeating: [], count: slots.count)
    for (slot, value) in zip(largest.slots, try values(of: tree, largest.rows)) {
      lists[slot].append(value)
    }
    return lists.map { $0.isEmpty ? .null : .list($0) }
  }
}
