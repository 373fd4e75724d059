import KuraBytes
import KuraGraph
import KuraSentences

/// A test of rows by the objects of a to-many relationship: whether any of them passes a filter.
///
/// The other table is filtered once. A pass over the links maps the answers to the rows.
struct CollectionKernel: ChunkKernel {
  /// `items`
  let key: String
  let link: ToManyLink
  private let filter: Filter
  private let answers: LazyValue<FilterAnswers>

  init(
    _ key: String, _ link: ToManyLink, _ filter: Filter, _ graph: Graph, here: Int, there: Int,
    _ cancel: CancelFlag
  ) {
    (self.key, self.link, self.filter) = (key, link, filter)
    answers = LazyValue {
      var answers = FilterAnswers()
      let (here, table) = (here, graph.tables[there])
      switch link {
      case .inverse(let column):
        answers.rows = table.owners(
          column, of: filter, count: graph.tables[here].count, cancel, &answers.tally)
      case .lists(let column):
        let whole = filter.whole(table, cancel, &answers.tally)
        let lists = ColumnPlace(table: here, column: column)
        if whole.fallback == nil, let rows = graph.rows(of: lists, leadingTo: whole.passing) {
          answers.rows = KernelAnswer(passing: rows)
        } else {
          (answers.flags, answers.fallback) = (whole.passing.bytes, whole.fallback?.bytes)
        }
      }
      return answers
    }
  }

  var parts: [Filter] { [filter] }
  var method: String { localized("\(key), any") }
  var cost: Double { 2 }
  var neverFallsBack: Bool { filter.cannotFail }
  func prepare() { _ = answers.value }
  var tally: FilterTally { answers.value.tally }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let answers = answers.value
    if let found = answers.rows { return found.chunk(rows) }
    guard case .lists(let column) = link, let lists = rows.chunk(column).linkLists else {
      return KernelAnswer(passing: Bitmap(count: rows.count))
    }
    let passing = lists.rows(with: answers.flags)
    return KernelAnswer(
      passing: passing,
      fallback: answers.fallback.map { lists.rows(with: $0).subtracting(passing) })
  }
}

/// The answers of a filter of another table, or of a table of codes.
struct FilterAnswers: Sendable {
  /// The answers for all rows of this table; nil if links or codes are followed chunk by chunk.
  var rows: KernelAnswer?
  /// A flag per row of the other table.
  var flags: [UInt8] = []
  var fallback: [UInt8]?
  /// The codes that pass, if they form a small number of ranges.
  var ranges: [ClosedRange<Int64>]?
  var tally = FilterTally()
}

/// The storage of a to-many relationship.
enum ToManyLink: Sendable {
  /// Lists of links in a column of this table.
  case lists(column: Int)
  /// Links or lists in a column of the other table, which lead here.
  case inverse(column: Int)

  /// Returns nil unless the slot is a to-many relationship.
  init?(_ slot: KeySlot) {
    switch slot {
    case .toMany(let column, _, _): self = .lists(column: column)
    case .inverse(_, let column, isToMany: true): self = .inverse(column: column)
    case .inverse, .attribute, .toOne, .unresolved: return nil
    }
  }
}

extension Table {
  /// Returns the rows of another table that are linked from rows that pass a filter, and those linked only from
  /// undecided rows.
  fileprivate func owners(
    _ column: Int, of filter: Filter, count: Int, _ cancel: CancelFlag, _ tally: inout FilterTally
  ) -> KernelAnswer {
    struct Owners: Sendable {
      var passing: Bitmap
      var fallback: Bitmap?
      var tally = FilterTally()
    }
    let chunks = columns[column].chunks
    let parts = Workers.states(
      count: chunkCount, inParallel: filter.isWorthSharing(self.count, extra: 2),
      { Owners(passing: Bitmap(count: count)) }
    ) { owners, number in
      if cancel.isRequested { return }
      let answer = filter.kernelAnswer(liveChunk(number), &owners.tally)
      if let open = answer.fallback, !open.isEmpty {
        if owners.fallback == nil { owners.fallback = Bitmap(count: count) }
        chunks[number].forEachLink(from: open) { owners.fallback?.insert($0) }
      }
      owners.passing.words.withUnsafeMutableBufferPointer { words in
        chunks[number].forEachLink(from: answer.passing) { words[$0 >> 6] |= 1 << UInt64($0 & 63) }
      }
    }
    var result = KernelAnswer(passing: Bitmap(count: count))
    for part in parts {
      result.passing.formUnion(part.passing)
      result.fallback = result.fallback.union(part.fallback)
      tally.add(part.tally)
    }
    result.fallback?.subtract(result.passing)
    return result
  }
}

extension LinkLists {
  /// Returns the rows with lists that contain a flagged row: searches all lists at once, and maps each hit to its row.
  fileprivate func rows(with flags: [UInt8]) -> Bitmap {
    var result = Bitmap(count: ends.count)
    var row = 0
    flags.withUnsafeBufferPointer { flags in
      rows.withUnsafeBufferPointer { targets in
        var place = 0
        while place < targets.count {
          // Usually none of eight links has a flag.
          let end = min(place + 8, targets.count)
          var any: UInt8 = 0
          for i in place..<end { any |= flags[Int(targets[i])] }
          if any != 0 {
            for i in place..<end where flags[Int(targets[i])] != 0 {
              while Int(ends[row]) <= i { row += 1 }
              result.insert(row)
            }
          }
          place = end
        }
      }
    }
    return result
  }
}

extension ColumnChunk {
  /// Calls the body with the destination row of each link of some rows.
  @inline(__always)
  func forEachLink(from rows: Bitmap, _ body: (Int) -> Void) {
    if let links {
      let none = noRow
      links.withUnsafeBufferPointer { links in
        rows.eachRow { if links[$0] != none { body(Int(links[$0])) } }
      }
    } else if let linkLists {
      linkLists.rows.withUnsafeBufferPointer { targets in
        rows.eachRow { row in
          for place in linkLists.range(row) { body(Int(targets[place])) }
        }
      }
    }
  }
}
