import KuraGraph

extension FilterCompiler {
  /// Tests that cannot fail first, those before others that settle the most rows for their cost;
  /// the others in their order.
  ///
  /// Each test is asked only about the rows that those before it left open. What a test settles is
  /// what it refuses in an AND, what it accepts in an OR.
  mutating func ordered(_ links: [Filter], _ scope: FilterScope, isOr: Bool) -> [Filter] {
    let movable = links.filter(\.isMovable)
    let ranks = ranks(of: movable, scope, isOr: isOr)
    let order = movable.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    return order.map { movable[$0] } + links.filter { !$0.isMovable }
  }

  /// The cost for each row that a test settles; of a small table the cost alone.
  private mutating func ranks(of tests: [Filter], _ scope: FilterScope, isOr: Bool) -> [Double] {
    let costs = tests.map(\.cost)
    let table = scope.place.table
    guard let cheapest = costs.min(), tests.count > 1, let sample = sample(of: table),
      (costs.reduce(0, +) - cheapest) * Double(sample.table.count) > FilterCompiler.leastGain
    else { return costs }
    return zip(tests, costs).map { test, cost in
      let share = share(passing: test, table) ?? 0.5
      return cost / max(0.001, isOr ? share : 1 - share)
    }
  }

  /// So many nanoseconds must be at stake before rows are sampled.
  private static let leastGain = 100_000.0

  /// The share of a table's rows that pass; nil: nobody knows.
  private mutating func share(passing test: Filter, _ table: Int) -> Double? {
    if let known = shares[test.node] { return known }
    let share = sampledShare(passing: test, table)
    shares[test.node] = share
    return share
  }

  private mutating func sampledShare(passing test: Filter, _ table: Int) -> Double? {
    switch test.kind {
    case .constant(let answer): return answer ? 1 : 0
    case .kernel(let kernel as EncodedKernel):
      if let link = kernel.link { return share(passing: link.filter, link.table) }
      return sample(of: table).flatMap(kernel.share)
    case .kernel(let kernel): return sample(of: table).flatMap(kernel.share)
    case .not(let inner): return share(passing: inner, table).map { 1 - $0 }
    case .and(let parts):
      return parts.reduce(1) { $0 * (share(passing: $1, table) ?? 0.5) }
    case .or(let parts):
      return 1 - parts.reduce(1) { $0 * (1 - (share(passing: $1, table) ?? 0.5)) }
    case .reference: return nil
    }
  }

  private func sample(of table: Int) -> RowSample? { RowSample(graph.tables[table]) }
}

extension Filter {
  /// Whether it may be asked out of its turn; a constant ends its chain where it stands, behind
  /// what may fail.
  fileprivate var isMovable: Bool {
    if case .constant = kind { false } else { cannotFail }
  }
}

/// Some rows of a large table, spread over it, which show how many pass a test.
///
/// They are the same each time, so that a request is always answered in the same way.
struct RowSample {
  let table: Table
  let rows: [Int]

  /// From how many rows on a table is large enough that a better order pays for a sample.
  static let least = 1 << 15
  static let size = 256

  /// Nil for a small table.
  init?(_ table: Table) {
    guard table.count >= RowSample.least else { return nil }
    self.table = table
    let step = table.count / RowSample.size
    // Not at equal steps, which a pattern in the data may have too.
    rows = (0..<RowSample.size).map { $0 * step + ($0 &* 2_654_435_761) % step }
  }
}

extension RowSample {
  /// The share of the rows that pass a test of a column.
  func share(passing kernel: some ColumnKernel) -> Double? {
    guard let chunk = table.columns[kernel.column].picked(rows) else { return nil }
    var small = table
    small.columns[kernel.column].chunks = [chunk]
    let all = Bitmap(count: rows.count, filledWith: true)
    let answer = kernel.answer(ChunkRows(table: small, number: 0, candidates: all))
    return Double(answer.passing.popcount) / Double(rows.count)
  }
}

extension Column {
  /// The values of some rows, as a chunk of their own; nil for lists of links.
  fileprivate func picked(_ rows: [Int]) -> ColumnChunk? {
    guard let values = values(rows) else { return nil }
    guard chunks.contains(where: { $0.nulls != nil }) else { return ColumnChunk(values) }
    var nulls = Bitmap(count: rows.count)
    for (place, row) in rows.enumerated() where isNull(row) { nulls.insert(place) }
    return ColumnChunk(values, nulls: nulls)
  }

  private func values(_ rows: [Int]) -> ColumnChunk.Values? {
    switch chunks.first?.values {
    case .integers: .integers(rows.map { integer($0) })
    case .bytes, .codes:
      dictionary == nil
        ? .bytes(rows.map { UInt8(truncatingIfNeeded: integer($0)) })
        : .codes(rows.map { UInt16(truncatingIfNeeded: integer($0)) })
    case .doubles: .doubles(rows.map { double($0) })
    case .links: .links(rows.map { link($0).map { UInt32(truncatingIfNeeded: $0) } ?? noRow })
    case .text: .text(texts(rows))
    case .linkLists, nil: nil
    }
  }

  private func integer(_ row: Int) -> Int64 {
    let chunk = row >> ColumnChunk.shift
    guard let place = chunks[chunk].place(of: row & ColumnChunk.mask) else { return 0 }
    return switch chunks[chunk].keptOnly {
    case .integers(let values): values[place]
    case .bytes(let values): Int64(values[place])
    case .codes(let values): Int64(values[place])
    case .doubles, .text, .links, .linkLists: 0
    }
  }

  private func double(_ row: Int) -> Double {
    let chunk = row >> ColumnChunk.shift
    guard case .doubles(let values) = chunks[chunk].keptOnly,
      let place = chunks[chunk].place(of: row & ColumnChunk.mask)
    else { return 0 }
    return values[place]
  }

  private func texts(_ rows: [Int]) -> TextChunk {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
    var odd = Bitmap(count: rows.count)
    for (place, row) in rows.enumerated() {
      let chunk = row >> ColumnChunk.shift
      if case .text(let text) = chunks[chunk].keptOnly,
        let i = chunks[chunk].place(of: row & ColumnChunk.mask)
      {
        bytes += text.patch[i]?[...] ?? text.bytes[text.packedRange(i)]
        if text.isOdd(i) { odd.insert(place) }
      }
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    return TextChunk(bytes: bytes, ends: ends, oddRows: odd.isEmpty ? nil : odd)
  }
}
