import KuraGraph

extension ColumnBuilder {
  /// Forgets all rows, but not the shape.
  mutating func clear() {
    reset()
    dictionary.clear()
  }

  /// Whether another column's rows can be taken in as they are.
  func canTake(_ other: ColumnBuilder) -> Bool {
    guard shape == other.shape else { return false }
    return shape != .coded || dictionaryStillPays(with: other.dictionary)
  }

  /// Whether the column keeps its dictionary at each of another one's texts, wherever they stand.
  private func dictionaryStillPays(with other: ByteDictionary) -> Bool {
    let rows = count + sealed.count * ColumnBuilder.capacity
    let limit = min(rows / 2, TextDictionary.limit)
    if dictionary.count + other.count < limit { return true }
    return dictionary.count + other.countUnknown(to: dictionary) < limit
  }

  /// Room for the code that each of this column's codes has in another; −1: not known yet.
  var unknownCodes: [Int64] {
    shape == .coded ? Array(repeating: -1, count: dictionary.count) : []
  }

  /// Appends rows of another column of the same shape; `codes` are those of its texts here.
  mutating func take(_ rows: Range<Int>, of other: ColumnBuilder, _ codes: inout [Int64]) {
    takeBits(rows, other)
    switch shape {
    case .empty, .integers, .doubles, .booleans:
      (words + count).update(from: other.words + rows.lowerBound, count: rows.count)
    case .coded: takeCodes(rows, other, &codes)
    case .text, .decimals, .json, .lists: takeBytes(rows, other)
    }
    count += rows.count
  }

  private mutating func takeCodes(
    _ rows: Range<Int>, _ other: ColumnBuilder, _ codes: inout [Int64]
  ) {
    for row in rows {
      let to = count + row - rows.lowerBound
      let code = Int(other.words[row])
      guard !other.isNull(row) else {
        words[to] = 0
        continue
      }
      if codes[code] < 0 {
        let text = other.dictionary.text(code)
        guard let start = text.baseAddress else { continue }
        codes[code] = Int64(
          dictionary.code(start, text.count) { other.dictionary.odd[code] })
      }
      words[to] = codes[code]
    }
  }

  private func isNull(_ row: Int) -> Bool { nulls[row >> 6] >> UInt64(row & 63) & 1 == 1 }

  private mutating func takeBytes(_ rows: Range<Int>, _ other: ColumnBuilder) {
    let first = rows.lowerBound == 0 ? 0 : other.ends[rows.lowerBound - 1]
    let last = rows.isEmpty ? first : other.ends[rows.upperBound - 1]
    let shift = UInt32(truncatingIfNeeded: arena.count) &- first
    arena.append(other.arena.start + Int(first), Int(last - first))
    let to = ends + count
    let from = other.ends + rows.lowerBound
    for i in 0..<rows.count { to[i] = from[i] &+ shift }
  }

  private mutating func takeBits(_ rows: Range<Int>, _ other: ColumnBuilder) {
    if other.hasNulls, copyBits(rows, of: other.nulls, to: nulls) { hasNulls = true }
    if other.hasOdds, copyBits(rows, of: other.odds, to: odds) { hasOdds = true }
  }

  /// Sets the bits of rows that are set in another column; false if none is.
  private func copyBits(
    _ rows: Range<Int>, of from: UnsafeMutablePointer<UInt64>, to: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    var isAnySet = false
    for row in rows where from[row >> 6] >> UInt64(row & 63) & 1 == 1 {
      let place = count + row - rows.lowerBound
      to[place >> 6] |= 1 << UInt64(place & 63)
      isAnySet = true
    }
    return isAnySet
  }
}

extension ByteDictionary {
  /// How many of its texts another dictionary does not have.
  func countUnknown(to other: ByteDictionary) -> Int {
    (0..<count).count { code in
      let text = text(code)
      guard let start = text.baseAddress else { return true }
      return other.knownCode(start, text.count) == nil
    }
  }
}
