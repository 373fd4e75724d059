import KuraChecking
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// An aggregate of an attribute that is kept as numbers, computed by loops over whole chunks.
///
/// The sum of integers is exact; one that does not fit is left to the reference, which says so.
struct ColumnAggregate: Sendable {
  let function: Loop
  let column: Column
  let type: AttributeType
  /// How many rows of each slot have no value.
  var nulls: [Int] = []
  var sums: [Int64] = []
  var overflows = false
  var bests: [Int64] = []
  var doubles: [Double] = []

  /// Nil for every other aggregate.
  init?(_ aggregate: CheckedAggregate, _ request: BoundRequest, _ rows: [Bitmap]) {
    guard let loop = Loop.allCases.first(where: { $0.function == aggregate.function }),
      let whole = request.wholeColumn(
        aggregate.argument, rows, forOrder: loop.takesIntegersAsDoubles),
      ColumnAggregate.hasLoop(loop, whole.type), !whole.areTextsOfDecimals,
      // A mean of integers among decimals may be another number than that of decimals.
      loop != .average || !request.mixesDecimals(aggregate.argument)
    else { return nil }
    function = loop
    column = whole.column
    type = whole.type
  }

  /// Whether there is a loop for an aggregate, as far as can be told before the rows are known.
  static func hasLoop(_ aggregate: CheckedAggregate, _ request: BoundRequest) -> Bool {
    guard let loop = Loop.allCases.first(where: { $0.function == aggregate.function }),
      let type = request.typeOfColumn(
        aggregate.argument, forOrder: loop.takesIntegersAsDoubles)
    else { return false }
    return hasLoop(loop, type)
  }

  private static func hasLoop(_ function: Loop, _ type: AttributeType) -> Bool {
    switch (function, type) {
    case (.count, _): true
    case (_, .integer), (_, .integer16), (_, .integer32), (_, .double), (_, .float), (_, .decimal):
      true
    case (.min, .date), (.max, .date): true
    case (_, .string), (_, .boolean), (_, .date), (_, .uuid), (_, .uri), (_, .binary), (_, .json):
      false
    }
  }

  /// The same with nothing in it, for so many slots.
  func emptied(slots: Int) -> ColumnAggregate {
    var result = self
    result.nulls = Array(repeating: 0, count: slots)
    switch (function, isOfDoubles) {
    case (.sum, false), (.average, false): result.sums = Array(repeating: 0, count: slots)
    case (.sum, true), (.average, true): result.doubles = Array(repeating: 0, count: slots)
    case (.min, false): result.bests = Array(repeating: .max, count: slots)
    case (.max, false): result.bests = Array(repeating: .min, count: slots)
    case (.min, true): result.doubles = Array(repeating: .infinity, count: slots)
    case (.max, true): result.doubles = Array(repeating: -.infinity, count: slots)
    case (.count, _): break
    }
    return result
  }

  var isOfDoubles: Bool { type == .double || type == .float }
}

extension ColumnAggregate {
  /// What there is a loop for.
  enum Loop: CaseIterable {
    case count, sum, min, max, average

    var function: PredicateFunction {
      switch self {
      case .count: .count
      case .sum: .sum
      case .min: .min
      case .max: .max
      case .average: .average
      }
    }

    /// Whether its result is the same if integers among doubles are doubles: a mean is a double.
    var takesIntegersAsDoubles: Bool { self == .count || self == .average }
  }

