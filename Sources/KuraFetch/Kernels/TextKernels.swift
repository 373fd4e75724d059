import Foundation
import KuraBytes
import KuraGraph
import KuraValues

/// Texts that were tested once for each distinct one.
struct DictionaryKernel: ChunkKernel {
  let column: Int
  /// The answer for each code.
  let passes: [Bool]
  let nullPasses: Bool

  func matches(_ chunk: ColumnChunk) -> Bitmap {
    let result: Bitmap
    switch chunk.values {
    case .bytes(let codes): result = Bitmap(codes) { passes[Int($0)] }
    case .codes(let codes): result = Bitmap(codes) { passes[Int($0)] }
    case .integers, .doubles, .text, .links, .linkLists: result = Bitmap(count: chunk.count)
    }
    return result.settingNulls(chunk.nulls, to: nullPasses)
  }
}

/// What is asked of a text.
enum TextTest: Sendable {
  case contains
  case begins
  case ends
  case equals
}

/// Texts in which a needle is.
///
/// Where a search of bytes is Foundation's answer, it is made over the bytes of all rows at once;
/// odd rows, and needles that have no such bytes, are asked one by one.
struct TextKernel: ChunkKernel {
  let column: Int
  let needle: TextNeedle
  let test: TextTest
  let isNegated: Bool

  func matches(_ chunk: ColumnChunk) -> Bitmap {
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    if let bytes = needle.exactBytes {
      search(text, bytes, &result)
      askOddRows(text, chunk, &result)
    } else {
      for row in 0..<text.count where ask(text.string(row)) { result[row] = true }
    }
    result = result.settingNulls(chunk.nulls, to: false)
    if isNegated { result.invert() }
    return result
  }

  private func ask(_ text: String) -> Bool {
    switch test {
    case .contains: needle.isContained(in: text)
    case .begins: needle.begins(text)
    case .ends: needle.ends(text)
    case .equals: needle.equals(text)
    }
  }

  private func askOddRows(_ text: TextChunk, _ chunk: ColumnChunk, _ result: inout Bitmap) {
    text.oddRows?.forEachSet { result[$0] = ask(text.string($0)) }
    for row in text.patch.keys { result[row] = ask(text.string(row)) }
  }

  private func search(_ text: TextChunk, _ needle: [UInt8], _ result: inout Bitmap) {
    text.bytes.withUnsafeBufferPointer { bytes in
      needle.withUnsafeBufferPointer { needle in
        text.ends.withUnsafeBufferPointer { ends in
          if test == .contains {
            TextKernel.findEach(needle, bytes, ends, &result)
          } else {
            compareEach(needle, bytes, ends, &result)
          }
        }
      }
    }
  }

  /// Finds the needle in the bytes of all rows; a hit across two rows is none.
  private static func findEach(
    _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<UInt32>, _ result: inout Bitmap
  ) {
    let search = ByteSearch(Array(needle), sample: bytes)
    var place = 0
    var row = 0
    while let at = search.next(in: bytes, from: place) {
      while Int(ends[row]) <= at { row += 1 }
      if at + needle.count <= Int(ends[row]) {
        result[row] = true
        place = Int(ends[row])
      } else {
        place = at + 1
      }
    }
  }

  private func compareEach(
    _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<UInt32>, _ result: inout Bitmap
  ) {
    guard let start = bytes.baseAddress, let pattern = needle.baseAddress else { return }
    var from = 0
    for row in ends.indices {
      let end = Int(ends[row])
      let length = end - from
      let at = test == .ends ? end - needle.count : from
      if test == .equals ? length == needle.count : length >= needle.count,
        memcmp(start + at, pattern, needle.count) == 0
      {
        result[row] = true
      }
      from = end
    }
  }
}
