import KuraModel

/// The rows of a table by a hash of some keys' values, all of which are there.
///
/// An entry says where to look: the values of its row are compared. So a row that was changed gets
/// another entry, and the old one is harmless.
struct UniqueIndex: Sendable {
  private var rows: [Int: [UInt32]] = [:]
  /// Rows that were changed since.
  private var changed: Set<UInt32> = []
  private var entries = 0

  /// Linear in the table.
  init(_ table: Table, _ columns: [Int]) {
    for row in 0..<table.count where table.isLive(row) { add(row, table, columns) }
  }

  /// Whether more entries are old than is good.
  func isWorn(_ table: Table) -> Bool { entries > table.count * 2 + 1024 }

  mutating func note(_ rows: [Int]) {
    for row in rows { changed.insert(UInt32(truncatingIfNeeded: row)) }
  }

  /// The rows that may have the values.
  mutating func candidates(_ values: [ChangeValue], _ table: Table, _ columns: [Int]) -> [Int] {
    for row in changed { add(Int(row), table, columns) }
    changed = []
    return (rows[values.hashValue] ?? []).map { Int($0) }
  }

  private mutating func add(_ row: Int, _ table: Table, _ columns: [Int]) {
    guard let values = table.uniqueValues(row, columns) else { return }
    rows[values.hashValue, default: []].append(UInt32(truncatingIfNeeded: row))
    entries += 1
  }
}

extension Table {
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
      $0.candidates(values, self, columns)
    }
    return Set(candidates).filter {
      $0 != row && isLive($0) && uniqueValues($0, columns) == values
    }.sorted()
  }
}
