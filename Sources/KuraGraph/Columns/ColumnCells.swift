/// Some cells of a column at the time of creation. It shares the column's chunks; a later change of
/// the column copies the modified chunks.
package final class ColumnCells: Sendable {
  /// The rows, ascending.
  let rows: [UInt32]
  /// The chunks that contain the rows.
  let chunks: [Int]
  /// The column, with its other chunks replaced by an empty one.
  let column: Column

  init(_ column: Column, _ rows: [UInt32], in chunks: [Int]) {
    (self.rows, self.chunks) = (rows, chunks)
    var partial = column
    if chunks.count < column.chunks.count {
      partial.chunks = Array(repeating: Self.empty, count: column.chunks.count)
      for chunk in chunks { partial.chunks[chunk] = column.chunks[chunk] }
    }
    self.column = partial
  }

  subscript(place: Int) -> StoredCell { column.cell(Int(rows[place])) }

  private static let empty = ColumnChunk(.bytes([]))
}

extension ColumnCells {
  /// The minimum average number of rows per chunk for which whole chunks are kept.
  private static let fewest = 512

  /// Returns the chunks of ascending rows, if they contain enough rows on average; otherwise nil.
  static func chunks(of rows: [UInt32]) -> [Int]? {
    guard rows.count >= fewest else { return nil }
    var chunks: [Int] = []
    rows.eachChunk(of: { Int($0) }) { chunk, _ in chunks.append(chunk) }
    return rows.count >= chunks.count * fewest ? chunks : nil
  }
}

extension ChangeValues {
  /// Creates the values of ascending rows of a column: as cells if each chunk has many of them,
  /// otherwise as gathered texts if there are enough.
  init(_ column: Column, _ rows: [UInt32]) {
    if let chunks = ColumnCells.chunks(of: rows) {
      self.init(ColumnCells(column, rows, in: chunks))
    } else if column.kind.isText, rows.count >= GatheredTexts.fewest {
      self.init(GatheredTexts(column, rows))
    } else {
      self.init(rows.map { column.cell(Int($0)) })
    }
  }
}

extension Column {
  /// Replaces the chunks of old cells by those of new cells. Returns false, without a change,
  /// unless the column still has the old chunks.
  mutating func exchange(_ old: ColumnCells, for new: ColumnCells) -> Bool {
    guard old.chunks == new.chunks, has(old), reads(new) else { return false }
    for chunk in old.chunks { chunks[chunk] = new.column.chunks[chunk] }
    if let texts = new.column.dictionary, let dictionary, texts.count > dictionary.count {
      self.dictionary = texts
    }
    return true
  }

  /// Returns whether the column has the chunks of some cells.
  func has(_ cells: ColumnCells) -> Bool {
    reads(cells)
      && cells.chunks.allSatisfy {
        $0 < chunks.count && chunks[$0].isSame(cells.column.chunks[$0])
      }
  }

  /// Returns whether one of the two is an unmodified copy of the other.
  func isSame(as other: Column) -> Bool {
    kind == other.kind && chunks.count == other.chunks.count
      && zip(chunks, other.chunks).allSatisfy { $0.isSame($1) } && reads(other.dictionary)
  }

  /// Returns whether the column and the cells use the same codes, as far as both have them.
  private func reads(_ cells: ColumnCells) -> Bool { reads(cells.column.dictionary) }

  private func reads(_ other: TextDictionary?) -> Bool {
    switch (dictionary, other) {
    case (nil, nil): true
    case (let mine?, let other?): mine.begins(with: other) || other.begins(with: mine)
    default: false
    }
  }
}

extension TextDictionary {
  private func begins(with other: TextChunk) -> Bool {
    count >= other.count && texts.patch.isEmpty && other.patch.isEmpty
      && texts.ends.starts(with: other.ends) && texts.bytes.starts(with: other.bytes)
  }

  /// Returns whether the codes of another dictionary mean the same here.
  fileprivate func begins(with other: TextDictionary) -> Bool { begins(with: other.texts) }
}
