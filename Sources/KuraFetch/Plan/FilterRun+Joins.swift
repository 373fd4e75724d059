import KuraBytes
import KuraGraph

extension FilterRun {
  /// The run with what its semi-joins need from the other tables.
  func prepared(for filter: Filter, _ tally: inout FilterTally) throws(RowError) -> FilterRun {
    var run = self
    try run.prepare(filter, &tally)
    return run
  }

  private mutating func prepare(_ filter: Filter, _ tally: inout FilterTally) throws(RowError) {
    guard case .join(let join) = filter.kind else {
      for part in filter.parts { try prepare(part, &tally) }
      return
    }
    var there = FilterRun(
      snapshot: snapshot, table: join.table, context: context, cancel: cancel)
    there.isCounting = isCounting
    there = try DeepStack.run { () throws(RowError) in
      try there.prepared(for: join.filter, &tally)
    }
    joins[filter.node] = try unlessItFails { () throws(RowError) in
      try prepared(join, there, &tally)
    }
    if cancel.isRequested { throw .stopped }
  }

  /// Nil where an object at the other end makes its test fail: perhaps nobody would have asked it.
  private func unlessItFails(
    _ body: () throws(RowError) -> PreparedJoin?
  ) throws(RowError) -> PreparedJoin? {
    do throws(RowError) { return try body() } catch {
      if case .stopped = error { throw error }
      return nil
    }
  }

  /// Nil where only the reference evaluator has the answer.
  private func prepared(
    _ join: SemiJoin, _ there: FilterRun, _ tally: inout FilterTally
  ) throws(RowError) -> PreparedJoin? {
    switch (join.link, join.question) {
    case (.toOne(let column), .one(let ifNull)):
      let passing = try there.whole(join.filter, &tally)
      if !ifNull, let rows = reached(from: passing, column) { return .rows(rows) }
      return .flags(passing.flags(last: ifNull ? 1 : 0))
    case (.lists(let column), .any):
      let passing = try there.whole(join.filter, &tally)
      return reached(from: passing, column).map { .rows($0) } ?? .flags(passing.flags(last: 0))
    case (.lists, .count):
      return .flags(try there.whole(join.filter, &tally).flags(last: 0))
    case (.inverse(let column), .any):
      return .rows(try there.owners(column, of: join.filter, count: rows.count, &tally))
    case (.inverse(let column), .count(let ranges, let isNegated)):
      let counts = try there.counts(column, of: join.filter, owners: rows.count, &tally)
      var passing = Bitmap(counts, inAny: ranges)
      if isNegated { passing.invert() }
      return .rows(passing)
    case (.inverse(let column), .summary(let summary)):
      return there.summarized(summary, column, owners: rows.count).map { .rows($0) }
    case (.toOne, _), (.lists, _), (.inverse, .one): return nil
    }
  }
}

extension Bitmap {
  /// The counts that lie in one of some ranges.
  fileprivate init(_ counts: [UInt32], inAny ranges: [ClosedRange<Int64>]) {
    let ranges: [ClosedRange<UInt32>] = ranges.clamped()
    if let only = ranges.first, ranges.count == 1 {
      let width = only.upperBound - only.lowerBound
      self.init(counts) { $0 &- only.lowerBound <= width }
    } else {
      self.init(counts) { count in ranges.contains { $0 ~= count } }
    }
  }
}

extension FilterRun {
  /// What a core has made of the chunks that it took.
  private struct Share<Value: Sendable>: Sendable {
    var value: Value
    var tally = FilterTally()
    var error: RowError?
  }

  /// Filters each chunk and hands the rows that pass to `body`, on both cores where it pays.
  private func shares<Value: Sendable>(
    _ filter: Filter, _ tally: inout FilterTally, _ start: Value,
    _ body: @Sendable (inout Value, Int, Bitmap) -> Void
  ) throws(RowError) -> [Value] {
    let table = rows
    let onBoth = paysOnBoth(filter, extra: 2)
    let shares = TwoCores.states(count: table.chunkCount, onBoth: onBoth, { Share(value: start) }) {
      share, chunk in
      if share.error != nil { return }
      do throws(RowError) {
        let all = table.candidates(inChunk: chunk, nil)
        let passing = try passing(filter, chunk: chunk, among: all, &share.tally)
        body(&share.value, chunk, passing)
        if cancel.isRequested { throw .stopped }
      } catch {
        share.error = error
      }
    }
    for share in shares {
      if let error = share.error { throw error }
      tally.add(share.tally)
    }
    return shares.map(\.value)
  }

