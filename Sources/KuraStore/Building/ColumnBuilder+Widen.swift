import Foundation
import KuraBytes
import KuraGraph
import KuraValues

extension ColumnBuilder {
  /// Turns all values so far into another shape; none is lost.
  @inline(never)
  mutating func widen(to wider: Shape) {
    let open = ColumnChunk(openValues(), nulls: openBitmap(nulls, if: hasNulls))
    let from = shape
    sealed = sealed.map { chunk in chunk.mapKept { converted($0, from: from, to: wider) } }
    shape = wider
    if from == .empty { return reopen(nullChunk(open.count, wider)) }
    let texts = converted(open, from: from, to: wider)
    if from == .coded { dropDictionary() }
    reopen(texts)
  }

  private mutating func dropDictionary() {
    dictionary.free()
    dictionary = ByteDictionary()
  }

  private func converted(_ chunk: ColumnChunk, from: Shape, to wider: Shape) -> ColumnChunk {
    if from == .empty { return nullChunk(chunk.count, wider) }
    if wider == .doubles, case .integers(let values) = chunk.values {
      return ColumnChunk(.doubles(values.map { Double($0) }), nulls: chunk.nulls)
    }
    var text = TextChunk()
    for row in 0..<chunk.count {
      guard !chunk.isNull(row) else {
        text.append([], isOdd: false)
        continue
      }
      let bytes = textOf(row, in: chunk, from: from, to: wider)
      text.append(bytes.text, isOdd: bytes.isOdd)
    }
    return ColumnChunk(.text(text), nulls: chunk.nulls)
  }

  /// A chunk of rows without a value.
  private func nullChunk(_ count: Int, _ shape: Shape) -> ColumnChunk {
    let nulls = Bitmap(count: count, filledWith: true)
    switch shape {
    case .empty, .integers:
      return ColumnChunk(.integers(Array(repeating: 0, count: count)), nulls: nulls)
    case .doubles: return ColumnChunk(.doubles(Array(repeating: 0, count: count)), nulls: nulls)
    case .booleans, .coded:
      return ColumnChunk(.bytes(Array(repeating: 0, count: count)), nulls: nulls)
    case .text, .decimals, .json, .lists:
      let text = TextChunk(ends: Array(repeating: 0, count: count))
      return ColumnChunk(.text(text), nulls: nulls)
    }
  }

  /// Puts a chunk's values back into the open memory.
  private mutating func reopen(_ chunk: ColumnChunk) {
    arena.truncate(to: 0)
    switch chunk.values {
    case .integers(let values): for row in 0..<count { words[row] = values[row] }
    case .doubles(let values):
      for row in 0..<count { words[row] = Int64(bitPattern: values[row].bitPattern) }
    case .bytes(let values): for row in 0..<count { words[row] = Int64(values[row]) }
    case .codes(let values): for row in 0..<count { words[row] = Int64(values[row]) }
    case .text(let text): reopen(text)
    case .links, .linkLists: break
    }
  }

  private mutating func reopen(_ text: TextChunk) {
    odds.update(repeating: 0, count: room / 64)
    text.bytes.withUnsafeBufferPointer {
      if let start = $0.baseAddress { arena.append(start, $0.count) }
    }
    for row in 0..<count {
      ends[row] = text.ends[row]
      guard text.isOdd(row) else { continue }
      odds[row >> 6] |= 1 << UInt64(row & 63)
      hasOdds = true
    }
  }
}

extension ColumnBuilder {
  private func textOf(_ row: Int, in chunk: ColumnChunk, from: Shape, to wider: Shape)
    -> (text: [UInt8], isOdd: Bool)
  {
    switch chunk.values {
    case .integers(let values): return (Array(String(values[row]).utf8), false)
    case .doubles(let values):
      let text = wider == .decimals ? NumberText.decimal("\(values[row])")?.description : nil
      return (Array((text ?? "\(values[row])").utf8), false)
    case .bytes(let values):
      if from == .booleans { return (Array((values[row] == 1 ? "true" : "false").utf8), false) }
      return dictionaryText(Int(values[row]), to: wider)
    case .codes(let values): return dictionaryText(Int(values[row]), to: wider)
    case .text(let text):
      let bytes = Array(text.bytes[text.packedRange(row)])
      let isString = from == .text && wider == .json
      return (isString ? bytes.withUnsafeBufferPointer(jsonText) : bytes, text.isOdd(row))
    case .links, .linkLists: return ([], false)
    }
  }

  private func dictionaryText(_ code: Int, to wider: Shape) -> (text: [UInt8], isOdd: Bool) {
    let text = dictionary.text(code)
    return (wider == .json ? jsonText(text) : Array(text), dictionary.odd[code])
  }
}

/// A string as JSON: in quotes, with what must be escaped escaped.
func jsonText(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  var json: [UInt8] = []
  JSONWriter.append(utf8: UnsafeRawBufferPointer(text), to: &json)
  return json
}
