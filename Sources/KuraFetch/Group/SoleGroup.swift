import KuraGraph

/// The rows of a request without keys, which are one group: four at a time, those that do not count as what
/// changes nothing.
enum SoleGroup {
  /// The least or the greatest of the rows that are set, whichever `isBetter` tells.
  @inline(__always)
  static func best(
    _ values: [Double], _ rows: Bitmap, _ empty: Double,
    _ isBetter: (SIMD4<Double>, SIMD4<Double>) -> SIMDMask<SIMD4<Int64>>
  ) -> SIMD4<Double> {
    var best = SIMD4(repeating: empty)
    let nothing = SIMD4(repeating: empty.bitPattern)
    forEachFour(values, rows) { bits, mask in
      let four = unsafeBitCast((bits & mask) | (nothing & ~mask), to: SIMD4<Double>.self)
      best.replace(with: four, where: isBetter(four, best))
    }
    return best
  }

  /// The sum of the rows that are set, those at even places and those at odd ones each by themselves: as
  /// it is of several groups, to the last bit.
  static func sum(_ values: [Double], _ rows: Bitmap) -> Double {
    var sums = SIMD2<Double>.zero
    forEachFour(values, rows) { bits, mask in
      let four = unsafeBitCast(bits & mask, to: SIMD4<Double>.self)
      sums += four.lowHalf
      sums += four.highHalf
    }
    return sums[0] + sums[1]
  }

  /// The sum of the rows that are set, of numbers whose sum is one of 64 bits.
  static func sum(_ values: [Int64], _ rows: Bitmap) -> Int64 {
    var sums = SIMD4<UInt64>.zero
    forEachFour(values, rows) { bits, mask in sums &+= bits & mask }
    return Int64(bitPattern: sums.wrappedSum())
  }

  /// Calls a body with the bits of each four rows of which some are set, and a mask of those.
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

  /// The same behind the last whole word.
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

  /// For each four bits a word of ones or zeros for each.
  private static let masks: [SIMD4<UInt64>] = (0..<16).map { bits in
    SIMD4((0..<4).map { bits >> $0 & 1 == 1 ? UInt64.max : 0 })
  }
}

extension ColumnAggregate {
  /// Adds the rows of a chunk that pass, where all are one group.
  mutating func add(_ number: Int, sole passing: Bitmap) {
    let chunk = column.chunks[number]
    var rows = passing
    if let empty = chunk.nulls {
      rows.subtract(empty)
      nulls[1] += passing.popcount - rows.popcount
    }
    switch (chunk.values, function) {
    case (.integers(let values), .sum), (.integers(let values), .average):
      addSum(values, rows, isSmall: chunk.integerBounds?.sumIsSmall == true)
    case (.integers(let values), .min):
      rows.forEachSet { bests[1] = min(bests[1], values[$0]) }
    case (.integers(let values), .max):
      rows.forEachSet { bests[1] = max(bests[1], values[$0]) }
    case (.doubles(let values), .sum), (.doubles(let values), .average):
      doubles[1] += SoleGroup.sum(values, rows)
    case (.doubles(let values), .min):
      let least = SoleGroup.best(values, rows, .infinity) { $0 .< $1 }
      for lane in 0..<4 where least[lane] < doubles[1] { doubles[1] = least[lane] }
    case (.doubles(let values), .max):
      let best = SoleGroup.best(values, rows, -.infinity) { $0 .> $1 }
      for lane in 0..<4 where best[lane] > doubles[1] { doubles[1] = best[lane] }
    default: break
    }
  }

  private mutating func addSum(_ values: [Int64], _ rows: Bitmap, isSmall: Bool) {
    if isSmall {
      add(toSum: SoleGroup.sum(values, rows))
    } else {
      rows.forEachSet { add(toSum: values[$0]) }
    }
  }

  private mutating func add(toSum value: Int64) {
    let (sum, overflow) = sums[1].addingReportingOverflow(value)
    sums[1] = sum
    overflows = overflows || overflow
  }
}
