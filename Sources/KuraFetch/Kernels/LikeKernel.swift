import KuraGraph
import KuraValues

/// `title LIKE[c] "*pass*7"`: the longest literal is searched, and the rows with it are matched.
struct LikeKernel: ColumnKernel {
  let column: Int
  let key: String
  let pattern: LikePattern
  let options: TextOptions
  /// What the searched bytes must have; nil where every row is matched.
  private let literal: [UInt8]?

  init(column: Int, key: String, text: String, options: TextOptions) {
    self.column = column
    self.key = key
    self.options = options
    pattern = LikePattern(text, options)
    let fold = TextFold.of([.caseInsensitive, .diacriticInsensitive])
    literal = pattern.longestLiteral.flatMap { literal in
      guard options.folds else { return literal }
      return literal.withUnsafeBufferPointer { fold?.folded($0) }
    }
  }

  var method: String {
    literal == nil ? "pattern over \(key)" : "pattern over \(key), searching its longest literal"
  }
  var cost: Double { literal == nil ? 60 : 8 }
}

extension LikeKernel {
  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    if rows.areFew {
      rows.candidates.eachRow { result[$0] = pattern.matches(text.string($0)) }
    } else if options.folds {
      searchFolded(chunk, text, &result)
    } else {
      search(text.bytes, text.ends, &result) { _, bytes in pattern.matches(folded: bytes) }
      for row in text.patch.keys { result[row] = pattern.matches(text.string(row)) }
    }
    return result.settingNulls(chunk.nulls, to: false)
  }

  /// The folded copy is folded under [cd]: under other options what it has is looked at again.
  private func searchFolded(_ chunk: ColumnChunk, _ text: TextChunk, _ result: inout Bitmap) {
    guard let folded = chunk.folded(atUse: 1) else { return }
    let isBoth = options.contains([.caseInsensitive, .diacriticInsensitive])
    let isCase = options.contains(.caseInsensitive)
    search(folded.bytes, folded.ends, &result) { row, bytes in
      isBoth || (isCase && !folded.isMarked(row))
        ? pattern.matches(folded: bytes) : pattern.matches(text.string(row))
    }
    text.oddRows?.eachRow { result[$0] = pattern.matches(text.string($0)) }
    for row in text.patch.keys { result[row] = pattern.matches(text.string(row)) }
  }

  private func search(
    _ bytes: [UInt8], _ ends: [UInt32], _ result: inout Bitmap,
    _ test: (Int, UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    bytes.withUnsafeBufferPointer { buffer in
      func ask(_ row: Int) {
        let start = row == 0 ? 0 : Int(ends[row - 1])
        let text = UnsafeBufferPointer(rebasing: buffer[start..<Int(ends[row])])
        if test(row, text) { result.insert(row) }
      }
      if let literal {
        TextBytes.find(.contains, literal, bytes, ends, ask)
      } else {
        for row in ends.indices { ask(row) }
      }
    }
  }
}
