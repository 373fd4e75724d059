import KuraBytes
import KuraDiagnostics
import KuraGraph

// A page deep in the order
extension WordSort {
  /// The rows of the bitmaps in their order: at least those of some ranks, where they are said.
  func sortedRows(_ chunks: [Bitmap], _ ranks: Range<Int>?) throws(Diagnostic) -> OrderedRows {
    if let ranks, let page = try page(chunks, ranks) { return page }
    return OrderedRows(rows: try sortedRows(chunks, first: ranks?.upperBound))
  }

  /// The rows of some ranks and those near them, which a sample of first words tells from the others. Nil
  /// where that finds too little, or is no less work.
  private func page(
    _ chunks: [Bitmap], _ ranks: Range<Int>
  ) throws(Diagnostic) -> OrderedRows? {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    let ranks = ranks.clamped(to: 0..<count)
    guard count > ColumnChunk.capacity, ranks.count < count / 8, ranks.lowerBound > count / 64,
      let bounds = PageBounds(ranks, of: count, sample: sample(chunks, count))
    else { return nil }
    let parts = TwoCores.states(
      count: chunks.count, onBoth: count > 50_000, { PageTies(bounds) }
    ) { page, number in
      guard !environment.cancel.isRequested, !page.isTied(count) else { return }
      forEachWord(of: chunks[number], number, Place()) { page.add($0, $1) }
    }
    try environment.checkStopped()
    let before = parts.reduce(0) { $0 + $1.before }
    var found = parts.flatMap(\.found)
    guard !parts.contains(where: { $0.isTied(count) }), before <= ranks.lowerBound,
      before + found.count >= ranks.upperBound
    else { return nil }
    found.sortByWord()
    return OrderedRows(rows: try finished(found), skipped: before)
  }

  private func sample(_ chunks: [Bitmap], _ count: Int) -> [UInt64] {
    var sample: [UInt64] = []
    for number in chunks.indices where !chunks[number].isEmpty {
      let rows = chunks[number].sample(ofChunk: number, count)
      forEachWord(of: rows, number, Place()) { word, _ in sample.append(word) }
    }
    return sample
  }
}

/// The rows whose first word lies between two bounds, and how many words are less.
private struct PageTies: Sendable {
  let bounds: PageBounds<UInt64>
  var before = 0
  private(set) var found: [FirstTies.Tie] = []

  init(_ bounds: PageBounds<UInt64>) { self.bounds = bounds }

  @inline(__always)
  mutating func add(_ word: UInt64, _ row: Int) {
    if word < bounds.low { before += 1 }
    guard word >= bounds.low, word <= bounds.high else { return }
    found.append(FirstTies.Tie(word: word, row: UInt32(truncatingIfNeeded: row)))
  }

  /// Whether so many of all rows begin alike that a page is no less work than all.
  func isTied(_ count: Int) -> Bool { found.count > count / 4 }
}