  /// Adds a chunk's rows to their slots.
  mutating func add(_ chunk: Int, _ slots: UnsafeBufferPointer<UInt32>) {
    let chunk = column.chunks[chunk]
    guard let empty = chunk.nulls, function != .count else {
      countNulls(chunk.nulls, slots)
      return add(chunk, at: slots)
    }
    // Rows without a value go to slot 0, whose numbers nobody reads.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: slots.count) { filled in
      _ = filled.initialize(from: slots)
      nulls.withUnsafeMutableBufferPointer { nulls in
        empty.eachRow { row in
          nulls[Int(slots[row])] += 1
          filled[row] = 0
        }
      }
      add(chunk, at: UnsafeBufferPointer(filled))
    }
  }

  private mutating func countNulls(_ empty: Bitmap?, _ slots: UnsafeBufferPointer<UInt32>) {
    empty?.forEachSet { nulls[Int(slots[$0])] += 1 }
  }

  private mutating func add(_ chunk: ColumnChunk, at slots: UnsafeBufferPointer<UInt32>) {
    switch (chunk.values, function) {
    case (.integers(let values), .sum), (.integers(let values), .average):
      if sums.count <= SideBySide.most, chunk.integerBounds?.sumIsSmall == true {
        sumQuickly(values, slots)
      } else {
        sum(values, slots)
      }
    case (.integers(let values), .min):
      SideBySide.add(values, slots, to: &bests, .max) { min($0, $1) }
    case (.integers(let values), .max):
      SideBySide.add(values, slots, to: &bests, .min) { max($0, $1) }
    case (.doubles(let values), .sum), (.doubles(let values), .average): sum(values, slots)
    case (.doubles(let values), .min):
      SideBySide.add(values, slots, to: &doubles, .infinity) { $1 < $0 ? $1 : $0 }
    case (.doubles(let values), .max):
      SideBySide.add(values, slots, to: &doubles, -.infinity) { $1 > $0 ? $1 : $0 }
    default: break
    }
  }

  /// Of numbers whose sum over a chunk does not overflow.
  private mutating func sumQuickly(_ values: [Int64], _ slots: UnsafeBufferPointer<UInt32>) {
    var all = [Int64](repeating: 0, count: sums.count)
    SideBySide.add(values, slots, to: &all, 0, &+)
    for slot in sums.indices.dropFirst() {
      let (sum, overflow) = sums[slot].addingReportingOverflow(all[slot])
      sums[slot] = sum
      overflows = overflows || overflow
    }
  }

  private mutating func sum(_ values: [Int64], _ slots: UnsafeBufferPointer<UInt32>) {
    var overflows = false
    sums.withUnsafeMutableBufferPointer { sums in
      for row in values.indices {
        let (sum, overflow) = sums[Int(slots[row])].addingReportingOverflow(values[row])
        sums[Int(slots[row])] = sum
        overflows = overflows || overflow && slots[row] != 0
      }
    }
    self.overflows = self.overflows || overflows
  }

  /// Two sums side by side: one that was just written is read again only later.
  private mutating func sum(_ values: [Double], _ slots: UnsafeBufferPointer<UInt32>) {
    let width = doubles.count
    guard width <= GroupState.sharedLimit else { return sumOneByOne(values, slots) }
    var lanes = [Double](repeating: 0, count: width * 2)
    lanes.withUnsafeMutableBufferPointer { lanes in
      let whole = values.count & ~1
      for row in stride(from: 0, to: whole, by: 2) {
        lanes[Int(slots[row])] += values[row]
        lanes[Int(slots[row + 1]) + width] += values[row + 1]
      }
      for row in whole..<values.count { lanes[Int(slots[row])] += values[row] }
    }
    for slot in 0..<width { doubles[slot] += lanes[slot] + lanes[slot + width] }
  }

  private mutating func sumOneByOne(_ values: [Double], _ slots: UnsafeBufferPointer<UInt32>) {
    doubles.withUnsafeMutableBufferPointer { sums in
      for row in values.indices { sums[Int(slots[row])] += values[row] }
    }
  }
}

extension ColumnAggregate {
  /// Adds what others have computed of the same aggregate.
  mutating func add(_ other: ColumnAggregate) {
    overflows = overflows || other.overflows
    for slot in nulls.indices { nulls[slot] += other.nulls[slot] }
    for slot in sums.indices {
      let (sum, overflow) = sums[slot].addingReportingOverflow(other.sums[slot])
      sums[slot] = sum
      overflows = overflows || overflow && slot != 0
    }
    let isLeast = function == .min
    for slot in bests.indices {
      bests[slot] =
        isLeast ? min(bests[slot], other.bests[slot]) : max(bests[slot], other.bests[slot])
    }
    for slot in doubles.indices { doubles[slot] = together(doubles[slot], other.doubles[slot]) }
  }

  private func together(_ a: Double, _ b: Double) -> Double {
    switch function {
    case .min: b < a ? b : a
    case .max: b > a ? b : a
    case .count, .sum, .average: a + b
    }
  }
}
