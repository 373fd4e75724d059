import KuraGraph

/// The rows of a request without keys, which are one group: eight at a time, those that do not count as
/// what changes nothing.
enum SoleGroup {
  /// Puts the values of the rows that are set together.
  @inline(__always)
  static func folded<Number: SIMDScalar>(
    _ values: [Number], _ rows: Bitmap, _ empty: Number,
    _ together: (SIMD8<Number>, SIMD8<Number>) -> SIMD8<Number>
  ) -> SIMD8<Number> where Number.SIMDMaskScalar == Int64 {
    var result = SIMD8(repeating: empty)
    values.withUnsafeBytes { values in
      forEachEight(rows) { place, bits in
        var eight = values.loadUnaligned(
          fromByteOffset: place &* 8, as: SIMD8<Number>.self)
        if bits != .max { eight.replace(with: empty, where: .!isSet(bits)) }
        result = together(result, eight)
      } rest: { place in
        var one = SIMD8(repeating: empty)
        one[0] = values.loadUnaligned(fromByteOffset: place &* 8, as: Number.self)
        result = together(result, one)
      }
    }
    return result
  }

  /// The sum of the rows that are set, those at even places and those at odd ones each by themselves: as
  /// it is of several groups, to the last bit.
  static func sum(_ values: [Double], _ rows: Bitmap) -> Double {
    var sums = SIMD2<Double>.zero
    values.withUnsafeBytes { values in
      forEachEight(rows) { place, bits in
        var eight = values.loadUnaligned(fromByteOffset: place &* 8, as: SIMD8<Double>.self)
        if bits != .max { eight.replace(with: 0, where: .!isSet(bits)) }
        sums += eight.lowHalf.lowHalf
        sums += eight.lowHalf.highHalf
        sums += eight.highHalf.lowHalf
        sums += eight.highHalf.highHalf
      } rest: { place in
        sums[place & 1] += values.loadUnaligned(fromByteOffset: place &* 8, as: Double.self)
      }
    }
    return sums[0] + sums[1]
  }

  /// Calls a body with the place of each eight rows of which some are set, and their bits; behind the last
  /// whole word with each row.
  @inline(__always)
  private static func forEachEight(
    _ rows: Bitmap, _ body: (Int, UInt8) -> Void, rest: (Int) -> Void
  ) {
    let whole = rows.count >> 6
    rows.words.withUnsafeBufferPointer { words in
      for word in 0..<whole where words[word] != 0 {
        for byte in 0..<8 {
          let bits = UInt8(truncatingIfNeeded: words[word] &>> UInt64(byte &* 8))
          if bits != 0 { body(word &<< 6 &+ byte &* 8, bits) }
        }
      }
      guard whole < words.count else { return }
      var last = words[whole]
      while last != 0 {
        rest(whole &<< 6 &+ last.trailingZeroBitCount)
        last &= last &- 1
      }
    }
  }

  @inline(__always)
  private static func isSet(_ bits: UInt8) -> SIMDMask<SIMD8<Int64>> {
    SIMD8<Int64>(repeating: Int64(bits)) & SIMD8(1, 2, 4, 8, 16, 32, 64, 128) .!= 0
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
      bests[1] = min(bests[1], SoleGroup.folded(values, rows, .max, pointwiseMin).min())
    case (.integers(let values), .max):
      bests[1] = max(bests[1], SoleGroup.folded(values, rows, .min, pointwiseMax).max())
    case (.doubles(let values), .sum), (.doubles(let values), .average):
      doubles[1] += SoleGroup.sum(values, rows)
    case (.doubles(let values), .min):
      let least = SoleGroup.folded(values, rows, .infinity) {
        $0.replacing(with: $1, where: $1 .< $0)
      }
      for lane in 0..<8 where least[lane] < doubles[1] { doubles[1] = least[lane] }
    case (.doubles(let values), .max):
      let best = SoleGroup.folded(values, rows, -.infinity) {
        $0.replacing(with: $1, where: $1 .> $0)
      }
      for lane in 0..<8 where best[lane] > doubles[1] { doubles[1] = best[lane] }
    default: break
    }
  }

  private mutating func addSum(_ values: [Int64], _ rows: Bitmap, isSmall: Bool) {
    if isSmall {
      add(toSum: SoleGroup.folded(values, rows, 0, &+).wrappedSum())
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
