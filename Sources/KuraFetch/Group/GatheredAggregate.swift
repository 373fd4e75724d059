import KuraBytes
import KuraChecking
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// An aggregate that needs all values of a group at once, or texts: `median(cost)`, `stddev(cost)`, `min(title)`.
///
/// Its result equals the reference evaluator's result for the list of a group's values, in their order.
struct GatheredAggregate: Sendable {
  private let function: Loop
  private let column: Column
  /// The percentage of a percentile; 50 for the median.
  private let percentage: Double
  /// The separator of joined texts.
  private let separator: String

  enum Loop {
    case median, percentile, deviation, least, greatest, joined
  }

  /// Returns nil for every other aggregate.
  init?(_ aggregate: CheckedAggregate, _ request: BoundRequest, _ rows: [Bitmap]) {
    guard GatheredAggregate.canGather(aggregate, request),
      let function = aggregate.function.builtIn?.loop.gathered,
      let whole = request.wholeColumn(aggregate.argument, rows), !whole.areTextsOfDecimals
    else { return nil }
    (self.function, column) = (function, whole.column)
    percentage = aggregate.parameter?.approximateNumber ?? 50
    if case .string(let text)? = aggregate.parameter { separator = text } else { separator = "" }
  }

  /// Returns whether an aggregate may be gathered, as far as is known without reading rows.
  static func canGather(_ aggregate: CheckedAggregate, _ request: BoundRequest) -> Bool {
    guard let function = aggregate.function.builtIn?.loop.gathered,
      let type = request.typeOfColumn(aggregate.argument),
      !(request.vectorNode(aggregate.argument) is QuotientNode)
    else { return false }
    if function == .percentile {
      // The evaluator reports an invalid percentage.
      guard let share = aggregate.parameter?.approximateNumber, 0...100 ~= share else {
        return false
      }
    }
    if function == .joined {
      guard case .string? = aggregate.parameter else { return false }
    }
    return switch function {
    case .joined, .least, .greatest: VectorKind(textsOf: type)?.hasOrderOfTexts == true
    case .median, .percentile, .deviation: type.isNumeric
    }
  }
}

extension GatheredAggregate {
  /// Returns the value of each slot; nil if the reference evaluator must compute them.
  func values(_ slots: GroupSlots) -> [Value]? {
    switch function {
    case .median, .percentile: quantiles(slots)
    case .deviation: deviations(slots)
    case .joined: JoinedGroups(column, separator: separator).values(slots)
    case .least, .greatest: BestTexts(column, isLeast: function == .least).values(slots)
    }
  }

  /// Returns the standard deviations. Chunks have separate sums, combined in order, so that the result does not depend
  /// on the number of cores.
  private func deviations(_ slots: GroupSlots) -> [Value]? {
    let both = sums(slots, 2, CountAndSum())
    let counts = (0..<slots.count).map { both[$0 * 2] }
    let means = counts.indices.map { both[$0 * 2 + 1] / counts[$0] }
    let squares = means.withUnsafeBufferPointer { pointer in
      sums(slots, 2, SquaredDistance(means: pointer))
    }
    return counts.indices.map { slot -> Value? in
      if counts[slot] == 0 || slot == 0 { return Value.null }
      let deviation = Statistics.deviation(
        count: counts[slot], sum: squares[slot * 2], squares: squares[slot * 2 + 1])
      return deviation.isFinite ? .double(deviation) : nil
    }.unwrapped()
  }

  /// Returns `width` sums per slot, to which `term` adds each number.
  private func sums(_ slots: GroupSlots, _ width: Int, _ term: some SlotTerm) -> [Double] {
    let count = slots.count * width
    let isApart = slots.count <= GroupState.sharedLimit
    let pieces = isApart ? slots.chunkCount : min(1, slots.chunkCount)
    let parts = Workers.map(count: pieces, inParallel: pieces > 2) { piece in
      var sums = [Double](repeating: 0, count: count)
      for chunk in isApart ? piece..<piece + 1 : 0..<slots.chunkCount {
        add(chunk, slots.slots(chunk), to: &sums, term)
      }
      return sums
    }
    var sums = [Double](repeating: 0, count: count)
    for part in parts { for slot in sums.indices { sums[slot] += part[slot] } }
    return sums
  }

  /// Adds a chunk's numbers to the sums. Rows without a value get slot 0, which is not read.
  private func add(
    _ number: Int, _ slots: [UInt32], to sums: inout [Double], _ term: some SlotTerm
  ) {
    let chunk = column.chunks[number]
    var slots = slots
    chunk.nulls?.eachRow { if $0 < slots.count { slots[$0] = 0 } }
    let scale = column.scale ?? DecimalScale(places: 0)
    let unit = Double(Int128.power(scale.places))
    slots.withUnsafeBufferPointer { slots in
      sums.withUnsafeMutableBufferPointer { sums in
        switch chunk.values {
        case .integers(let values):
          for row in values.indices {
            let number =
              scale.isShort ? Double(values[row]) : Double(scale.integer(values[row]))
            term.add(number / unit, Int(slots[row]), to: sums)
          }
        case .doubles(let values):
          for row in values.indices { term.add(values[row], Int(slots[row]), to: sums) }
        case .bytes, .codes, .text, .links, .linkLists: return
        }
      }
    }
  }
}

