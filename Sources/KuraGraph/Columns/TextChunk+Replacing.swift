extension TextChunk {
  /// The chunk with other texts in some rows, which ascend.
  func replacing(
    _ rows: ArraySlice<UInt32>, _ nulls: Bitmap?, with new: NewTexts
  ) -> ReplacedChunk {
    let (texts, changed) = packed.merged(rows, nulls, new)
    var (odd, nulls) = (oddRows, nulls)
    if odd != nil || new.texts.oddRows != nil {
      var bits = odd ?? Bitmap(count: count)
      for row in rows { bits[Int(row) & ColumnChunk.mask] = new.isOdd(row) }
      odd = bits
    }
    if nulls != nil || new.nulls != nil {
      var bits = nulls ?? Bitmap(count: count)
      for row in rows { bits[Int(row) & ColumnChunk.mask] = new.isNull(row) }
      nulls = bits.isEmpty ? nil : bits
    }
    let chunk = TextChunk(bytes: texts.bytes, ends: texts.ends, oddRows: odd)
    return ReplacedChunk(chunk: ColumnChunk(.text(chunk), nulls: nulls), changed: changed)
  }

  /// The texts one behind the other, and the rows in which they are others than before.
  private func merged(
    _ rows: ArraySlice<UInt32>, _ nulls: Bitmap?, _ new: NewTexts
  ) -> (texts: TextChunk, changed: [UInt32]) {
    var changed: [UInt32] = []
    var texts = TextJoining(bytes.count + new.size(of: rows), count)
    var next = 0
    changed.reserveCapacity(rows.count)
    withAccess { old in
      new.texts.withAccess { others in
        for row in rows {
          let i = Int(row) & ColumnChunk.mask
          texts.append(old, next..<i)
          next = i + 1
          let text = new.isNull(row) ? .init(start: nil, count: 0) : others[new.place(row)]
          let wasNull = nulls?[i] ?? false
          if wasNull != new.isNull(row) || !wasNull && !old[i].isSame(text) { changed.append(row) }
          texts.append(text)
        }
        texts.append(old, next..<count)
      }
    }
    return (texts.chunk, changed)
  }
}

extension TextChunk {
  /// The packed texts with others in some rows, which ascend: what stands between them is taken at once.
  func joined(with others: [(key: Int, value: [UInt8])]) -> TextChunk {
    var texts = TextJoining(others.reduce(bytes.count) { $0 + $1.value.count }, count)
    withAccess { old in
      var next = 0
      for (row, text) in others {
        texts.append(old, next..<row)
        text.withUnsafeBufferPointer { texts.append($0) }
        next = row + 1
      }
      texts.append(old, next..<count)
    }
    return texts.chunk
  }
}

/// Texts for rows of a chunk: each its own or, with codes, the one of its code.
struct NewTexts: Sendable {
  /// Packed.
  let texts: TextChunk
  let codes: [UInt16]?
  let nulls: Bitmap?

  func isNull(_ row: UInt32) -> Bool { nulls?[Int(row) & ColumnChunk.mask] ?? false }

  /// The place of a row's text, which is not null.
  func place(_ row: UInt32) -> Int {
    let i = Int(row) & ColumnChunk.mask
    return codes.map { Int($0[i]) } ?? i
  }

  func isOdd(_ row: UInt32) -> Bool { !isNull(row) && texts.isOdd(place(row)) }

  /// How many bytes the texts of some rows have together.
  func size(of rows: ArraySlice<UInt32>) -> Int {
    rows.reduce(0) { isNull($1) ? $0 : $0 + texts.packedRange(place($1)).count }
  }
}

/// Quick access to packed texts.
private struct PackedTexts {
  let bytes: UnsafeBufferPointer<UInt8>
  let ends: UnsafeBufferPointer<UInt32>

  func start(_ row: Int) -> Int { row == 0 ? 0 : Int(ends[row - 1]) }

  subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start(row)..<Int(ends[row])])
  }
}

extension TextChunk {
  fileprivate func withAccess(_ body: (PackedTexts) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { body(PackedTexts(bytes: bytes, ends: $0)) }
    }
  }
}

/// Texts as they come together.
private struct TextJoining {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []

  init(_ size: Int, _ count: Int) {
    bytes.reserveCapacity(size)
    ends.reserveCapacity(count)
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Some texts that stand one behind the other.
  mutating func append(_ texts: PackedTexts, _ rows: Range<Int>) {
    guard let last = rows.last else { return }
    let start = texts.start(rows.lowerBound)
    let shift = UInt32(truncatingIfNeeded: bytes.count &- start)
    bytes.append(contentsOf: texts.bytes[start..<Int(texts.ends[last])])
    for row in rows { ends.append(texts.ends[row] &+ shift) }
  }

  var chunk: TextChunk { TextChunk(bytes: bytes, ends: ends) }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func isSame(_ other: Self) -> Bool {
    count == other.count && elementsEqual(other)
  }
}
