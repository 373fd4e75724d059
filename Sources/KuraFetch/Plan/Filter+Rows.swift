import KuraGraph

extension Filter {
  /// The rows among which all are that pass, where that is known without a look at one, and no other row
  /// would have made a test before it fail.
  var onlyRows: SortedRanges? {
    switch kind {
    case .kernel(let kernel as RowsKernel): kernel.isNegated ? nil : kernel.ranges
    case .and(let parts): parts.onlyRows
    case .constant, .kernel, .or, .not, .reference: nil
    }
  }
}

extension Filter {
  /// Whether each of its `onlyRows` passes.
  var isSettled: Bool {
    if case .kernel(let kernel as RowsKernel) = kind { !kernel.isNegated } else { false }
  }
}

extension [Filter] {
  fileprivate var onlyRows: SortedRanges? {
    for part in self {
      if let rows = part.onlyRows { return rows }
      guard part.cannotFail else { return nil }
    }
    return nil
  }
}

/// Ranges of rows in ascending order.
struct SortedRanges: Sendable {
  private let ranges: [Range<Int>]

  /// Takes ranges of which no two have a row in common; empty ones do not count.
  init(_ ranges: [Range<Int>]) {
    self.ranges = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Some rows, each by itself; one may be said twice.
  init(rows: some Sequence<Int>) { self.init(Set(rows).map { $0..<$0 + 1 }) }

  /// The rows, ascending.
  var rows: [UInt32] { ranges.joined().map { UInt32(truncatingIfNeeded: $0) } }

  /// How many rows they have.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// The chunks in which they lie, ascending.
  var chunks: [Int] {
    var chunks: [Int] = []
    for range in ranges {
      let first = range.lowerBound >> ColumnChunk.shift
      let last = (range.upperBound - 1) >> ColumnChunk.shift
      chunks += max(first, (chunks.last ?? -1) + 1)..<max(first, last) + 1
    }
    return chunks
  }

  /// Calls the body with what lies in a range, in its order.
  func forEach(in wanted: Range<Int>, _ body: (Range<Int>) -> Void) {
    var place = first(endingBehind: wanted.lowerBound)
    while place < ranges.count, ranges[place].lowerBound < wanted.upperBound {
      body(ranges[place].clamped(to: wanted))
      place += 1
    }
  }

  func touches(_ wanted: Range<Int>) -> Bool {
    let place = first(endingBehind: wanted.lowerBound)
    return place < ranges.count && ranges[place].lowerBound < wanted.upperBound
  }

  private func first(endingBehind row: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Bitmap {
  /// Adds the rows of a chunk that are set to a list of rows of the table.
  func appendRows(ofChunk number: Int, to rows: inout [UInt32]) {
    let first = UInt32(truncatingIfNeeded: number << ColumnChunk.shift)
    forEachSet { rows.append(first + UInt32(truncatingIfNeeded: $0)) }
  }

  /// No row of a chunk: of a full one always the same, which nobody makes.
  static func none(of count: Int) -> Bitmap {
    count == ColumnChunk.capacity ? noRow : Bitmap(count: count)
  }

  private static let noRow = Bitmap(count: ColumnChunk.capacity)
}
