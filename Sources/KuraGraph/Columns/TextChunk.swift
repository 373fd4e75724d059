/// The concatenated texts of a chunk's rows, with their ends.
///
/// Binary, decimal, uuid, uri and json values are also texts, in canonical form.
package struct TextChunk: Sendable {
  /// The UTF-8 of all rows, without gaps.
  package private(set) var bytes: [UInt8]
  /// The end of each row's text in `bytes`; it begins at the end of the previous row.
  package private(set) var ends: [UInt32]
  /// The rows for which a byte search can differ from Foundation; nil if there are none.
  package private(set) var oddRows: Bitmap?
  /// Texts that were replaced since the chunk was packed, by row.
  package private(set) var patch: [Int: [UInt8]] = [:]

  package init(bytes: [UInt8] = [], ends: [UInt32] = [], oddRows: Bitmap? = nil) {
    self.bytes = bytes
    self.ends = ends
    self.oddRows = oddRows
  }

  package var count: Int { ends.count }

  /// The maximum number of rows in the patch before the chunk is packed again.
  static let patchLimit = 512
}

extension TextChunk {
  /// Returns the bytes of a packed row, without regard to the patch.
  package func packedRange(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  package func string(_ row: Int) -> String {
    if !patch.isEmpty, let text = patch[row] { return String(decoding: text, as: UTF8.self) }
    return bytes.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[packedRange(row)]), as: UTF8.self)
    }
  }

  /// Calls a closure with the UTF-8 of a row.
  package func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    if !patch.isEmpty, let text = patch[row] { return text.withUnsafeBytes(body) }
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[packedRange(row)])) }
  }

  package func isOdd(_ row: Int) -> Bool { oddRows?[row] ?? false }

  package mutating func append(_ text: some Collection<UInt8>, isOdd: Bool) {
    bytes.append(contentsOf: text)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    guard isOdd || oddRows != nil else { return }
    if oddRows == nil { oddRows = Bitmap(count: ends.count - 1) }
    oddRows?.append(isOdd)
  }

  /// Replaces a text. After `patchLimit` rows, the chunk is packed again.
  package mutating func replace(_ row: Int, with text: [UInt8], isOdd: Bool) {
    put(row, text, isOdd: isOdd)
    packIfWorn()
  }

  /// The number of replacements above which repacking in one pass is faster.
  private static let worthPacking = 64

  /// Replaces texts in ascending rows; more than `worthPacking` are packed in one pass.
  mutating func replace(_ texts: [(row: Int, text: String, isOdd: Bool)]) {
    if texts.count <= TextChunk.worthPacking {
      for (row, text, isOdd) in texts { put(row, Array(text.utf8), isOdd: isOdd) }
      packIfWorn()
      return
    }
    if oddRows == nil, texts.contains(where: \.isOdd) { oddRows = Bitmap(count: count) }
    if oddRows != nil { for (row, _, isOdd) in texts { oddRows?[row] = isOdd } }
    pack(texts)
  }

  private mutating func put(_ row: Int, _ text: [UInt8], isOdd: Bool) {
    patch[row] = text
    if oddRows == nil, isOdd { oddRows = Bitmap(count: count) }
    oddRows?[row] = isOdd
  }

  /// The chunk without a patch.
  package var packed: TextChunk {
    if patch.isEmpty { return self }
    var packed = self
    packed.pack([])
    return packed
  }

  private mutating func packIfWorn() { if patch.count > TextChunk.patchLimit { pack([]) } }

  /// Rebuilds the chunk without a patch, with new texts in ascending rows.
  private mutating func pack(_ texts: [(row: Int, text: String, isOdd: Bool)]) {
    var others = patch
    for (row, text, _) in texts { others[row] = Array(text.utf8) }
    var packed = joined(with: others.sorted { $0.key < $1.key })
    packed.oddRows = oddRows
    self = packed
  }

  /// Returns the chunk with other texts in ascending rows.
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

  /// Returns the concatenated texts, and the rows with changed texts.
  private func merged(
    _ rows: ArraySlice<UInt32>, _ nulls: Bitmap?, _ new: NewTexts
  ) -> (texts: TextChunk, changed: [UInt32]) {
    var changed: [UInt32] = []
    var texts = TextChunk(bytes.count + new.size(of: rows), count)
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
    return (texts, changed)
  }

  /// Returns the packed texts with others in ascending rows; unchanged runs are copied at once.
  func joined(with others: [(key: Int, value: [UInt8])]) -> TextChunk {
    var texts = TextChunk(others.reduce(bytes.count) { $0 + $1.value.count }, count)
    withAccess { old in
      var next = 0
      for (row, text) in others {
        texts.append(old, next..<row)
        text.withUnsafeBufferPointer { texts.append($0) }
        next = row + 1
      }
      texts.append(old, next..<count)
    }
    return texts
  }
}

/// Texts for rows of a chunk: one per row or, with codes, one per code.
struct NewTexts: Sendable {
  let texts: TextChunk
  let codes: [UInt16]?
  let nulls: Bitmap?

  func isNull(_ row: UInt32) -> Bool { nulls?[Int(row) & ColumnChunk.mask] ?? false }

  /// Returns the index of a row's text; the row must not be null.
  func place(_ row: UInt32) -> Int {
    let i = Int(row) & ColumnChunk.mask
    return codes.map { Int($0[i]) } ?? i
  }

  func isOdd(_ row: UInt32) -> Bool { !isNull(row) && texts.isOdd(place(row)) }

  /// Returns the total size of the texts of some rows in bytes.
  func size(of rows: ArraySlice<UInt32>) -> Int {
    rows.reduce(0) { isNull($1) ? $0 : $0 + texts.packedRange(place($1)).count }
  }
}

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

extension TextChunk {
  /// Creates an empty chunk with room for `count` texts of `size` bytes together.
  fileprivate init(_ size: Int, _ count: Int) {
    self.init()
    bytes.reserveCapacity(size)
    ends.reserveCapacity(count)
  }

  fileprivate mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  fileprivate mutating func append(_ texts: PackedTexts, _ rows: Range<Int>) {
    guard let last = rows.last else { return }
    let start = texts.start(rows.lowerBound)
    let shift = UInt32(truncatingIfNeeded: bytes.count &- start)
    bytes.append(contentsOf: texts.bytes[start..<Int(texts.ends[last])])
    for row in rows { ends.append(texts.ends[row] &+ shift) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func isSame(_ other: Self) -> Bool {
    count == other.count && elementsEqual(other)
  }
}
