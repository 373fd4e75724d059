import KuraBytes
import KuraDiagnostics
import KuraGraph

// A page of the order
extension WordSort {
  /// The rows of the bitmaps in their order: at least those of some ranks, where they are said.
  func sortedRows(_ chunks: [Bitmap], _ ranks: Range<Int>?) throws(Diagnostic) -> OrderedRows {
    if let ranks, let page = try page(chunks, ranks) { return page }
    return OrderedRows(rows: try sortedRows(chunks, first: ranks?.upperBound))
  }

  /// The rows of some ranks and those near them: in one pass, for two rows of a sample tell them from the
  /// others. Nil where those tell too little, or that is no less work.
  private func page(
    _ chunks: [Bitmap], _ ranks: Range<Int>
  ) throws(Diagnostic) -> OrderedRows? {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    let ranks = ranks.clamped(to: 0..<count)
    guard count > ColumnChunk.capacity, ranks.count < count / 8,
      let limits = try limits(of: ranks, chunks, count)
    else { return nil }
    let parts = Workers.states(
      count: chunks.count, inParallel: count > 50_000, { PageTies() }
    ) { page, number in
      if !environment.cancel.isRequested { add(chunks[number], number, within: limits, to: &page) }
    }
    try environment.checkStopped()
    let before = parts.reduce(0) { $0 + $1.before }
    var found = parts.flatMap(\.found)
    guard before <= ranks.lowerBound, before + found.count >= ranks.upperBound else { return nil }
    found.sortByWord()
    return OrderedRows(rows: try finished(found), skipped: before)
  }

  /// The rows between which those of some ranks are likely to be; nil where a sample does not say.
  private func limits(
    of ranks: Range<Int>, _ chunks: [Bitmap], _ count: Int
  ) throws(Diagnostic) -> (low: Limit, high: Limit)? {
    let sample = Workers.map(count: chunks.count, inParallel: count > 1_000_000) {
      chunks[$0].sample(ofChunk: $0, count)
    }
    let sampled = sample.reduce(0) { $0 + $1.popcount }
    guard let places = SamplePlaces(ranks, of: count, sampled: sampled) else { return nil }
    let rows = try sortedRows(sample, first: places.high + 1)
    let low = places.low < 0 ? nil : rows[places.low]
    let high = places.high < rows.count ? rows[places.high] : nil
    return (limit(low, orWord: .min), limit(high, orWord: .max))
  }

  /// A row that others are held against; where it is nil, all are behind the least word or before the
  /// greatest.
  private struct Limit {
    let row: UInt32?
    let word: UInt64
    /// Which word says more than the first.
    let next: Place
  }

  private func limit(_ row: UInt32?, orWord end: UInt64) -> Limit {
    let word = row.map { self.word(Int($0), Place()) } ?? end
    return Limit(row: row, word: word, next: place(after: word, Place()))
  }

  /// Those of a chunk's rows of which the first bytes, where they are kept, do not say that they are before
  /// or behind.
  private func leaving(
    _ rows: Bitmap, _ number: Int, within limits: (low: Limit, high: Limit), _ page: inout PageTies
  ) -> Bitmap {
    guard let chunk = leading?.chunks[number], case .text(let texts)? = keys.first,
      let heads = chunk.textHeads
    else { return rows }
    let (low, high) = (TextWords.least(limits.low.word), TextWords.greatest(limits.high.word))
    var rows = rows
    let behind = texts.isTurned ? heads.rows(below: ~high) : heads.rows(above: high)
    rows.subtract(behind.settingNulls(chunk.nulls, to: texts.null > limits.high.word))
    if limits.low.row == nil { return rows }
    var before = texts.isTurned ? heads.rows(above: ~low) : heads.rows(below: low)
    before = before.settingNulls(chunk.nulls, to: texts.null < limits.low.word)
    before.formIntersection(rows)
    page.before += before.popcount
    rows.subtract(before)
    return rows
  }

  /// Adds the rows of a chunk that are not before one row nor behind another.
  private func add(
    _ rows: Bitmap, _ number: Int, within limits: (low: Limit, high: Limit), to page: inout PageTies
  ) {
    let (low, high) = limits
    let rows = leaving(rows, number, within: limits, &page)
    forEachWord(of: rows, number, Place()) { word, row in
      if word > high.word { return }
      let row = UInt32(truncatingIfNeeded: row)
      if word == high.word, let end = high.row, precedes(end, row, from: high.next) { return }
      if word <= low.word, let start = low.row,
        word < low.word || precedes(row, start, from: low.next)
      {
        page.before += 1
      } else {
        page.found.append(FirstTies.Tie(word: word, row: row))
      }
    }
  }
}

/// The rows of a page, and how many stand before them.
private struct PageTies: Sendable {
  var before = 0
  var found: [FirstTies.Tie] = []
}
