import KuraChecking
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// An aggregate of an attribute that is stored as numbers, computed by loops over whole chunks.
///
/// The sum of integers and decimals is exact. If it overflows, the reference evaluator reports the error.
struct ColumnAggregate: Sendable {
  let function: Loop
  let column: Column
  let type: AttributeType
  /// The number of rows without a value, per slot.
  var nulls: [Int] = []
  var sums: [Int128] = []
  var bests: [Int64] = []
  var doubles: [Double] = []

  /// Returns the loops that compute an aggregate: one for a column of one kind, two if integers are among numbers of
  /// another kind; nil if no loop computes it.
  static func loops(
    _ aggregate: CheckedAggregate, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> [ColumnAggregate]? {
    guard let loop = aggregate.function.builtIn?.loop.column,
      // A mean of integers among decimals may differ from a mean of decimals.
      loop != .average || !request.mixesDecimals(aggregate.argument)
    else { return nil }
    let whole = request.wholeColumn(
      // Integers among doubles may be counted as doubles; a mean is a double anyway.
      aggregate.argument, rows, forOrder: loop == .count || loop == .average)
    if let whole {
      guard hasLoop(loop, whole.type), !whole.areTextsOfDecimals else { return nil }
      return ColumnAggregate(loop, whole, rows).map { [$0] }
    }
    return request.mixedColumns(aggregate.argument, rows)?
      .map { ColumnAggregate(loop, $0, rows) }.unwrapped()
  }

  /// Returns nil if a sum of decimals may have more than 38 digits, because the reference evaluator rounds it.
  private init?(_ function: Loop, _ whole: WholeColumn, _ rows: [Bitmap]) {
    (self.function, column, type) = (function, whole.column, whole.type)
    guard let scale = longScale, function == .sum || function == .average else { return }
    let count = UInt128(rows.reduce(1) { $0 + $1.popcount })
    let most = Int128.power(Int128.mostPlaces).magnitude / count
    if scale.ends.contains(where: { $0.magnitude > most }) { return nil }
  }

  /// The scale of decimals, if the column's numbers are not their integers.
  private var longScale: DecimalScale? { column.scale.flatMap { $0.isShort ? nil : $0 } }

  /// Returns whether an aggregate has a loop, as far as is known without reading rows.
  static func hasLoop(_ aggregate: CheckedAggregate, _ request: BoundRequest) -> Bool {
    guard let loop = aggregate.function.builtIn?.loop.column,
      let type = request.typeOfColumn(aggregate.argument, forOrder: true),
      !(request.vectorNode(aggregate.argument) is QuotientNode),
      loop != .average || !request.mixesDecimals(aggregate.argument)
    else { return false }
    return hasLoop(loop, type)
  }

  private static func hasLoop(_ function: Loop, _ type: AttributeType) -> Bool {
    switch function {
    case .count: true
    case .min, .max: type.isNumeric || type == .date
    case .sum, .average: type.isNumeric
    }
  }

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
  /// The aggregate functions with a loop.
  enum Loop {
    case count, sum, min, max, average
  }

  /// Adds a chunk's rows to their slots.
  mutating func add(_ chunk: Int, _ slots: UnsafeBufferPointer<UInt32>) {
    let chunk = column.chunks[chunk]
    guard let empty = chunk.nulls, function != .count else {
      chunk.nulls?.eachRow { nulls[Int(slots[$0])] += 1 }
      return add(chunk, at: slots)
    }
    // Rows without a value get slot 0, which is not read.
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

  private mutating func add(_ chunk: ColumnChunk, at slots: UnsafeBufferPointer<UInt32>) {
    switch (chunk.values, function) {
    case (.integers(let values), .sum), (.integers(let values), .average):
      if sums.count <= InterleavedLoops.most, chunk.integerBounds?.sumIsSmall == true {
        sumQuickly(values, slots)
      } else {
        sum(values, slots)
      }
    case (.integers(let values), .min):
      InterleavedLoops.add(values, slots, to: &bests, .max) { min($0, $1) }
    case (.integers(let values), .max):
      InterleavedLoops.add(values, slots, to: &bests, .min) { max($0, $1) }
    case (.doubles(let values), .sum), (.doubles(let values), .average): sum(values, slots)
    case (.doubles(let values), .min):
      InterleavedLoops.add(values, slots, to: &doubles, .infinity) { $1 < $0 ? $1 : $0 }
    case (.doubles(let values), .max):
      InterleavedLoops.add(values, slots, to: &doubles, -.infinity) { $1 > $0 ? $1 : $0 }
    default: break
    }
  }

  /// Sums numbers; their sum over a chunk must not overflow.
  private mutating func sumQuickly(_ values: [Int64], _ slots: UnsafeBufferPointer<UInt32>) {
    var all = [Int64](repeating: 0, count: sums.count)
    InterleavedLoops.add(values, slots, to: &all, 0, &+)
    for slot in sums.indices { sums[slot] &+= Int128(all[slot]) }
  }

  private mutating func sum(_ values: [Int64], _ slots: UnsafeBufferPointer<UInt32>) {
    let scale = longScale
    sums.withUnsafeMutableBufferPointer { sums in
      if let scale {
        for row in values.indices { sums[Int(slots[row])] &+= scale.integer(values[row]) }
      } else {
        for row in values.indices { sums[Int(slots[row])] &+= Int128(values[row]) }
      }
    }
  }

  /// Alternates between two sums per slot, so that no addition waits for the previous one.
  private mutating func sum(_ values: [Double], _ slots: UnsafeBufferPointer<UInt32>) {
    let width = doubles.count
    guard width <= GroupState.sharedLimit else {
      return doubles.withUnsafeMutableBufferPointer { sums in
        for row in values.indices { sums[Int(slots[row])] += values[row] }
      }
    }
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
}

extension ColumnAggregate {
  /// Adds the partial results of another instance of this aggregate.
  mutating func add(_ other: ColumnAggregate) {
    for slot in nulls.indices { nulls[slot] += other.nulls[slot] }
    for slot in sums.indices { sums[slot] &+= other.sums[slot] }
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

/// Loops over four blocks of rows at a time. Each block has its own numbers, combined in the order of the blocks, so
/// that no step waits for the previous one.
enum InterleavedLoops {
  /// With more slots, each has only one number.
  static let most = 256

  /// Combines each row's value with the number of its slot; `empty` changes no number.
  @inline(__always)
  static func add<Number: BitwiseCopyable>(
    _ values: [Number], _ slots: UnsafeBufferPointer<UInt32>, to numbers: inout [Number],
    _ empty: Number, _ together: (Number, Number) -> Number
  ) {
    let width = numbers.count
    let block = width <= most ? values.count / 4 : 0
    var lanes = [Number](repeating: empty, count: block == 0 ? 0 : 4 * width)
    values.withUnsafeBufferPointer { values in
      lanes.withUnsafeMutableBufferPointer { lanes in
        for row in 0..<block {
          for lane in 0..<4 {
            let place = Int(slots[lane &* block &+ row]) &+ lane &* width
            lanes[place] = together(lanes[place], values[lane &* block &+ row])
          }
        }
      }
      numbers.withUnsafeMutableBufferPointer { numbers in
        for place in lanes.indices {
          numbers[place % width] = together(numbers[place % width], lanes[place])
        }
        for row in block * 4..<values.count {
          numbers[Int(slots[row])] = together(numbers[Int(slots[row])], values[row])
        }
      }
    }
  }
}

extension ClosedRange<Int64> {
  /// Whether the sum of a chunk of such numbers fits into 64 bits.
  var sumIsSmall: Bool { lowerBound > -(1 << 44) && upperBound < 1 << 44 }
}

/// Loops for requests without keys, in which all rows are one group: four rows at a time. Rows that do not count have a
/// neutral value.
enum SingleGroupLoops {
  /// Returns the least or the greatest of the set rows, according to `isBetter`.
  @inline(__always)
  static func best<Number: SIMDScalar & BitwiseCopyable>(
    _ values: [Number], _ rows: Bitmap, _ empty: Number,
    _ isBetter: (SIMD4<Number>, SIMD4<Number>) -> SIMDMask<SIMD4<Int64>>
  ) -> SIMD4<Number> where Number.SIMDMaskScalar == Int64 {
    var best = SIMD4(repeating: empty)
    let nothing = unsafeBitCast(best, to: SIMD4<UInt64>.self)
    forEachFour(values, rows) { bits, mask in
      let four = unsafeBitCast((bits & mask) | (nothing & ~mask), to: SIMD4<Number>.self)
      best.replace(with: four, where: isBetter(four, best))
    }
    return best
  }

  /// Returns the sum of the set rows. Even and odd places have separate sums, as with several groups, so that the
  /// result is equal to the last bit.
  static func sum(_ values: [Double], _ rows: Bitmap) -> Double {
    var sums = SIMD2<Double>.zero
    forEachFour(values, rows) { bits, mask in
      let four = unsafeBitCast(bits & mask, to: SIMD4<Double>.self)
      sums += four.lowHalf
      sums += four.highHalf
    }
    return sums[0] + sums[1]
  }

  /// Returns the sum of the set rows; the sum must fit into 64 bits.
  static func sum(_ values: [Int64], _ rows: Bitmap) -> Int64 {
    var sums = SIMD4<UInt64>.zero
    forEachFour(values, rows) { bits, mask in sums &+= bits & mask }
    return Int64(bitPattern: sums.wrappedSum())
  }

  /// Calls a body with the bits of every four rows that include a set one, and a mask of the set ones.
  @inline(__always)
  private static func forEachFour<Number: BitwiseCopyable>(
    _ values: [Number], _ rows: Bitmap, _ body: (SIMD4<UInt64>, SIMD4<UInt64>) -> Void
  ) {
    let whole = values.count >> 6
    values.withUnsafeBytes { values in
      masks.withUnsafeBufferPointer { masks in
        rows.words.withUnsafeBufferPointer { words in
          for word in 0..<whole where words[word] != 0 {
            let bits = words[word]
            for nibble in 0..<16 {
              let mask = masks[Int(truncatingIfNeeded: bits &>> UInt64(nibble &* 4)) & 15]
              let place = (word &<< 6 &+ nibble &* 4) &* 8
              body(values.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt64>.self), mask)
            }
          }
          guard whole < words.count else { return }
          forRest(values, whole << 6, words[whole], masks, body)
        }
      }
    }
  }

  /// Calls the body for the rows after the last whole word.
  @inline(never)
  private static func forRest(
    _ values: UnsafeRawBufferPointer, _ start: Int, _ word: UInt64,
    _ masks: UnsafeBufferPointer<SIMD4<UInt64>>, _ body: (SIMD4<UInt64>, SIMD4<UInt64>) -> Void
  ) {
    for nibble in 0..<16 {
      let bits = Int(truncatingIfNeeded: word >> UInt64(nibble * 4)) & 15
      guard bits != 0 else { continue }
      var four = SIMD4<UInt64>.zero
      for lane in 0..<4 where bits >> lane & 1 == 1 {
        four[lane] = values.loadUnaligned(
          fromByteOffset: (start + nibble * 4 + lane) * 8, as: UInt64.self)
      }
      body(four, masks[bits])
    }
  }

  /// The lane masks, all ones or all zeros, for each combination of four bits.
  private static let masks: [SIMD4<UInt64>] = (0..<16).map { bits in
    SIMD4((0..<4).map { bits >> $0 & 1 == 1 ? UInt64.max : 0 })
  }
}

extension ColumnAggregate {
  /// Adds the rows of a chunk that pass; all belong to one group.
  mutating func add(_ number: Int, sole passing: Bitmap) {
    let chunk = column.chunks[number]
    let rows = passing.subtracting(chunk.nulls)
    if chunk.nulls != nil { nulls[1] += passing.popcount - rows.popcount }
    switch (chunk.values, function) {
    case (.integers(let values), .sum), (.integers(let values), .average):
      addSum(values, rows, isSmall: chunk.integerBounds?.sumIsSmall == true)
    case (.integers(let values), .min):
      let least = SingleGroupLoops.best(values, rows, .max) { $0 .< $1 }
      bests[1] = min(bests[1], least.min())
    case (.integers(let values), .max):
      let best = SingleGroupLoops.best(values, rows, .min) { $0 .> $1 }
      bests[1] = max(bests[1], best.max())
    case (.doubles(let values), .sum), (.doubles(let values), .average):
      doubles[1] += SingleGroupLoops.sum(values, rows)
    case (.doubles(let values), .min):
      let least = SingleGroupLoops.best(values, rows, .infinity) { $0 .< $1 }
      for lane in 0..<4 where least[lane] < doubles[1] { doubles[1] = least[lane] }
    case (.doubles(let values), .max):
      let best = SingleGroupLoops.best(values, rows, -.infinity) { $0 .> $1 }
      for lane in 0..<4 where best[lane] > doubles[1] { doubles[1] = best[lane] }
    default: break
    }
  }

  private mutating func addSum(_ values: [Int64], _ rows: Bitmap, isSmall: Bool) {
    var sum: Int128 = 0
    if isSmall {
      sum = Int128(SingleGroupLoops.sum(values, rows))
    } else if let longScale {
      rows.eachRow { sum &+= longScale.integer(values[$0]) }
    } else {
      rows.eachRow { sum &+= Int128(values[$0]) }
    }
    sums[1] &+= sum
  }
}
