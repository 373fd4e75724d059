import KuraBytes
import KuraGraph
import KuraPredicates
import KuraValues

/// The range that must contain a value of the joined objects, for each row: `$v.day < day AND $v.day >= day - 7`.
///
/// The objects with the same keys are sorted by this value, so each row needs two binary searches.
struct JoinRange: Sendable {
  /// The expression of the objects.
  private let tree: ExpressionTree
  fileprivate let inner: any VectorNode
  fileprivate private(set) var lower: Bound?
  fileprivate private(set) var upper: Bound?
  /// Ranges of other values, each with one bound, for which the objects in this range are tested one by one.
  fileprivate private(set) var others: [JoinRange] = []

  /// A bound: an expression of the rows.
  fileprivate struct Bound {
    let outer: any VectorNode
    let isInclusive: Bool
  }
}

extension JoinRange {
  /// Creates a range with one bound; returns nil if values of these kinds are not compared here.
  init?(
    _ tree: ExpressionTree, _ inner: any VectorNode, _ operation: ComparisonOperator,
    _ outer: any VectorNode
  ) {
    guard inner.kind == outer.kind, inner.kind.isOrderable else { return nil }
    (self.tree, self.inner) = (tree, inner)
    switch operation {
    case .less, .lessOrEqual:
      upper = Bound(outer: outer, isInclusive: operation == .lessOrEqual)
    case .greater, .greaterOrEqual:
      lower = Bound(outer: outer, isInclusive: operation == .greaterOrEqual)
    default: return nil
    }
  }

  /// Returns the range with another one, which has one bound.
  func intersected(with other: JoinRange) -> JoinRange {
    var result = self
    if tree == other.tree, (lower == nil) != (other.lower == nil),
      (upper == nil) != (other.upper == nil)
    {
      result.lower = lower ?? other.lower
      result.upper = upper ?? other.upper
    } else {
      result.others.append(other)
    }
    return result
  }

  /// The approximate number of nanoseconds per row: two searches, and tests of objects.
  var cost: Double { others.isEmpty ? 100 : 1000 }

  /// Whether it has one bound.
  private var isOpen: Bool { lower == nil || upper == nil }

  /// Returns whether the range allows an aggregate. The running least value is known only from the beginning or the end
  /// of the sorted objects, and doubles must be added in the order of the table.
  func allows(_ operation: SummaryNode.Operation, _ kind: VectorKind?) -> Bool {
    switch (operation, kind) {
    case (.count, nil), (.sum, .integer?), (.sum, .decimal?), (.avg, .integer?): true
    case (.min, let kind?), (.max, let kind?): (isOpen || !others.isEmpty) && kind.isOrderable
    default: false
    }
  }
}

extension VectorKind {
  /// Whether its values can be sorted as integers.
  fileprivate var isOrderable: Bool { [.integer, .date, .double, .decimal].contains(self) }
}

/// Values as integers in their order.
struct OrderedValues: Sendable {
  let values: [Int64]
  let nulls: Bitmap?
  /// The rows with NaN, which is in no range.
  var unordered: Bitmap?
  let fallback: Bitmap?

  init(_ vector: Vector, _ count: Int) {
    (nulls, fallback) = (vector.nulls, vector.fallback)
    guard case .doubles(let lane) = vector.values else {
      values = vector.integers.spread(count)
      return
    }
    values = lane.map { Int64(orderedWord: $0.orderedBits) }.spread(count)
    unordered = lane.rows(count) { $0.isNaN }
  }

  /// Returns whether one of some rows is left to the reference evaluator.
  func isOpen(in rows: Bitmap) -> Bool { fallback.map { !$0.intersection(rows).isEmpty } ?? false }
}

extension JoinRange {
  /// Returns the range as a condition; nil if a value of an object is left to the reference evaluator.
  fileprivate func condition(_ objects: [ChunkRows], _ rows: [ChunkRows]) -> JoinCondition? {
    guard let bound = lower ?? upper else { return nil }
    let chunks = objects + rows
    let vectors = inner.vectors(objects) + bound.outer.vectors(rows)
    guard let aligned = AlignedVectors(vectors, chunks.map(\.candidates)) else { return nil }
    let ordered = zip(aligned.vectors, chunks).map { OrderedValues($0, $1.count) }
    for (values, rows) in zip(ordered, objects) where values.isOpen(in: rows.candidates) {
      return nil
    }
    return JoinCondition(
      inner: Array(ordered[..<objects.count]), outer: Array(ordered[objects.count...]),
      isLower: lower != nil, isInclusive: bound.isInclusive)
  }
}

