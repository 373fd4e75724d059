import KuraGraph

/// Some rows of a large table, spread over it, which show how many pass a test.
///
/// They are the same each time, so that a request is always answered in the same way.
struct RowSample {
  let table: Table
  let rows: [Int]

  /// From how many rows on a table is large enough that a better order pays for a sample.
  static let least = 1 << 15
  static let size = 256

  /// Nil for a small table.
  init?(_ table: Table) {
    guard table.count >= RowSample.least else { return nil }
    self.table = table
    let step = table.count / RowSample.size
    // Not at equal steps, which a pattern in the data may have too.
    rows = (0..<RowSample.size).map { $0 * step + ($0 &* 2_654_435_761) % step }
  }
}

extension RowSample {
  /// The share of the rows that pass a test of a column.
  func share(passing kernel: some ColumnKernel) -> Double? {
    guard let chunk = table.columns[kernel.column].picked(rows) else { return nil }
    var small = table
    small.columns[kernel.column].chunks = [chunk]
    let all = Bitmap(count: rows.count, filledWith: true)
    let answer = kernel.answer(ChunkRows(table: small, number: 0, candidates: all))
    return Double(answer.passing.popcount) / Double(rows.count)
  }
}

extension Column {
  /// The values of some rows, as a chunk of their own; nil for lists of links.
  fileprivate func picked(_ rows: [Int]) -> ColumnChunk? {
    guard let values = values(rows) else { return nil }
    guard chunks.contains(where: { $0.nulls != nil }) else { return ColumnChunk(values) }
    var nulls = Bitmap(count: rows.count)
    for (place, row) in rows.enumerated() where isNull(row) { nulls.insert(place) }
    return ColumnChunk(values, nulls: nulls)
  }

  private func values(_ rows: [Int]) -> ColumnChunk.Values? {
    switch chunks.first?.values {
    case .integers: .integers(rows.map { integer($0) })
    case .bytes, .codes:
      dictionary == nil
        ? .bytes(rows.map { UInt8(truncatingIfNeeded: integer($0)) })
        : .codes(rows.map { UInt16(truncatingIfNeeded: integer($0)) })
    case .doubles: .doubles(rows.map { double($0) })
    case .links: .links(rows.map { link($0).map { UInt32(truncatingIfNeeded: $0) } ?? noRow })
    case .text: .text(texts(rows))
    case .linkLists, nil: nil
    }
  }

  private func integer(_ row: Int) -> Int64 {
    let chunk = row >> ColumnChunk.shift
    guard let place = chunks[chunk].place(of: row & ColumnChunk.mask) else { return 0 }
    return switch chunks[chunk].keptOnly {
    case .integers(let values): values[place]
    case .bytes(let values): Int64(values[place])
    case .codes(let values): Int64(values[place])
    case .doubles, .text, .links, .linkLists: 0
    }
  }

  private func double(_ row: Int) -> Double {
    let chunk = row >> ColumnChunk.shift
    guard case .doubles(let values) = chunks[chunk].keptOnly,
      let place = chunks[chunk].place(of: row & ColumnChunk.mask)
    else { return 0 }
    return values[place]
  }

  private func texts(_ rows: [Int]) -> TextChunk {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
    var odd = Bitmap(count: rows.count)
    for (place, row) in rows.enumerated() {
      let chunk = row >> ColumnChunk.shift
      if case .text(let text) = chunks[chunk].keptOnly,
        let i = chunks[chunk].place(of: row & ColumnChunk.mask)
      {
        bytes += text.patch[i]?[...] ?? text.bytes[text.packedRange(i)]
        if text.isOdd(i) { odd.insert(place) }
      }
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    return TextChunk(bytes: bytes, ends: ends, oddRows: odd.isEmpty ? nil : odd)
  }
}
