import Synchronization

/// Data that is derived from a table's columns at first use.
///
/// All copies of one state of the table share it. A change of the table patches the data if it is
/// unshared, otherwise a copy of it.
package final class DerivedData: Sendable {
  private let inverses: Mutex<[Int: InverseIndex]>
  private let ranks: Mutex<[Int: [UInt32]]>
  /// The number of requests for an inverse by callers that have an alternative.
  private let requests: Mutex<[Int: Int]>
  private let indexes: Mutex<[Int: ValueAtUse<HashIndex>]>
  private let uniqueIndexes: Mutex<[[Int]: UniqueIndex]>
  private let sortedIndexes: Mutex<[[SortedIndex.Key]: (uses: Int, index: SortedIndex?)]>
  private let numbers: Mutex<[Int: ValueAtUse<ColumnNumbers>]>

  package init(copying other: DerivedData? = nil) {
    inverses = Mutex(other?.inverses.withLock { $0 } ?? [:])
    ranks = Mutex(other?.ranks.withLock { $0 } ?? [:])
    requests = Mutex(other?.requests.withLock { $0 } ?? [:])
    indexes = Mutex(other?.indexes.withLock { $0 } ?? [:])
    uniqueIndexes = Mutex(other?.uniqueIndexes.withLock { $0 } ?? [:])
    sortedIndexes = Mutex(other?.sortedIndexes.withLock { $0 } ?? [:])
    numbers = Mutex(other?.numbers.withLock { $0 } ?? [:])
  }

  /// Returns the inverse of a relationship's column, built on first use.
  func inverse(ofColumn column: Int, make: () -> InverseIndex) -> InverseIndex {
    inverses.withLock { known in
      if let index = known[column] { return index }
      let index = make()
      known[column] = index
      return index
    }
  }
}

extension DerivedData {
  /// Returns whether the inverse exists, or whether one more request justifies building it.
  func hasInverse(ofColumn column: Int, atUse use: Int) -> Bool {
    if inverses.withLock({ $0[column] != nil }) { return true }
    return requests.withLock { requests in
      requests[column, default: 0] += 1
      return requests[column, default: 0] >= use
    }
  }

  /// Returns the index of a column, built at the given use; nil before.
  func index(ofColumn column: Int, atUse use: Int, make: @Sendable () -> HashIndex) -> HashIndex? {
    indexes.withLock { $0[column, default: .init()].value(atUse: use, make) }
  }

  /// Returns the sorted index of some columns, which `make` builds at the given use and updates
  /// after changes; nil before.
  func sortedIndex(
    _ keys: [SortedIndex.Key], atUse use: Int, make: (SortedIndex?) -> SortedIndex?
  ) -> SortedIndex? {
    sortedIndexes.withLock { known in
      var entry = known[keys] ?? (0, nil)
      entry.uses += 1
      let isThere = entry.index.map(\.changed.isEmpty)
      if isThere == false || isThere == nil && entry.uses >= use { entry.index = make(entry.index) }
      known[keys] = entry
      return entry.index
    }
  }

  /// Returns the numbers of a column's values, made at the second use.
  fileprivate func numbers(
    ofColumn column: Int, make: @Sendable () -> ColumnNumbers
  ) -> ColumnNumbers? {
    numbers.withLock { $0[column, default: .init()].value(atUse: 2, make) }
  }

  /// Returns the ranks of a column's dictionary, computed at first use and after it has grown.
  fileprivate func ranks(
    ofColumn column: Int, count: Int, make: () -> [UInt32]
  ) -> [UInt32] {
    ranks.withLock { known in
      if let ranks = known[column], ranks.count == count { return ranks }
      let ranks = make()
      known[column] = ranks
      return ranks
    }
  }

  /// Returns whether there is an inverse to patch for this many changed rows; it is discarded if
  /// rebuilding is less work.
  func keeps(inverseOfColumn column: Int, for count: Int) -> Bool {
    inverses.withLock { known in
      if count <= 1024, known[column]?.needsRebuild == false { return true }
      known[column] = nil
      return false
    }
  }

  /// Updates the inverse after links of some rows changed.
  func linksChanged(_ column: Int, _ changes: [LinkChange]) {
    inverses.withLock { known in
      for change in changes {
        let (gone, new) = change.old.difference(to: change.new)
        for target in gone { known[column]?.remove(change.row, from: target) }
        for target in new { known[column]?.add(change.row, to: target) }
      }
    }
  }