/// A comparison of a value of the joined objects with one of the rows.
private struct JoinCondition: Sendable {
  /// The values of the objects, and of the rows, by chunk.
  let inner: [OrderedValues]
  let outer: [OrderedValues]
  /// Whether the objects' values must be greater.
  let isLower: Bool
  let isInclusive: Bool

  /// Returns whether it holds for a cell of an object and one of a row.
  func holds(_ object: OrderedValues.Cell, _ row: OrderedValues.Cell) -> Bool {
    switch (object, row) {
    // As elsewhere, `nil <= nil` is true.
    case (.null, .null): isInclusive
    case (.value(let x), .value(let y)):
      isLower ? (isInclusive ? x >= y : x > y) : (isInclusive ? x <= y : x < y)
    default: false
    }
  }
}

extension OrderedValues {
  enum Cell {
    case value(Int64)
    case null, unordered
  }

  func cell(_ row: Int) -> Cell {
    if nulls?[row] == true { return .null }
    return unordered?[row] == true ? .unordered : .value(values[row])
  }
}

extension VectorNode {
  fileprivate func vectors(_ chunks: [ChunkRows]) -> [Vector] {
    prepare()
    return Workers.map(count: chunks.count, inParallel: chunks.count > 2) { vector(chunks[$0]) }
  }
}

/// The values that are aggregated, as integers.
private struct AggregatedValues: Sendable {
  let kind: VectorKind?
  /// The values by chunk; empty if objects are counted.
  let chunks: [OrderedValues]
  let scale: DecimalScale?

  /// Returns nil if a value must be left to the reference evaluator.
  init?(_ node: (any VectorNode)?, _ objects: [ChunkRows]) {
    kind = node?.kind
    let vectors = node?.vectors(objects) ?? []
    guard let aligned = AlignedVectors(vectors, objects.map(\.candidates)) else { return nil }
    scale = aligned.scale
    chunks = zip(aligned.vectors, objects).map { OrderedValues($0, $1.count) }
    for (values, rows) in zip(chunks, objects) where values.isOpen(in: rows.candidates) {
      return nil
    }
    for (vector, rows) in zip(aligned.vectors, objects) {
      // The reference evaluator decides about NaN, and which zero is the first.
      guard case .doubles(let lane) = vector.values else { continue }
      let odd = lane.rows(rows.count) { !$0.isFinite || $0 == 0 && $0.sign == .minus }
      if !odd.intersection(rows.candidates).subtracting(vector.nulls).isEmpty { return nil }
    }
  }
}

/// The joined objects, sorted by their key and the value that the range is about.
struct SortedObjects: Sendable {
  /// The bounds of the rows, by chunk, and whether they are in the range; nil for a range without one.
  fileprivate typealias Bounds = (values: ArraySlice<OrderedValues>, isInclusive: Bool)?

  private struct Entry {
    var position: Int64
    var value: Int64
    var hasValue: Bool
    var chunk: Int32
    var row: Int32
  }

  /// The beginning of the objects of each key, and the end of all.
  private var starts: [Int]
  /// For each key, the first of its objects without a position; they follow the others.
  private var middles: [Int]
  private var positions: [Int64] = []
  /// For sums, the sum of the values before each object, and of all. Otherwise the best value from the beginning or end
  /// of the object's key to the object.
  private var running: [Int64] = []
  /// The number of objects with a value before each object, and of all.
  private var counts: [Int] = []
  /// The conditions that each object in the range must fulfill, with the cells of the objects; then the value of each
  /// object, or nil.
  private var conditions: [(condition: JoinCondition, cells: [OrderedValues.Cell])] = []
  private var worth: [Int64?] = []
  private let values: AggregatedValues
  private let operation: SummaryNode.Operation
  private let lower: Bounds
  private let upper: Bounds
  private let cancel: CancelFlag
}

