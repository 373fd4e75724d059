import KuraGraph
import KuraValues

/// `length(title)`: how many UTF-16 units each row's text has, counted in its bytes.
struct LengthNode: VectorNode {
  let column: Int
  /// The lengths of a dictionary's texts, by their codes.
  private let lengths: [Int64]

  init(_ column: Int, _ table: Table) {
    self.column = column
    let dictionary = table.columns[column].dictionary
    lengths = dictionary.map { LengthNode.lengths($0.texts, 0..<$0.count) } ?? []
  }

  var kind: VectorKind { .integer }
  var cost: Double { 8 }

  func vector(_ rows: ChunkRows) -> Vector {
    let chunk = rows.chunk(column)
    return Vector(.integers(.each(lengths(of: chunk))), nulls: chunk.nulls)
  }

  private func lengths(of chunk: ColumnChunk) -> [Int64] {
    switch chunk.values {
    case .text(let texts): LengthNode.lengths(texts, 0..<chunk.count)
    case .bytes(let codes): codes.map { length(Int($0)) }
    case .codes(let codes): codes.map { length(Int($0)) }
    case .integers, .doubles, .links, .linkLists: Array(repeating: 0, count: chunk.count)
    }
  }

  /// A row without a value has a code that may mean nothing, where no row has one.
  private func length(_ code: Int) -> Int64 { code < lengths.count ? lengths[code] : 0 }

  private static func lengths(_ texts: TextChunk, _ rows: Range<Int>) -> [Int64] {
    rows.map { row in
      var units: Int64 = 0
      texts.withText(row) { bytes in
        for byte in bytes { units += byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }
      }
      return units
    }
  }
}
