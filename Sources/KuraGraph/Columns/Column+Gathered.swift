import KuraBytes
import KuraValues

extension Column {
  /// A column of the cells of some rows, in their order, one behind the other: as if the table had no
  /// others; nil of lists, and of values that no loop computes with. Both cores gather.
  package func gathered(_ rows: [UInt32]) -> Column? {
    let size = ColumnChunk.capacity
    let count = (rows.count + size - 1) / size
    let chunks = Workers.map(count: count, inParallel: count > 1) { number in
      chunk(rows[number * size..<min((number + 1) * size, rows.count)])
    }.compactMap(\.self)
    return chunks.count == count ? Column(kind, chunks: chunks, dictionary: dictionary) : nil
  }

  private func chunk(_ rows: ArraySlice<UInt32>) -> ColumnChunk? {
    switch kind {
    case .toMany: nil
    case .toOne: ColumnChunk(.links(links(rows)))
    case .attribute where dictionary != nil: codes(rows)
    case .attribute: piece(rows)?.chunk(oddRows: oddRows(rows))
    }
  }

  private func links(_ rows: ArraySlice<UInt32>) -> [UInt32] {
    cells(rows, empty: noRow) { chunk, rows in
      guard case .links(let links) = chunk.values else {
        return Array(repeating: noRow, count: rows.count)
      }
      return rows.map { links[Int($0) & ColumnChunk.mask] }
    }
  }

  private func codes(_ rows: ArraySlice<UInt32>) -> ColumnChunk {
    let codes = cells(rows, empty: Int32(-1)) { chunk, rows in
      rows.map { row in
        guard let place = chunk.place(of: Int(row) & ColumnChunk.mask) else { return -1 }
        return switch chunk.keptOnly {
        case .bytes(let codes): Int32(codes[place])
        case .codes(let codes): Int32(codes[place])
        case .integers, .doubles, .text, .links, .linkLists: -1
        }
      }
    }
    return ColumnChunk(
      .codes(codes.map { UInt16(truncatingIfNeeded: max(0, $0)) }),
      nulls: Bitmap(codes.map { $0 < 0 }))
  }

  /// Which of the texts are odd, as `TextChunk` has it; nil where none is.
  private func oddRows(_ rows: ArraySlice<UInt32>) -> Bitmap? {
    guard kind.isText else { return nil }
    let odd = cells(rows, empty: false) { chunk, rows in
      guard case .text(let texts) = chunk.keptOnly, let odd = texts.oddRows else {
        return Array(repeating: false, count: rows.count)
      }
      return rows.map { chunk.place(of: Int($0) & ColumnChunk.mask).map { odd[$0] } ?? false }
    }
    return Bitmap(odd)
  }
}

extension Bitmap {
  /// The rows of which something is so; nil of none.
  fileprivate init?(_ flags: [Bool]) {
    guard flags.contains(true) else { return nil }
    self.init(count: flags.count)
    for (row, flag) in flags.enumerated() where flag { self[row] = true }
  }
}

extension CellPiece {
  /// The cells as a chunk has them; nil of values.
  fileprivate func chunk(oddRows: Bitmap?) -> ColumnChunk? {
    let nulls = Bitmap(nulls)
    switch cells {
    case .integers(let values), .dates(let values):
      return ColumnChunk(.integers(values), nulls: nulls)
    case .doubles(let values): return ColumnChunk(.doubles(values), nulls: nulls)
    case .booleans(let values):
      return ColumnChunk(.bytes(values.map { $0 ? 1 : 0 }), nulls: nulls)
    case .texts(let bytes, let ends):
      guard bytes.count <= Int(UInt32.max) else { return nil }
      let texts = TextChunk(
        bytes: bytes, ends: ends.map { UInt32(truncatingIfNeeded: $0) }, oddRows: oddRows)
      return ColumnChunk(.text(texts), nulls: nulls)
    case .values: return nil
    }
  }
}