extension SortedObjects {
  /// Sorts objects for an aggregate. Returns nil if a value is left to the reference evaluator, a sum may overflow, or
  /// the work was cancelled.
  ///
  /// - Parameters:
  ///   - node: The aggregated value; nil to count objects.
  ///   - numbers: The numbers of the keys, less than `count`: by chunk of the objects, then of the rows.
  init?(
    in range: JoinRange, for operation: SummaryNode.Operation, of node: (any VectorNode)?,
    _ objects: [ChunkRows], _ rows: [ChunkRows], _ numbers: [[UInt32]], count: Int,
    _ cancel: CancelFlag
  ) {
    let bounds = [range.lower, range.upper].compactMap(\.self)
    let chunks = objects + bounds.flatMap { _ in rows }
    let vectors = range.inner.vectors(objects) + bounds.flatMap { $0.outer.vectors(rows) }
    guard let aligned = AlignedVectors(vectors, chunks.map(\.candidates)) else { return nil }
    let ordered = zip(aligned.vectors, chunks).map { OrderedValues($0, $1.count) }
    guard
      let values = AggregatedValues(node, objects),
      // The numbers of long decimals have their order, but not their sums.
      values.scale?.isShort != false || operation == .min || operation == .max,
      let conditions = range.others.mapAll({ $0.condition(objects, rows) })
    else { return nil }
    let first = objects.count
    (self.values, self.operation, self.cancel) = (values, operation, cancel)
    lower = range.lower.map { (ordered[first..<first + rows.count], $0.isInclusive) }
    upper = range.upper.map { (ordered.suffix(rows.count), $0.isInclusive) }
    starts = Array(repeating: 0, count: count + 1)
    middles = Array(repeating: 0, count: count)
    var (known, without): ([Bitmap], [Bitmap]) = ([], [])
    for (chunk, (rows, positions)) in zip(objects, ordered).enumerated() {
      if positions.isOpen(in: rows.candidates) { return nil }
      let none = (positions.nulls ?? Bitmap(count: rows.count)).intersection(rows.candidates)
      let some = rows.candidates.subtracting(none).subtracting(positions.unordered)
      some.eachRow { middles[Int(numbers[chunk][$0])] += 1 }
      none.eachRow { starts[Int(numbers[chunk][$0]) + 1] += 1 }
      known.append(some)
      without.append(none)
    }
    for number in 0..<count {
      starts[number + 1] += starts[number] + middles[number]
      middles[number] += starts[number]
    }
    var entries = Array(
      repeating: Entry(position: 0, value: 0, hasValue: false, chunk: 0, row: 0),
      count: starts[count])
    for (rows, first) in [(known, starts), (without, middles)] {
      var next = first
      for (chunk, rows) in rows.enumerated() {
        let (positions, numbers) = (ordered[chunk].values, numbers[chunk])
        let worth = values.chunks.isEmpty ? nil : values.chunks[chunk]
        rows.eachRow { row in
          let number = Int(numbers[row])
          entries[next[number]] = Entry(
            position: positions[row], value: worth?.values[row] ?? 0,
            hasValue: worth != nil && worth?.nulls?[row] != true,
            chunk: Int32(truncatingIfNeeded: chunk), row: Int32(truncatingIfNeeded: row))
          next[number] += 1
        }
      }
    }
    for number in 0..<count {
      if cancel.isRequested { return nil }
      entries[starts[number]..<middles[number]].sort { $0.position < $1.position }
    }
    positions = entries.map(\.position)
    if !conditions.isEmpty {
      self.conditions = conditions.map { condition in
        (condition, entries.map { condition.inner[Int($0.chunk)].cell(Int($0.row)) })
      }
      worth = entries.map { $0.hasValue ? $0.value : nil }
      return
    }
    counts = [0]
    for entry in entries { counts.append((counts.last ?? 0) + (entry.hasValue ? 1 : 0)) }
    switch operation {
    case .sum, .avg: guard addUp(entries) else { return nil }
    case .min, .max: findBest(entries, isLeast: operation == .min, isFromEnd: upper == nil)
    default: break
    }
  }

  /// Computes the running sums; returns false if one may overflow.
  private mutating func addUp(_ entries: [Entry]) -> Bool {
    var (sum, total) = (Int64(0), UInt64(0))
    running = [0]
    for entry in entries {
      if entry.hasValue {
        sum &+= entry.value
        let (next, overflow) = total.addingReportingOverflow(entry.value.magnitude)
        if overflow || next > Int64.max { return false }
        total = next
      }
      running.append(sum)
    }
    return true
  }

  private mutating func findBest(_ entries: [Entry], isLeast: Bool, isFromEnd: Bool) {
    running = entries.map(\.value)
    let parts = middles.indices.flatMap {
      [starts[$0]..<middles[$0], middles[$0]..<starts[$0 + 1]]
    }
    for part in parts where !part.isEmpty {
      var best: Int64?
      let places = Array(part)
      for place in isFromEnd ? places.reversed() : places {
        if entries[place].hasValue {
          let value = entries[place].value
          best = best.map { isLeast ? min($0, value) : max($0, value) } ?? value
        }
        running[place] = best ?? 0
      }
    }
  }

