/// Consecutive texts, folded under [cd]: their keys.
///
/// One copy serves all options: under [cd] a hit in it is final; under [c] or [d] alone it must be
/// verified.
package struct FoldedText: Sendable {
  package let bytes: [UInt8]
  /// The end offset of each row's text.
  package let ends: [UInt32]
  /// A bit for each row for which folding only case can give another result, in words of 64 bits.
  package let marked: [UInt64]
  /// A bit for each row in which a letter keeps its mark, so that the order of bytes differs from
  /// that of the text.
  package let decomposed: [UInt64]
  /// A bit for each row with several canonical forms. The key has one of them, so a literal in the
  /// text can be missing in the key.
  package let recomposed: [UInt64]
}

extension FoldedText {
  /// Folds all rows; `isOdd` returns whether a row has odd scalars.
  ///
  /// Linear, with a few nanoseconds per scalar.
  package init(bytes: [UInt8], ends: [UInt32], isOdd: (Int) -> Bool) {
    let fold = TextFold.cd
    var marked = [UInt64](repeating: 0, count: (ends.count + 63) >> 6)
    var (decomposed, recomposed) = (marked, marked)
    var pages = FoldPages()
    var foldedEnds: [UInt32] = []
    foldedEnds.reserveCapacity(ends.count)
    let oddKeys = Self.oddKeys(bytes, ends, isOdd)
    let capacity =
      TextFold.capacity(for: bytes.count) + ends.count + oddKeys.reduce(0) { $0 + $1.count }
    var nextOdd = 0
    self.bytes = [UInt8](unsafeUninitializedCapacity: capacity) { output, filled in
      bytes.withUnsafeBufferPointer { bytes in
        var from = 0
        for (row, end) in ends.enumerated() {
          let text = UnsafeBufferPointer(rebasing: bytes[from..<Int(end)])
          from = Int(end)
          let rest = UnsafeMutableBufferPointer(rebasing: output[filled...])
          let bit: UInt64 = 1 << UInt64(row & 63)
          if isOdd(row) {
            let key = oddKeys[nextOdd]
            nextOdd += 1
            _ = rest.initialize(fromContentsOf: key)
            filled += key.count
            marked[row >> 6] |= bit
            decomposed[row >> 6] |= bit
            if !text.isComposed { recomposed[row >> 6] |= bit }
          } else if TextFold.lowers(text, into: rest) {
            filled += text.count
          } else {
            let folded = fold.fold(text, into: rest, &pages)
            if folded?.isMarked == true { marked[row >> 6] |= bit }
            if folded?.decomposes == true { decomposed[row >> 6] |= bit }
            filled += folded?.count ?? 0
          }
          foldedEnds.append(UInt32(truncatingIfNeeded: filled))
        }
      }
    }
    self.ends = foldedEnds
    self.marked = marked
    self.decomposed = decomposed
    self.recomposed = recomposed
  }

  /// The keys of the rows with odd scalars, in order; they can be longer than twice the text.
  private static func oddKeys(
    _ bytes: [UInt8], _ ends: [UInt32], _ isOdd: (Int) -> Bool
  ) -> [[UInt8]] {
    bytes.withUnsafeBufferPointer { bytes in
      ends.indices.lazy.filter(isOdd).map { row in
        let start = row == 0 ? 0 : Int(ends[row - 1])
        return TextFold.cd.oddKey(UnsafeBufferPointer(rebasing: bytes[start..<Int(ends[row])]))
      }
    }
  }

  package func isMarked(_ row: Int) -> Bool { marked[row >> 6] >> UInt64(row & 63) & 1 == 1 }

  /// Whether the bytes of all folded rows have the order of the texts under [cd].
  package var areAllOrdered: Bool { decomposed.allSatisfy { $0 == 0 } }
}

extension TextFold {
  /// Writes ASCII in lower case. Returns false, with undefined output, if the text has other
  /// characters.
  @inline(__always)
  fileprivate static func lowers(
    _ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    guard let from = text.baseAddress, let to = output.baseAddress else { return text.isEmpty }
    var seen: UInt8 = 0
    for i in 0..<text.count {
      let byte = from[i]
      seen |= byte
      to[i] = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
    }
    return seen < 0x80
  }
}

/// Converts UTF-8 to UTF-16 without creating a string.
enum UTF16Units {
  /// Writes valid UTF-8 as UTF-16, and returns the number of units. The output needs as many units
  /// as there are bytes.
  static func write(
    _ utf8: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt16>
  ) -> Int {
    var count = 0
    var i = 0
    while i < utf8.count {
      let byte = utf8[i]
      if byte < 0x80 {
        output[count] = UInt16(byte)
        count += 1
        i += 1
      } else if byte < 0xF0 {
        let scalar = UTF8Scalar.read(utf8, at: i)
        output[count] = UInt16(truncatingIfNeeded: scalar.value)
        count += 1
        i += scalar.length
      } else {
        count = writePair(utf8, at: i, to: output, count)
        i += 4
      }
    }
    return count
  }

  private static func writePair(
    _ utf8: UnsafeBufferPointer<UInt8>, at i: Int,
    to output: UnsafeMutableBufferPointer<UInt16>, _ count: Int
  ) -> Int {
    guard i + 3 < utf8.count else { return count }
    let scalar = (1..<4).reduce(UInt32(utf8[i] & 0x07)) { $0 << 6 | UInt32(utf8[i + $1] & 0x3F) }
    let rest = scalar &- 0x10000
    output[count] = UInt16(truncatingIfNeeded: 0xD800 | (rest >> 10 & 0x3FF))
    output[count + 1] = UInt16(truncatingIfNeeded: 0xDC00 | rest & 0x3FF)
    return count + 2
  }
}
