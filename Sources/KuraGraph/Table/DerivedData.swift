import Synchronization

/// What is computed from a table's columns at first use and kept beside them.
///
/// All copies of one state of the table share it. A change of the table patches it where the
/// table is its only owner, and a copy of it elsewhere.
package final class DerivedData: Sendable {
  private let inverses: Mutex<[Int: InverseIndex]>
  private let ranks: Mutex<[Int: [UInt32]]>
  /// How often an inverse was wanted by those who can do without.
  private let wishes: Mutex<[Int: Int]>
  private let indexes: Mutex<[Int: (uses: Int, index: HashIndex?)]>
  private let uniqueIndexes: Mutex<[[Int]: UniqueIndex]>
  private let sortedIndexes: Mutex<[[SortedIndex.Key]: (uses: Int, index: SortedIndex?)]>

  package init() {
    inverses = Mutex([:])
    ranks = Mutex([:])
    wishes = Mutex([:])
    indexes = Mutex([:])
    uniqueIndexes = Mutex([:])
    sortedIndexes = Mutex([:])
  }

  init(copying other: DerivedData) {
    inverses = Mutex(other.inverses.withLock { $0 })
    ranks = Mutex(other.ranks.withLock { $0 })
    wishes = Mutex(other.wishes.withLock { $0 })
    indexes = Mutex(other.indexes.withLock { $0 })
    uniqueIndexes = Mutex(other.uniqueIndexes.withLock { $0 })
    sortedIndexes = Mutex(other.sortedIndexes.withLock { $0 })
  }

  /// The inverse of a relationship's column, made by `make` at first use.
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
  /// Whether somebody who could do without the inverse asks for it a second time.
  func pays(inverseOfColumn column: Int) -> Bool {
    wishes.withLock { wishes in
      wishes[column, default: 0] += 1
      return wishes[column, default: 0] > 1
    }
  }

  /// Whether there is an inverse, or one more who could do without makes up for its making.
  func hasInverse(ofColumn column: Int, atUse use: Int) -> Bool {
    if inverses.withLock({ $0[column] != nil }) { return true }
    return wishes.withLock { wishes in
      wishes[column, default: 0] += 1
      return wishes[column, default: 0] >= use
    }
  }

  /// The index of a column, made at the use from which on it pays.
  func index(ofColumn column: Int, atUse use: Int, make: () -> HashIndex) -> HashIndex? {
    indexes.withLock { known in
      var entry = known[column] ?? (0, nil)
      entry.uses += 1
      if entry.index == nil, entry.uses >= use { entry.index = make() }
      known[column] = entry
      return entry.index
    }
  }

  /// The order by some columns, made and put right by `make`, from the use on at which it pays.
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

  /// The ranks of a column's dictionary, made by `make` at first use and when it has grown.
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
}

extension DerivedData {
  /// Whether there is an inverse to patch for so many changed rows; it is forgotten where making
  /// it anew is less work.
  func keeps(inverseOfColumn column: Int, for count: Int) -> Bool {
    inverses.withLock { known in
      if count <= 1024, known[column]?.isWorn == false { return true }
      known[column] = nil
      return false
    }
  }

  /// Some rows of a link column lead elsewhere.
  func linksChanged(_ column: Int, _ changes: [LinkChange]) {
    inverses.withLock { known in
      for change in changes {
        let (gone, new) = change.old.difference(to: change.new)
        for target in gone { known[column]?.remove(change.row, from: target) }
        for target in new { known[column]?.add(change.row, to: target) }
      }
    }
  }

  /// Some rows of a column have other values now.
  func valuesChanged(_ number: Int, _ column: Column, _ rows: [Int]) {
    indexes.withLock { known in
      guard var index = known[number]?.index else { return }
      known[number]?.index = nil
      for row in rows { column.hash(row).map { index.add(row, $0) } }
      known[number] = index.isWorn ? nil : (known[number]?.uses ?? 0, index)
    }
    uniqueIndexes.withLock { known in
      // A loop over the keys would hold the dictionary, and each index would be copied.
      for columns in Array(known.keys) where columns.contains(number) {
        known[columns]?.note(rows)
      }
    }
    sortedIndexes.withLock { known in
      for keys in Array(known.keys) where keys.contains(where: { $0.column == number }) {
        // Out of the dictionary it has one owner, and is not copied.
        guard var index = known[keys]?.index else { continue }
        known[keys]?.index = nil
        if index.note(rows) { known[keys]?.index = index }
      }
    }
  }

  /// Asks the index of the values of some columns, made at first use.
  func uniqueIndex<Result>(
    _ columns: [Int], of table: Table, _ body: (inout UniqueIndex) -> Result
  ) -> Result {
    uniqueIndexes.withLock { known in
      var index = known.removeValue(forKey: columns) ?? UniqueIndex(table, columns)
      if index.isWorn(table) { index = UniqueIndex(table, columns) }
      defer { known[columns] = index }
      return body(&index)
    }
  }

  /// The columns of whose values something was made.
  var indexedColumns: Set<Int> {
    let texts = indexes.withLock { known in known.keys.filter { known[$0]?.index != nil } }
    let unique = uniqueIndexes.withLock { $0.keys.reduce(into: Set(texts)) { $0.formUnion($1) } }
    return sortedIndexes.withLock { known in
      known.reduce(into: unique) { columns, entry in
        if entry.value.index != nil { columns.formUnion(entry.key.map(\.column)) }
      }
    }
  }

  /// The relationships of whose columns the inverse was made.
  var invertedColumns: [Int] { inverses.withLock { Array($0.keys) } }
}

/// What a row of a link column led to, and leads to now.
struct LinkChange {
  var row: UInt32
  var old: [UInt32]
  var new: [UInt32]
}

extension Table {
  /// For each code of a column's dictionary its text's place in the order of Unicode scalars; nil
  /// where the column has no dictionary.
  package func ranks(ofColumn column: Int) -> [UInt32]? {
    columns[column].dictionary.map { dictionary in
      derived.ranks(ofColumn: column, count: dictionary.count) {
        dictionary.ranks
      }
    }
  }
}

extension TextDictionary {
  /// For each code its text's place in the order of Unicode scalars.
  package var ranks: [UInt32] {
    var ranks = [UInt32](repeating: 0, count: count)
    for (rank, code) in texts.order.enumerated() { ranks[code] = UInt32(truncatingIfNeeded: rank) }
    return ranks
  }
}

extension TextChunk {
  /// The rows in the order of their bytes: by the first eight, which most differ in, then by all.
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