// The median, or another percentile, of each slot's numbers
extension GatheredAggregate {
  private func quantiles(_ slots: GroupSlots) -> [Value]? {
    if column.chunks.contains(where: { $0.doubles != nil }) {
      return quantiles(slots, 0, { $0.doubles }, { .double($0) })
    }
    let scale = column.scale
    return quantiles(slots, 0, { $0.integers }, { scale?.value($0) ?? .integer($0) })
  }

  private func quantiles<Number: Comparable & OrderedNumber>(
    _ slots: GroupSlots, _ zero: Number, _ numbers: @escaping @Sendable (ColumnChunk) -> [Number]?,
    _ value: @Sendable (Number) -> Value
  ) -> [Value]? {
    @Sendable func result(_ found: Quantile<Number>?) -> Value? {
      guard let (first, second, share) = found else { return .null }
      return share == 0 ? value(second) : between(value(first), value(second), share)
    }
    if slots.count <= HistogramQuantiles<Number>.mostSlots {
      let few = HistogramQuantiles(column.chunks, slots, percentage, numbers)
      return few.found.mapAll(result).map { [.null] + $0 }
    }
    var gathered = gathered(slots, zero, numbers)
    let (places, percentage) = (gathered.ends, percentage)
    let found = gathered.numbers.withUnsafeMutableBufferPointer { pointer in
      // Each slot has its own part.
      nonisolated(unsafe) let all = pointer
      return Workers.map(count: slots.count - 1, inParallel: all.count > 50_000) { slot in
        result(
          UnsafeMutableBufferPointer(rebasing: all[places[slot]..<places[slot + 1]])
            .quantile(percentage))
      }
    }
    return found.unwrapped().map { [.null] + $0 }
  }

  /// Returns a value between two; nil if it cannot be computed.
  private func between(_ a: Value, _ b: Value, _ share: Double) -> Value? {
    if function == .percentile { return try? Statistics.between(a, b, share) }
    switch (a, b) {
    case (.double(let a), .double(let b)): return (a + b).isFinite ? .double((a + b) / 2) : nil
    case (.integer(let a), .integer(let b)):
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? nil : .double(Double(sum) / 2)
    default: return try? Value.compute(.divide, Value.compute(.add, a, b), .integer(2))
    }
  }

  /// Returns the numbers of all slots, slot after slot, and the end of each slot.
  private func gathered<Number: BitwiseCopyable>(
    _ slots: GroupSlots, _ zero: Number, _ numbers: (ColumnChunk) -> [Number]?
  ) -> (numbers: [Number], ends: [Int]) {
    var ends = [Int](repeating: 0, count: slots.count + 1)
    for number in 0..<slots.chunkCount {
      let (places, nulls) = (slots.slots(number), column.chunks[number].nulls)
      for row in places.indices where places[row] != 0 && nulls?.has(row) != true {
        ends[Int(places[row]) + 1] += 1
      }
    }
    // The start of each slot; after the second pass, its end.
    ends[0] = 0
    ends[1] = 0
    for slot in ends.indices.dropFirst() { ends[slot] += ends[slot - 1] }
    var all = [Number](repeating: zero, count: ends.last ?? 0)
    for number in 0..<slots.chunkCount {
      guard let values = numbers(column.chunks[number]) else { continue }
      let (places, nulls) = (slots.slots(number), column.chunks[number].nulls)
      for row in values.indices where places[row] != 0 && nulls?.has(row) != true {
        let slot = Int(places[row])
        all[ends[slot]] = values[row]
        ends[slot] += 1
      }
    }
    ends[0] = 0
    return (all, ends)
  }
}

extension UnsafeMutableBufferPointer where Element: Comparable {
  /// Returns the elements next to a percentage of the way from the least to the greatest; nil without elements.
  func quantile(_ percentage: Double) -> Quantile<Element>? {
    QuantileRank(percentage, of: count).map { quantile($0.upper, $0.share) }
  }

  /// Returns the element that a sort would place at an index, and the one before it unless the share is 0.
  func quantile(_ upper: Int, _ share: Double) -> Quantile<Element> {
    select(upper)
    let second = self[upper]
    return (share == 0 ? second : self[..<upper].max() ?? second, second, share)
  }

