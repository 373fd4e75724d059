/// An index of a table's rows by the hash of some keys' values, without nulls.
///
/// An entry only indicates where to look: readers compare the values of the row. A changed row gets
/// an additional entry before the next search, and its old one is harmless.
struct UniqueIndex: Sendable {
  private var index: HashIndex
  /// The rows changed since.
  private var changed: Set<UInt32> = []

  /// Builds the index. Linear in the table.
  init(_ table: Table, _ columns: [Int]) {
    let hashes = (0..<table.count).map { row in
      table.isLive(row) ? table.uniqueHash(row, columns) : nil
    }
    index = HashIndex(count: table.count) { body in
      for (row, hash) in hashes.enumerated() { if let hash { body(row, hash) } }
    }
  }

  /// Returns whether to rebuild: more than 65,536 rows and a quarter of the table were added or changed.
  func needsRebuild(_ table: Table) -> Bool {
    index.addedCount + changed.count > table.count / 4 + 65_536
  }

  mutating func note(_ rows: [Int]) {
    for row in rows { changed.insert(UInt32(truncatingIfNeeded: row)) }
  }

  /// Returns the rows that can have the same values as a row, ascending.
  mutating func candidates(_ row: Int, _ table: Table, _ columns: [Int]) -> [Int] {
    for row in changed {
      if let hash = table.uniqueHash(Int(row), columns) { index.add(Int(row), hash) }
    }
    changed = []
    return table.uniqueHash(row, columns).map { index.candidates($0).map { Int($0) } } ?? []
  }
}

extension Table {
  /// Returns a hash of the values of some columns in a row; nil if one is null.
  fileprivate func uniqueHash(_ row: Int, _ columns: [Int]) -> UInt64? {
    var hash: UInt64 = 0
    for column in columns {
      guard let part = self.columns[column].uniqueHash(row) else { return nil }
      hash = (hash ^ part) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
    }
    return hash &* 0x9E37_79B9_7F4A_7C15
  }

  /// Returns the values of some columns in a row; nil if one is null.
  func uniqueValues(_ row: Int, _ columns: [Int]) -> [StoredCell]? {
    var values: [StoredCell] = []
    for column in columns {
      let value = uniqueValue(row, columns: column)
      if value == .null { return nil }
      values.append(value)
    }
    return values
  }

  private func uniqueValue(_ row: Int, columns column: Int) -> StoredCell {
    switch columns[column].kind {
    case .attribute: columns[column].cell(row)
    case .toOne, .toMany:
      columns[column].targets(row).first.map { .object(Int64($0)) } ?? .null
    }
  }

  /// Returns the other rows with the same values of some columns; none if one is null.
  func rows(alike row: Int, in columns: [Int]) -> [Int] {
    guard let values = uniqueValues(row, columns) else { return [] }
    let candidates = derived.uniqueIndex(columns, of: self) {
      $0.candidates(row, self, columns)
    }
    return candidates.filter {
      $0 != row && isLive($0) && uniqueValues($0, columns) == values
    }
  }
}

extension Column {
  /// Returns a hash of a row's value; nil for null. Texts are compared by bytes.
  fileprivate func uniqueHash(_ row: Int) -> UInt64? {
    // Whether a link is null is part of the link.
    guard case .attribute = kind else { return targets(row).first.map { UInt64($0) } }
    return hash(row)
  }
}

extension Table {
  /// The number of uses from which an index of a column's texts is built; building takes about as
  /// long as this number of searches.
  package static let usesForIndex = 8

  /// Returns the rows with these bytes as text, ascending; nil if there is no index yet, or if
  /// there are so many rows that searching all texts is as fast.
  ///
  /// The index is built at use number `usesForIndex`; with `isUnique`, at the first use, because an
  /// index of distinct values is most selective.
  package func rows(
    ofColumn column: Int, withText text: [UInt8], isUnique: Bool = false
  ) -> [Int]? {
    candidates(column, text.withUnsafeBufferPointer(IndexHash.of), isUnique)?.filter {
      columns[column].text($0)?.utf8.elementsEqual(text) ?? false
    }
  }

  /// Returns the rows of a unique column of integers or dates with this value.
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
