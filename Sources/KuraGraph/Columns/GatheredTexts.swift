/// The texts of some rows of a column, one behind the other: no string is made before somebody asks for it.
package final class GatheredTexts: Sendable {
  private let bytes: [UInt8]
  /// Where each text ends in `bytes`; the complement of the end before it where there is none.
  private let ends: [Int]

  /// The rows ascend.
  init(_ column: Column, _ rows: [UInt32]) {
    var texts = TextGathering(rows.count)
    var place = 0
    while place < rows.count {
      let number = Int(rows[place]) >> ColumnChunk.shift
      let end = rows[place...].firstIndex { Int($0) >> ColumnChunk.shift != number } ?? rows.count
      texts.add(rows[place..<end], of: column.chunks[number], column.dictionary?.texts)
      place = end
    }
    (bytes, ends) = (texts.bytes, texts.ends)
  }

  var count: Int { ends.count }

  subscript(place: Int) -> ChangeValue {
    let (start, end) = (place == 0 ? 0 : ends[place - 1], ends[place])
    guard end >= 0 else { return .null }
    return .text(String(decoding: bytes[(start < 0 ? ~start : start)..<end], as: UTF8.self))
  }

  /// How many texts must be gathered before they are worth more than themselves.
  static let fewest = 64
}

/// Texts as they come together.
private struct TextGathering {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []

  init(_ count: Int) { ends.reserveCapacity(count) }

  /// Adds the texts of some rows of a chunk, which is opened once.
  mutating func add(_ rows: ArraySlice<UInt32>, of chunk: ColumnChunk, _ dictionary: TextChunk?) {
    switch chunk.keptOnly {
    case .text(let texts): add(rows, chunk, texts) { $0 }
    case .bytes(let codes): add(rows, chunk, dictionary) { Int(codes[$0]) }
    case .codes(let codes): add(rows, chunk, dictionary) { Int(codes[$0]) }
    case .integers, .doubles, .links, .linkLists: add(rows, chunk, nil) { $0 }
    }
  }

  /// Adds a text for each row, of which `code` says the place among the texts.
  private mutating func add(
    _ rows: ArraySlice<UInt32>, _ chunk: ColumnChunk, _ texts: TextChunk?, _ code: (Int) -> Int
  ) {
    guard let packed = texts?.packed else { return ends += rows.map { _ in ~bytes.count } }
    packed.bytes.withUnsafeBufferPointer { all in
      for row in rows {
        guard let place = chunk.place(of: Int(row) & ColumnChunk.mask) else {
          ends.append(~bytes.count)
          continue
        }
        let range = packed.packedRange(code(place))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: all[range]))
        ends.append(bytes.count)
      }
    }
  }
}
