/// The texts of a chunk's rows: their bytes one behind the other, and where each ends.
///
/// Binary, decimal, uuid, uri and json values are texts too, in their canonical form.
package struct TextChunk: Sendable {
  /// UTF-8, dense and in the order of the rows.
  package private(set) var bytes: [UInt8]
  /// Where each row's text ends in `bytes`; it begins where the row before ends.
  package private(set) var ends: [UInt32]
  /// The rows for which a search of bytes is not Foundation's answer; nil if there are none.
  package private(set) var oddRows: Bitmap?
  /// Texts that were put in the place of others since the chunk was packed, by row.
  package private(set) var patch: [Int: [UInt8]] = [:]

  package init(bytes: [UInt8] = [], ends: [UInt32] = [], oddRows: Bitmap? = nil) {
    self.bytes = bytes
    self.ends = ends
    self.oddRows = oddRows
  }

  package var count: Int { ends.count }

  /// How many rows may stand in the patch before the chunk is packed anew.
  static let patchLimit = 512
}

extension TextChunk {
  /// The bytes of a packed row; what the patch says is not in it.
  package func packedRange(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  package func string(_ row: Int) -> String {
    if !patch.isEmpty, let text = patch[row] { return String(decoding: text, as: UTF8.self) }
    return bytes.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[packedRange(row)]), as: UTF8.self)
    }
  }

  /// Hands over the UTF-8 of a row.
  package func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    if !patch.isEmpty, let text = patch[row] { return text.withUnsafeBytes(body) }
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[packedRange(row)])) }
  }

  package func isOdd(_ row: Int) -> Bool { oddRows?[row] ?? false }
}

extension TextChunk {
  package mutating func append(_ text: some Collection<UInt8>, isOdd: Bool) {
    bytes.append(contentsOf: text)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    guard isOdd || oddRows != nil else { return }
    if oddRows == nil { oddRows = Bitmap(count: ends.count - 1) }
    oddRows?.append(isOdd)
  }

  /// Puts a text in the place of another; every `patchLimit` rows the chunk is packed anew.
  package mutating func replace(_ row: Int, with text: [UInt8], isOdd: Bool) {
    put(row, text, isOdd: isOdd)
    packIfWorn()
  }

  /// So many at once are worth a pass.
  private static let worthPacking = 64

  /// Many at once; their rows ascend. Where they are more than few, one pass packs them.
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

  /// The same without a patch.
  package var packed: TextChunk {
    if patch.isEmpty { return self }
    var packed = self
    packed.pack([])
    return packed
  }

  private mutating func packIfWorn() { if patch.count > TextChunk.patchLimit { pack([]) } }

  /// Makes a chunk without a patch, with new texts in some rows, which ascend.
  private mutating func pack(_ texts: [(row: Int, text: String, isOdd: Bool)]) {
    var others = patch
    for (row, text, _) in texts { others[row] = Array(text.utf8) }
    var packed = joined(with: others.sorted { $0.key < $1.key })
    packed.oddRows = oddRows
    self = packed
  }
}
