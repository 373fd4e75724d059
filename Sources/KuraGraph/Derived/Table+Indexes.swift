extension Table {
  /// From which use on an index of a column's texts is worth its making: about what it costs.
  package static let usesForIndex = 8

  /// The rows whose text has the bytes, ascending; nil where there is no index (yet), and where
  /// they are so many that a search of all texts is as good.
  ///
  /// The index is made at a use that pays for it; `isUnique`: at the first, for that each row has a
  /// value of its own makes it worth most.
  package func rows(
    ofColumn column: Int, withText text: [UInt8], isUnique: Bool = false
  ) -> [Int]? {
    candidates(column, text.withUnsafeBufferPointer(IndexHash.of), isUnique)?.filter {
      columns[column].text($0)?.utf8.elementsEqual(text) ?? false
    }
  }

  /// The rows of a unique column of integers or dates that have this one.
  package func rows(ofUniqueColumn column: Int, withInteger number: Int64) -> [Int]? {
    candidates(column, IndexHash.of(number), true)?.filter { row in
      let chunk = columns[column].chunks[row >> ColumnChunk.shift]
      guard case .integers(let values) = chunk.values else { return false }
      return values[row & ColumnChunk.mask] == number
    }
  }

  private func candidates(_ column: Int, _ hash: UInt64, _ isUnique: Bool) -> [Int]? {
    let use = isUnique ? 1 : Table.usesForIndex
    guard
      let index = derived.index(
        ofColumn: column, atUse: use, make: { HashIndex(columns[column], count: count) })
    else { return nil }
    let candidates = index.candidates(hash)
    return candidates.count <= 1024 ? candidates.map { Int($0) } : nil
  }
}