  /// Whether the work is a millisecond or more.
  func paysOnBoth(_ filter: Filter, extra: Double = 0) -> Bool {
    (filter.cost + extra) * Double(rows.count) > 1_000_000
  }

  /// All rows that pass.
  fileprivate func whole(
    _ filter: Filter, _ tally: inout FilterTally
  ) throws(RowError) -> Bitmap {
    var result = Bitmap(count: rows.count)
    for part in try shares(filter, &tally, [(Int, Bitmap)](), { $0.append(($1, $2)) }) {
      for (chunk, passing) in part {
        let first = chunk << (ColumnChunk.shift - 6)
        for (i, word) in passing.words.enumerated() { result.words[first + i] = word }
      }
    }
    return result
  }

  /// The rows of this table with a link to one of some rows, by the inverse of the links.
  ///
  /// Nil where there is no inverse yet, and where a pass over all links is faster.
  fileprivate func reached(from targets: Bitmap, _ column: Int) -> Bitmap? {
    guard let inverse = snapshot.graph.inverseIfItPays(source: table, column: column) else {
      return nil
    }
    var total = 0
    targets.eachRow { total += inverse[$0].count }
    guard total < rows.count / 4 else { return nil }
    var result = Bitmap(count: rows.count)
    targets.eachRow { for source in inverse[$0] { result.insert(Int(source)) } }
    return result
  }

  /// The rows at the other end of which a row passes.
  fileprivate func owners(
    _ column: Int, of filter: Filter, count: Int, _ tally: inout FilterTally
  ) throws(RowError) -> Bitmap {
    let chunks = rows.columns[column].chunks
    let parts = try shares(filter, &tally, Bitmap(count: count)) { owners, chunk, passing in
      owners.words.withUnsafeMutableBufferPointer { words in
        chunks[chunk].forEachLink(from: passing) { words[$0 >> 6] |= 1 << UInt64($0 & 63) }
      }
    }
    var result = parts.first ?? Bitmap(count: count)
    for part in parts.dropFirst() { result.formUnion(part) }
    return result
  }

  /// How many rows that pass each row at the other end has.
  fileprivate func counts(
    _ column: Int, of filter: Filter, owners: Int, _ tally: inout FilterTally
  ) throws(RowError) -> [UInt32] {
    let chunks = rows.columns[column].chunks
    let start = [UInt32](repeating: 0, count: owners)
    let parts = try shares(filter, &tally, start) { counts, chunk, passing in
      counts.withUnsafeMutableBufferPointer { counts in
        chunks[chunk].forEachLink(from: passing) { counts[$0] &+= 1 }
      }
    }
    var result = parts.first ?? start
    for part in parts.dropFirst() {
      for i in result.indices { result[i] += part[i] }
    }
    return result
  }
}

extension Bitmap {
  /// For each row 1 if it is set, and one more for no row.
  fileprivate func flags(last: UInt8) -> [UInt8] {
    var flags = [UInt8](repeating: 0, count: count + 1)
    flags.withUnsafeMutableBufferPointer { flags in eachRow { flags[$0] = 1 } }
    flags[count] = last
    return flags
  }
}

extension ColumnChunk {
  /// Calls `body` with the row that each link of some rows leads to.
  @inline(__always)
  func forEachLink(from rows: Bitmap, _ body: (Int) -> Void) {
    switch values {
    case .links(let links):
      let none = noRow
      links.withUnsafeBufferPointer { links in
        rows.eachRow { if links[$0] != none { body(Int(links[$0])) } }
      }
    case .linkLists(let lists):
      lists.rows.withUnsafeBufferPointer { targets in
        rows.eachRow { row in
          for place in lists.range(row) { body(Int(targets[place])) }
        }
      }
    case .integers, .doubles, .bytes, .codes, .text: break
    }
  }
}
