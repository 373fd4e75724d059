/// Some cells of a column as they were when this was made: it shares the column's chunks, and whoever
/// changes the column later copies those that change.
package final class ColumnCells: Sendable {
  /// The rows, ascending.
  let rows: [UInt32]
  /// The chunks in which the rows are.
  let chunks: [Int]
  /// The column, with something empty in the place of its other chunks.
  let column: Column

  init(_ column: Column, _ rows: [UInt32], in chunks: [Int]) {
    (self.rows, self.chunks) = (rows, chunks)
    var kept = column
    if chunks.count < column.chunks.count {
      kept.chunks = Array(repeating: Self.empty, count: column.chunks.count)
      for chunk in chunks { kept.chunks[chunk] = column.chunks[chunk] }
    }
    self.column = kept
  }

  subscript(place: Int) -> ChangeValue { ChangeValue(column.cell(Int(rows[place]))) }

  private static let empty = ColumnChunk(.bytes([]))
}

extension ColumnCells {
  /// How many rows of a chunk there must be before their cells are worth the whole of it.
  private static let fewest = 512

  /// The chunks of some rows, which ascend, where so many are in each on average; else nil.
  static func chunks(of rows: [UInt32]) -> [Int]? {
    guard rows.count >= fewest else { return nil }
    var chunks: [Int] = []
    for row in rows where chunks.last != Int(row) >> ColumnChunk.shift {
      chunks.append(Int(row) >> ColumnChunk.shift)
    }
    return rows.count >= chunks.count * fewest ? chunks : nil
  }
}

extension ChangeValues {
  /// The values of some rows of a column, which ascend: its cells where they are many in each chunk, and
  /// else its texts where there are some.
  init(_ column: Column, _ rows: [UInt32]) {
    if let chunks = ColumnCells.chunks(of: rows) {
      self.init(ColumnCells(column, rows, in: chunks))
    } else if column.kind.isText, rows.count >= GatheredTexts.fewest {
      self.init(GatheredTexts(column, rows))
    } else {
      self.init(rows.map { ChangeValue(column.cell(Int($0))) })
    }
  }
}

extension Column {
  /// Puts the chunks of some cells in the place of those that others are of; false, and nothing is done,
  /// unless the column has those now.
  mutating func exchange(_ old: ColumnCells, for new: ColumnCells) -> Bool {
    guard old.chunks == new.chunks, has(old), reads(new) else { return false }
    for chunk in old.chunks { chunks[chunk] = new.column.chunks[chunk] }
    if let texts = new.column.dictionary, let dictionary, texts.count > dictionary.count {
      self.dictionary = texts
    }
    return true
  }

  /// Whether the column has the chunks that some cells are of.
  func has(_ cells: ColumnCells) -> Bool {
    reads(cells)
      && cells.chunks.allSatisfy {
        $0 < chunks.count && chunks[$0].isSame(cells.column.chunks[$0])
      }
  }

  /// Whether nothing has changed since one of the two was a copy of the other.
  func isSame(as other: Column) -> Bool {
    kind == other.kind && chunks.count == other.chunks.count
      && zip(chunks, other.chunks).allSatisfy { $0.isSame($1) } && reads(other.dictionary)
  }

  /// Whether codes mean the same here and in some cells, as far as both have them.
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

  /// Whether the codes of another mean the same here.
  fileprivate func begins(with other: TextDictionary) -> Bool { begins(with: other.texts) }
}
