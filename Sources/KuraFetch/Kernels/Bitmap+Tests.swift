import KuraGraph

extension Bitmap {
  /// Tests 64 values at a time and packs the answers into words, without branches.
  @inline(__always)
  init<T>(_ values: [T], where test: (T) -> Bool) {
    let count = values.count
    // The loop is outside the array's initializer, which is not inlined.
    var words = [UInt64](unsafeUninitializedCapacity: (count + 63) >> 6) { $1 = (count + 63) >> 6 }
    words.withUnsafeMutableBufferPointer { buffer in
      values.withUnsafeBufferPointer { values in
        for i in 0..<count >> 6 {
          var word: UInt64 = 0
          for j in 0..<64 { word |= (test(values[i << 6 + j]) ? 1 : 0) << UInt64(j) }
          buffer[i] = word
        }
        if count & 63 != 0 {
          var word: UInt64 = 0
          for j in 0..<count & 63 {
            word |= (test(values[count & ~63 + j]) ? 1 : 0) << UInt64(j)
          }
          buffer[count >> 6] = word
        }
      }
    }
    self.init(words: words, count: count)
  }

  /// The bitmap; nil if no bit is set.
  var nonEmpty: Bitmap? { isEmpty ? nil : self }

  func union(_ other: Bitmap?) -> Bitmap {
    guard let other else { return self }
    var result = self
    result.formUnion(other)
    return result
  }

  func subtracting(_ other: Bitmap?) -> Bitmap {
    guard let other else { return self }
    var result = self
    result.subtract(other)
    return result
  }

  /// Returns the rows that are among others; nil means all.
  func intersection(_ other: Bitmap?) -> Bitmap {
    guard let other else { return self }
    var result = self
    result.formIntersection(other)
    return result
  }

  /// Returns the other rows if `isNegated`.
  func negated(_ isNegated: Bool) -> Bitmap {
    guard isNegated else { return self }
    var result = self
    result.invert()
    return result
  }

  /// Returns the answers with `answer` for all rows without a value.
  func settingNulls(_ nulls: Bitmap?, to answer: Bool) -> Bitmap {
    answer ? union(nulls) : subtracting(nulls)
  }

  /// Returns the bits of a chunk's rows in a bitmap over a whole table.
  func chunk(_ number: Int, count: Int) -> Bitmap {
    let first = number << (ColumnChunk.shift - 6)
    return Bitmap(words: Array(words[first..<first + (count + 63) >> 6]), count: count)
  }
}

extension Bitmap {
  /// Tests bytes for being in one of the ranges, 16 at a time.
  ///
  /// Each lane that passes contributes its own bit; a multiplication sums all bits.
  init(_ values: [UInt8], in ranges: [ClosedRange<UInt8>]) {
    self.init(count: values.count)
    for range in ranges {
      let low = SIMD16(repeating: range.lowerBound)
      let width = SIMD16(repeating: range.upperBound - range.lowerBound)
      let weights = SIMD16<UInt8>(
        1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128)
      let none = SIMD16<UInt8>(repeating: 0)
      values.withUnsafeBytes { bytes in
        words.withUnsafeMutableBufferPointer { words in
          for i in 0..<bytes.count >> 6 {
            var word: UInt64 = 0
            for part in 0..<4 {
              let lanes = bytes.loadUnaligned(
                fromByteOffset: i << 6 + part << 4, as: SIMD16<UInt8>.self)
              let bits = none.replacing(with: weights, where: (lanes &- low) .<= width)
              let halves = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
              let first = (halves[0] &* 0x0101_0101_0101_0101) >> 56
              let second = (halves[1] &* 0x0101_0101_0101_0101) >> 56
              word |= (first | second << 8) << UInt64(part << 4)
            }
            words[i] |= word
          }
        }
      }
    }
    for row in values.count & ~63..<values.count where ranges.contains(where: { $0 ~= values[row] })
    { insert(row) }
  }

  /// Tests numbers for being in one of the ranges, eight at a time.
  init(_ values: [UInt16], in ranges: [ClosedRange<UInt16>]) {
    self.init(count: values.count)
    for range in ranges {
      let low = SIMD8(repeating: range.lowerBound)
      let width = SIMD8(repeating: range.upperBound - range.lowerBound)
      let weights = SIMD8<UInt16>(1, 2, 4, 8, 16, 32, 64, 128)
      let none = SIMD8<UInt16>(repeating: 0)
      values.withUnsafeBytes { bytes in
        words.withUnsafeMutableBufferPointer { words in
          for i in 0..<bytes.count >> 7 {
            var word: UInt64 = 0
            for part in 0..<8 {
              let lanes = bytes.loadUnaligned(
                fromByteOffset: i << 7 + part << 4, as: SIMD8<UInt16>.self)
              let bits = none.replacing(with: weights, where: (lanes &- low) .<= width)
              let halves = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
              let sum = ((halves[0] | halves[1]) &* 0x0001_0001_0001_0001) >> 48
              word |= sum << UInt64(part << 3)
            }
            words[i] |= word
          }
        }
      }
    }
    for row in values.count & ~63..<values.count where ranges.contains(where: { $0 ~= values[row] })
    { insert(row) }
  }
}

// Loops over rows are in this module: a call into another module per row costs more than the body.
extension Bitmap {
  /// Calls `body` with the number of each set bit, in order.
  @inline(__always)
  func eachRow(_ body: (Int) -> Void) {
    words.withUnsafeBufferPointer { words in
      for i in words.indices {
        var word = words[i]
        while word != 0 {
          body(i << 6 + word.trailingZeroBitCount)
          word &= word &- 1
        }
      }
    }
  }

  @inline(__always)
  mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  @inline(__always)
  mutating func put(_ row: Int, _ bit: Bool) {
    let mask: UInt64 = 1 << UInt64(row & 63)
    if bit { words[row >> 6] |= mask } else { words[row >> 6] &= ~mask }
  }

  @inline(__always)
  func has(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
}
