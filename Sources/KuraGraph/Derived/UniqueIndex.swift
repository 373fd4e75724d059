import KuraModel

/// The rows of a table by a hash of some keys' values, all of which are there.
///
/// An entry says where to look: the values of its row are compared. So a row that was changed gets
/// another entry, and the old one is harmless. What was sealed once is shared by all copies.
struct UniqueIndex: Sendable {
  private let sealed: HashBuckets
  /// The rows that came since, by their hashes.
  private var added: [UInt64: [UInt32]] = [:]
  /// Rows that were changed since.
  private var changed: Set<UInt32> = []
  private var addedCount = 0

  /// Linear in the table.
  init(_ table: Table, _ columns: [Int]) {
    let hashes = (0..<table.count).map { row in
      table.isLive(row) ? table.uniqueHash(row, columns) : nil
    }
    sealed = HashBuckets(count: table.count) { body in
      for (row, hash) in hashes.enumerated() { if let hash { body(row, hash) } }
    }
  }

  /// Whether so much came that sealing it is better.
  func isWorn(_ table: Table) -> Bool { addedCount + changed.count > table.count / 4 + 65_536 }

  mutating func note(_ rows: [Int]) {
    for row in rows { changed.insert(UInt32(truncatingIfNeeded: row)) }
  }

  /// The rows that may have the values of a row.
  mutating func candidates(_ row: Int, _ table: Table, _ columns: [Int]) -> [Int] {
    for row in changed { add(Int(row), table, columns) }
    changed = []
    guard let hash = table.uniqueHash(row, columns) else { return [] }
    return (sealed[hash] + (added[hash] ?? [])).map { Int($0) }
  }

  private mutating func add(_ row: Int, _ table: Table, _ columns: [Int]) {
    guard let hash = table.uniqueHash(row, columns) else { return }
    added[hash, default: []].append(UInt32(truncatingIfNeeded: row))
    addedCount += 1
  }
}

extension Table {
  /// A hash of the values of some columns in a row; nil if one of them is missing.
  fileprivate func uniqueHash(_ row: Int, _ columns: [Int]) -> UInt64? {
    var hash: UInt64 = 0
    for column in columns {
      guard let part = self.columns[column].uniqueHash(row) else { return nil }
      hash = (hash ^ part) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
    }
    return hash &* 0x9E37_79B9_7F4A_7C15
  }

  /// The values of some columns in a row; nil if one of them is missing.
  func uniqueValues(_ row: Int, _ columns: [Int]) -> [ChangeValue]? {
    var values: [ChangeValue] = []
    for column in columns {
      let value = uniqueValue(row, columns: column)
      if value == .null { return nil }
      values.append(value)
    }
    return values
  }

  private func uniqueValue(_ row: Int, columns column: Int) -> ChangeValue {
    switch columns[column].kind {
    case .attribute: ChangeValue(columns[column].cell(row))
    case .toOne, .toMany:
      columns[column].targets(row).first.map { .object(Int64($0)) } ?? .null
    }
  }

  /// The other rows with the same values of some columns as a row has; none where one is missing.
  func rows(alike row: Int, in columns: [Int]) -> [Int] {
    guard let values = uniqueValues(row, columns) else { return [] }
    let candidates = derived.uniqueIndex(columns, of: self) {
      $0.candidates(row, self, columns)
    }
    return Set(candidates).filter {
      $0 != row && isLive($0) && uniqueValues($0, columns) == values
    }.sorted()
  }
}

extension Column {
  /// A hash of a row's value; nil where there is none. Texts are equal by their bytes.
  fileprivate func uniqueHash(_ row: Int) -> UInt64? {
    let chunk = chunks[row >> ColumnChunk.shift]
    // Whether a link leads nowhere stands in the link alone.
    guard case .attribute = kind else { return targets(row).first.map { UInt64($0) } }
    guard let i = chunk.place(of: row & ColumnChunk.mask) else { return nil }
    switch chunk.keptOnly {
    case .integers(let a): return UInt64(bitPattern: a[i])
    case .doubles(let a): return a[i].bitPattern
    case .bytes(let a): return dictionary == nil ? UInt64(a[i]) : textHash(Int(a[i]))
    case .codes(let a): return textHash(Int(a[i]))
    case .text(let text): return text.hash(i)
    case .links, .linkLists: return nil
    }
  }

  private func textHash(_ code: Int) -> UInt64? { dictionary?.texts.hash(code) }
}

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