  /// Updates the indexes after values of some rows changed.
  func valuesChanged(_ number: Int, _ column: Column, _ rows: [Int]) {
    numbers.withLock { $0[number] = nil }
    indexes.withLock { known in
      guard var index = known[number]?.made else { return }
      known[number]?.made = nil
      for row in rows { column.hash(row).map { index.add(row, $0) } }
      if index.needsRebuild { known[number] = nil } else { known[number]?.made = index }
    }
    uniqueIndexes.withLock { known in
      // A loop over the keys would retain the dictionary, and each index would be copied.
      for columns in Array(known.keys) where columns.contains(number) {
        known[columns]?.note(rows)
      }
    }
    sortedIndexes.withLock { known in
      for keys in Array(known.keys) where keys.contains(where: { $0.column == number }) {
        // Removing the index from the dictionary makes it unshared, so that it is not copied.
        guard var index = known[keys]?.index else { continue }
        known[keys]?.index = nil
        if index.note(rows) { known[keys]?.index = index }
      }
    }
  }

  /// Calls a closure with the index of some columns' values, built on first use.
  func uniqueIndex<Result>(
    _ columns: [Int], of table: Table, _ body: (inout UniqueIndex) -> Result
  ) -> Result {
    uniqueIndexes.withLock { known in
      var index = known.removeValue(forKey: columns) ?? UniqueIndex(table, columns)
      if index.needsRebuild(table) { index = UniqueIndex(table, columns) }
      defer { known[columns] = index }
      return body(&index)
    }
  }

  var indexedColumns: Set<Int> {
    let texts = indexes.withLock { known in known.keys.filter { known[$0]?.made != nil } }
    let numbered = numbers.withLock { known in known.keys.filter { known[$0]?.made != nil } }
    let unique = uniqueIndexes.withLock {
      $0.keys.reduce(into: Set(texts + numbered)) { $0.formUnion($1) }
    }
    return sortedIndexes.withLock { known in
      known.reduce(into: unique) { columns, entry in
        if entry.value.index != nil { columns.formUnion(entry.key.map(\.column)) }
      }
    }
  }

  /// The relationship columns for which there is an inverse.
  var invertedColumns: [Int] { inverses.withLock { Array($0.keys) } }
}

/// A value that is created at a given use, because more uses are then likely.
struct ValueAtUse<Made> {
  var made: Made?
  private var uses = 0

  mutating func value(atUse use: Int, _ make: () -> Made) -> Made? {
    uses += 1
    if made == nil, uses >= use { made = make() }
    return made
  }
}

/// Small numbers for the values of a column, equal for equal values.
package struct ColumnNumbers: Sendable {
  /// The numbers by chunk and row: `count` for a row without a value.
  package let codes: [[UInt32]]
  /// The number of distinct values.
  package let count: UInt32

  package init(codes: [[UInt32]], count: UInt32) { (self.codes, self.count) = (codes, count) }
}

/// The old and new links of a row.
struct LinkChange {
  var row: UInt32
  var old: [UInt32]
  var new: [UInt32]
}

extension Table {
  /// Returns the numbers of a column's values in all rows; nil until the second use.
  package func numbers(
    ofColumn column: Int, make: @Sendable () -> ColumnNumbers
  ) -> ColumnNumbers? {
    derived.numbers(ofColumn: column, make: make)
  }

  /// Returns the rank of each dictionary code in the order of Unicode scalars; nil if the column has no dictionary.
  package func ranks(ofColumn column: Int) -> [UInt32]? {
    columns[column].dictionary.map { dictionary in
      derived.ranks(ofColumn: column, count: dictionary.count) {
        dictionary.ranks
      }
    }
  }
}

extension TextDictionary {
  /// The rank of each code in the order of Unicode scalars.
  package var ranks: [UInt32] {
    var ranks = [UInt32](repeating: 0, count: count)
    for (rank, code) in texts.order.enumerated() { ranks[code] = UInt32(truncatingIfNeeded: rank) }
    return ranks
  }
}

extension TextChunk {
  /// The rows sorted by bytes: by the first eight, which usually decide, then by all.
  fileprivate var order: [Int] {
    var rows: [(word: UInt64, row: Int)] = []
    rows.reserveCapacity(count)
    for row in 0..<count { withText(row) { rows.append(($0.firstWord, row)) } }
    rows.sort { a, b in
      if a.word != b.word { return a.word < b.word }
      var isBefore = false
      withText(a.row) { x in withText(b.row) { isBefore = x.lexicographicallyPrecedes($0) } }
      return isBefore
    }
    return rows.map(\.row)
  }
}