  /// Moves the element that a sort would place at an index there. No element before it is greater, none after it is
  /// less.
  func select(_ place: Int) {
    var (low, high) = (0, count - 1)
    var turns = 64
    while low < high {
      turns -= 1
      // Sorts if the order of the numbers defeats the choice of pivots.
      if turns == 0 {
        var rest = UnsafeMutableBufferPointer(rebasing: self[low...high])
        return rest.sort()
      }
      let pivot = self[low + (high - low) / 2]
      var (i, j) = (low, high)
      while i <= j {
        while self[i] < pivot { i += 1 }
        while self[j] > pivot { j -= 1 }
        if i <= j {
          swapAt(i, j)
          i += 1
          j -= 1
        }
      }
      if place <= j { high = j } else if place >= i { low = i } else { return }
    }
  }
}

extension ColumnChunk {
  var integers: [Int64]? { if case .integers(let values) = values { values } else { nil } }
  var doubles: [Double]? { if case .doubles(let values) = values { values } else { nil } }
}

/// The least or the greatest text of each group, in the order of Unicode scalars.
struct BestTexts {
  private let column: Column
  private let isLeast: Bool
  private let lanes: [TextLane]
  private let pinned: PinnedTexts

  init(_ column: Column, isLeast: Bool) {
    self.column = column
    self.isLeast = isLeast
    lanes = column.chunks.map { TextLane($0, column.dictionary) ?? .empty }
    pinned = PinnedTexts(lanes.map(\.texts))
  }

  /// The place of the best text so far, and its first bytes.
  private struct Best {
    var word: UInt64
    var chunk: Int32 = -1
    var place: Int32 = 0
  }
}

extension BestTexts {
  /// With more groups, a state per core needs too much memory.
  private static let mostShared = 1 << 14

  func values(_ slots: GroupSlots) -> [Value] {
    let start = [Best](repeating: Best(word: isLeast ? .max : 0), count: slots.count)
    let isShared = slots.count <= Self.mostShared && slots.chunkCount > 2
    let parts = Workers.states(count: slots.chunkCount, inParallel: isShared, { start }) {
      add($1, slots.slots($1), to: &$0)
    }
    let bests = parts.dropFirst().reduce(parts.first ?? start) { zip($0, $1).map(better) }
    return bests.indices.map { slot in
      let best = bests[slot]
      guard slot != 0, best.chunk >= 0, case .attribute(let type) = column.kind else {
        return .null
      }
      return StoredCell.text(String(decoding: text(best), as: UTF8.self)).value(as: type)
    }
  }

  private func add(_ number: Int, _ slots: [UInt32], to bests: inout [Best]) {
    let nulls = column.chunks[number].nulls
    let lane = lanes[number]
    let count = min(slots.count, column.chunks[number].count)
    bests.withUnsafeMutableBufferPointer { bests in
      lane.forEach(count) { row, text in
        let slot = Int(slots[row])
        guard slot != 0, nulls?.has(row) != true else { return }
        let word = text.firstWord
        guard bests[slot].chunk < 0 || isBetter(word, text, than: bests[slot]) else { return }
        bests[slot] = Best(
          word: word, chunk: Int32(truncatingIfNeeded: number),
          place: Int32(truncatingIfNeeded: lane.place(row)))
      }
    }
  }

  private func text(_ best: Best) -> UnsafeBufferPointer<UInt8> {
    pinned.accesses[Int(best.chunk)][Int(best.place)]
  }

  private func better(_ one: Best, _ other: Best) -> Best {
    if one.chunk < 0 || other.chunk < 0 { return one.chunk < 0 ? other : one }
    return isBetter(other.word, text(other), than: one) ? other : one
  }

  @inline(__always)
  private func isBetter(
    _ word: UInt64, _ text: UnsafeBufferPointer<UInt8>, than best: Best
  ) -> Bool {
    if word != best.word { return isLeast ? word < best.word : word > best.word }
    let order = Bytes.compare(text, self.text(best))
    return order == (isLeast ? .before : .after)
  }
}

/// A rule for adding a number to the sums of its slot.
///
/// A protocol instead of a closure, so that the compiler specializes the loop.
protocol SlotTerm: Sendable {
  func add(_ number: Double, _ slot: Int, to sums: UnsafeMutableBufferPointer<Double>)
}

struct CountAndSum: SlotTerm {
  @inline(__always)
  func add(_ number: Double, _ slot: Int, to sums: UnsafeMutableBufferPointer<Double>) {
    sums[slot &* 2] += 1
    sums[slot &* 2 &+ 1] += number
  }
}

/// The sum of the distances from the mean of the slot, and of their squares.
struct SquaredDistance: SlotTerm {
  nonisolated(unsafe) let means: UnsafeBufferPointer<Double>

  @inline(__always)
  func add(_ number: Double, _ slot: Int, to sums: UnsafeMutableBufferPointer<Double>) {
    let distance = number - means[slot]
    sums[slot &* 2] += distance
    sums[slot &* 2 &+ 1] += distance * distance
  }
}
