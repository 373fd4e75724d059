import Synchronization

/// What is computed from a table's columns at first use and kept beside them.
///
/// All copies of one state of the table share it; a change of the table begins a new one.
package final class DerivedData: Sendable {
  private let inverses = Mutex<[Int: InverseIndex]>([:])
  private let ranks = Mutex<[Int: [UInt32]]>([:])
  /// How often an inverse was wanted by those who can do without.
  private let wishes = Mutex<[Int: Int]>([:])
  private let indexes = Mutex<[Int: (uses: Int, index: HashIndex?)]>([:])

  package init() {}

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

  /// The ranks of a column's dictionary, made by `make` at first use.
  fileprivate func ranks(ofColumn column: Int, make: () -> [UInt32]) -> [UInt32] {
    ranks.withLock { known in
      if let ranks = known[column] { return ranks }
      let ranks = make()
      known[column] = ranks
      return ranks
    }
  }
}

extension Table {
  /// For each code of a column's dictionary its text's place in the order of Unicode scalars; nil
  /// where the column has no dictionary.
  package func ranks(ofColumn column: Int) -> [UInt32]? {
    columns[column].dictionary.map { dictionary in
      derived.ranks(ofColumn: column) {
        let order = (0..<dictionary.count).map { (dictionary.string($0), $0) }
          .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        var ranks = [UInt32](repeating: 0, count: dictionary.count)
        for (rank, text) in order.enumerated() { ranks[text.1] = UInt32(truncatingIfNeeded: rank) }
        return ranks
      }
    }
  }
}

/// For each row of a destination the rows that point to it, in the order of their rows.
package struct InverseIndex: Sendable {
  /// Where each row's list ends in `rows`.
  package let ends: [UInt32]
  package let rows: [UInt32]

  package func range(_ row: Int) -> Range<Int> {
    guard row < ends.count else { return 0..<0 }
    return (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  package subscript(row: Int) -> ArraySlice<UInt32> { rows[range(row)] }
}

extension InverseIndex {
  /// Counts the links to each row, then puts each where its list begins: two passes.
  init(_ column: Column, destinationCount: Int) {
    var ends = [UInt32](repeating: 0, count: destinationCount)
    InverseIndex.forEachLink(column) { _, to in ends[Int(to)] += 1 }
    var total: UInt32 = 0
    for i in ends.indices {
      let count = ends[i]
      ends[i] = total
      total += count
    }
    var rows = [UInt32](repeating: 0, count: Int(total))
    InverseIndex.forEachLink(column) { from, to in
      rows[Int(ends[Int(to)])] = from
      ends[Int(to)] += 1
    }
    self.ends = ends
    self.rows = rows
  }

  private static func forEachLink(_ column: Column, _ body: (UInt32, UInt32) -> Void) {
    for (number, chunk) in column.chunks.enumerated() {
      let first = UInt32(number << ColumnChunk.shift)
      switch chunk.values {
      case .links(let links):
        for (i, to) in links.enumerated() where to != noRow { body(first + UInt32(i), to) }
      case .linkLists(let lists):
        for i in lists.ends.indices {
          for to in lists.rows[lists.range(i)] { body(first + UInt32(i), to) }
        }
      case .integers, .doubles, .bytes, .codes, .text: break
      }
    }
  }
}