  /// Returns the aggregates of the candidates of a chunk of rows, with the numbers of their keys.
  func vector(_ rows: ChunkRows, _ numbers: [UInt32]) -> Vector {
    let count = rows.count
    var results = [Int64](repeating: 0, count: count)
    var sizes = [Int](repeating: 0, count: count)
    var empty = Bitmap(count: count, filledWith: true)
    var open = Bitmap(count: count)
    let low = lower.map { ($0[$0.startIndex + rows.number], $1) }
    let high = upper.map { ($0[$0.startIndex + rows.number], $1) }
    rows.candidates.eachRow { row in
      let range = range(of: row, numbers, low, high)
      if !conditions.isEmpty {
        guard let tested = tested(range, rows.number, row) else { return open.insert(row) }
        (sizes[row], results[row]) = (tested.size, tested.result ?? 0)
        if tested.result != nil { empty[row] = false }
        return
      }
      sizes[row] = range.count
      if range.isEmpty || counts[range.lowerBound] == counts[range.upperBound] { return }
      empty[row] = false
      switch operation {
      case .sum, .avg: results[row] = running[range.upperBound] - running[range.lowerBound]
      case .min, .max:
        results[row] = running[low == nil ? range.upperBound - 1 : range.lowerBound]
      default: break
      }
    }
    var fallback = (low?.0.fallback).union(high?.0.fallback).union(open.nonEmpty)
    for (condition, _) in conditions {
      fallback = fallback.union(condition.outer[rows.number].fallback)
    }
    var result: Vector
    switch (operation, values.kind) {
    case (.count, _): result = Vector(.integers(.each(sizes.map(Int64.init))))
    case (.avg, _):
      result = Vector(
        .doubles(.each(zip(results, sizes).map { $1 == 0 ? 0 : Double($0) / Double($1) })))
      result.integral = Bitmap(sizes) { $0 == 0 }
    case (_, .double?):
      result = Vector(.doubles(.each(results.map { Double(orderedBits: $0.orderedWord) })))
    case (_, .decimal?):
      result = Vector((values.scale ?? DecimalScale(places: 0)).numbers(.each(results)))
      if operation == .sum { result.integral = empty }
    default: result = Vector(.integers(.each(results)))
    }
    if operation == .min || operation == .max { result.nulls = empty.nonEmpty }
    result.fallback = fallback
    return result
  }

  /// Returns the number of objects in a range that fulfill the conditions for a row, and the sum or the best of their
  /// values; nil if the sum overflows or the work was cancelled.
  private func tested(
    _ range: Range<Int>, _ chunk: Int, _ row: Int
  ) -> (size: Int, result: Int64?)? {
    if cancel.isRequested { return nil }
    let bounds = conditions.map { $0.condition.outer[chunk].cell(row) }
    var (size, result) = (0, Int64?.none)
    for place in range {
      let isIn = conditions.indices.allSatisfy {
        conditions[$0].condition.holds(conditions[$0].cells[place], bounds[$0])
      }
      guard isIn else { continue }
      size += 1
      guard let value = worth[place] else { continue }
      switch operation {
      case .min: result = min(result ?? value, value)
      case .max: result = max(result ?? value, value)
      case .sum, .avg:
        let (sum, overflow) = (result ?? 0).addingReportingOverflow(value)
        if overflow { return nil }
        result = sum
      default: break
      }
    }
    return (size, result)
  }

  /// Returns the joined objects of a row.
  private func range(
    of row: Int, _ numbers: [UInt32], _ low: (OrderedValues, Bool)?, _ high: (OrderedValues, Bool)?
  ) -> Range<Int> {
    let number = Int(numbers[row])
    var range = starts[number]..<middles[number]
    if low?.0.unordered?[row] == true || high?.0.unordered?[row] == true { return 0..<0 }
    let (isLowNil, isHighNil) = (low?.0.nulls?[row] == true, high?.0.nulls?[row] == true)
    if isLowNil || isHighNil {
      // As elsewhere, `nil <= nil` is true, and a value is neither less nor greater than nil.
      let areBoth =
        low.map { $0.1 && isLowNil } ?? true && high.map { $0.1 && isHighNil } ?? true
      return areBoth ? middles[number]..<starts[number + 1] : 0..<0
    }
    if let (bounds, isInclusive) = low {
      let bound = bounds.values[row]
      let first = range.partitioningIndex {
        isInclusive ? positions[$0] >= bound : positions[$0] > bound
      }
      range = first..<range.upperBound
    }
    if let (bounds, isInclusive) = high {
      let bound = bounds.values[row]
      let end = range.partitioningIndex {
        isInclusive ? positions[$0] > bound : positions[$0] >= bound
      }
      range = range.lowerBound..<end
    }
    return range
  }
}
