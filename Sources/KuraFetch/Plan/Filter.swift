import KuraBytes
import KuraGraph
import KuraPredicates
import KuraSentences

/// A predicate compiled for a table. Each node answers a part of the predicate with one method.
struct Filter: Sendable {
  /// The part of the bound predicate that this node answers.
  let predicate: PredicateTree
  /// The number of the node in its plan, for counting.
  let node: Int
  let kind: Kind

  indirect enum Kind: Sendable {
    case constant(Bool)
    /// Answers for whole chunks
    case kernel(any ChunkKernel)
    case and([Filter])
    case or([Filter])
    case not(Filter)
    /// Answers row by row, with the reference evaluator
    case reference
  }
}

extension Filter {
  /// The method of the node, as `explain` shows it: `kernel: range over priority`.
  var method: String {
    switch kind {
    case .constant: localized("constant")
    case .kernel(let kernel):
      kernel.parts.isEmpty
        ? localized("kernel: \(kernel.method)") : localized("semi-join: \(kernel.method)")
    case .and: localized("and")
    case .or: localized("or")
    case .not: localized("not")
    case .reference: localized("reference evaluator")
    }
  }

  /// The child nodes; for a semi-join, the filter of the other table.
  var parts: [Filter] {
    switch kind {
    case .constant, .reference: []
    case .kernel(let kernel): kernel.parts
    case .and(let parts), .or(let parts): parts
    case .not(let inner): [inner]
    }
  }

  /// Whether no row makes it fail: only such nodes may be reordered.
  var cannotFail: Bool {
    switch kind {
    case .constant: true
    case .kernel(let kernel): kernel.neverFallsBack
    case .and(let parts), .or(let parts): parts.allSatisfy(\.cannotFail)
    case .not(let inner): inner.cannotFail
    case .reference: false
    }
  }

  /// The approximate number of nanoseconds per row, for ordering tests and sharing work.
  var cost: Double {
    switch kind {
    case .constant: 0
    case .kernel(let kernel): kernel.cost
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.cost }
    case .not(let inner): inner.cost
    case .reference: 1000
    }
  }
}

// Answers of kernels alone
extension Filter {
  /// Whether kernels alone answer it.
  var isOfKernels: Bool {
    switch kind {
    case .constant, .kernel: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isOfKernels)
    case .not(let inner): inner.isOfKernels
    case .reference: false
    }
  }

  /// Computes what its kernels need before the first chunk, on all cores.
  func prepare() {
    if case .kernel(let kernel) = kind { return kernel.prepare() }
    for part in parts { part.prepare() }
  }

  /// The counts of its kernels in other tables.
  var innerTally: FilterTally {
    var tally = FilterTally()
    if case .kernel(let kernel) = kind, !kernel.parts.isEmpty { tally.add(kernel.tally) }
    for part in parts { tally.add(part.innerTally) }
    return tally
  }

  /// Returns whether testing this number of rows takes a millisecond or more.
  func isWorthSharing(_ rows: Int, extra: Double = 0) -> Bool {
    (cost + extra) * Double(rows) > 1_000_000
  }

  /// Returns the candidates of a chunk that pass, and those that kernels leave to the reference evaluator.
  func kernelAnswer(_ rows: ChunkRows, _ tally: inout FilterTally) -> KernelAnswer {
    answer(rows, &tally) { $1 }
  }

  func kernelAnswer(_ rows: ChunkRows) -> KernelAnswer {
    var tally = FilterTally(isCounting: false)
    return kernelAnswer(rows, &tally)
  }

  /// Returns the candidates of a chunk that pass, and those that remain undecided.
  ///
  /// A row that a part rejects in an AND, or accepts in an OR, is not tested further. `settle` may decide rows that a
  /// part leaves undecided.
  func answer<Failure: Error>(
    _ rows: ChunkRows, _ tally: inout FilterTally,
    _ settle: (Filter, KernelAnswer) throws(Failure) -> KernelAnswer
  ) throws(Failure) -> KernelAnswer {
    let start = tally.isTiming ? ContinuousClock.now : nil
    let answer = try DeepStack.run { () throws(Failure) in try uncounted(rows, &tally, settle) }
    tally.note(node, reached: rows.candidates, passed: answer.passing, since: start)
    return answer
  }

  private func uncounted<Failure: Error>(
    _ rows: ChunkRows, _ tally: inout FilterTally,
    _ settle: (Filter, KernelAnswer) throws(Failure) -> KernelAnswer
  ) throws(Failure) -> KernelAnswer {
    switch kind {
    case .constant(let value):
      return KernelAnswer(passing: value ? rows.candidates : Bitmap(count: rows.count))
    case .kernel(let kernel):
      return try settle(self, kernel.answer(rows).among(rows.candidates))
    case .and(let parts): return try chain(parts, rows, endsWith: false, &tally, settle)
    case .or(let parts): return try chain(parts, rows, endsWith: true, &tally, settle)
    case .not(let inner):
      let answer = try inner.answer(rows, &tally, settle)
      return KernelAnswer(passing: answer.passing.negated(true), fallback: answer.fallback)
        .among(rows.candidates)
    case .reference:
      return try settle(
        self, KernelAnswer(passing: Bitmap(count: rows.count), fallback: rows.candidates))
    }
  }

  /// Combines parts with AND, which a false part ends, or OR, which a true part ends.
  private func chain<Failure: Error>(
    _ parts: [Filter], _ rows: ChunkRows, endsWith end: Bool, _ tally: inout FilterTally,
    _ settle: (Filter, KernelAnswer) throws(Failure) -> KernelAnswer
  ) throws(Failure) -> KernelAnswer {
    var rest = rows.candidates
    var ended: Bitmap?
    var fallback: Bitmap?
    for part in parts where !rest.isEmpty {
      let answer = try part.answer(
        ChunkRows(table: rows.table, number: rows.number, candidates: rest), &tally, settle)
      if let open = answer.fallback, !open.isEmpty {
        fallback = fallback.union(open)
        if end { rest.subtract(open) }
      }
      if end {
        rest.subtract(answer.passing)
        ended = ended.union(answer.passing)
      } else {
        rest = answer.passing
      }
    }
    return KernelAnswer(
      passing: end ? ended ?? Bitmap(count: rows.count) : rest, fallback: fallback)
  }

  /// Returns the answers for all rows of a table.
  func whole(
    _ table: Table, _ cancel: CancelFlag, _ tally: inout FilterTally
  ) -> KernelAnswer {
    prepare()
    let parts = Workers.map(count: table.chunkCount, inParallel: isWorthSharing(table.count)) {
      number in
      var tally = FilterTally()
      let rows = table.liveChunk(number)
      if cancel.isRequested { return (KernelAnswer(passing: rows.candidates), tally) }
      return (kernelAnswer(rows, &tally), tally)
    }
    var result = KernelAnswer(passing: Bitmap(count: table.count))
    for (number, part) in parts.enumerated() {
      result.passing.insert(part.0.passing, ofChunk: number)
      if let open = part.0.fallback, !open.isEmpty {
        var fallback = result.fallback ?? Bitmap(count: table.count)
        fallback.insert(open, ofChunk: number)
        result.fallback = fallback
      }
      tally.add(part.1)
    }
    return result
  }
}

extension Bitmap {
  /// Stores the bits of a chunk's rows.
  fileprivate mutating func insert(_ rows: Bitmap, ofChunk number: Int) {
    let first = number << (ColumnChunk.shift - 6)
    for (place, word) in rows.words.enumerated() { words[first + place] = word }
  }
}

extension Filter {
  /// A superset of the rows that pass, if known without reading rows, and if an earlier test cannot fail for the other
  /// rows.
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

  /// Creates ranges that do not overlap; ignores empty ones.
  init(_ ranges: [Range<Int>]) {
    self.ranges = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Creates ranges of single rows, which may repeat.
  init(rows: some Sequence<Int>) { self.init(Set(rows).map { $0..<$0 + 1 }) }

  /// The rows in ascending order.
  var rows: [UInt32] { ranges.joined().map { UInt32(truncatingIfNeeded: $0) } }

  /// The number of rows.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// The chunks that contain the rows, ascending.
  var chunks: [Int] {
    var chunks: [Int] = []
    for range in ranges {
      let first = range.lowerBound >> ColumnChunk.shift
      let last = (range.upperBound - 1) >> ColumnChunk.shift
      chunks += max(first, (chunks.last ?? -1) + 1)..<max(first, last) + 1
    }
    return chunks
  }

  /// Calls the body with each part that is in a range, in order.
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
    ranges.indices.partitioningIndex { ranges[$0].upperBound > row }
  }
}

extension Bitmap {
  func appendRows(ofChunk number: Int, to rows: inout [UInt32]) {
    let first = UInt32(truncatingIfNeeded: number << ColumnChunk.shift)
    rows += [UInt32](unsafeUninitializedCapacity: popcount) { buffer, filled in
      eachRow { row in
        buffer[filled] = first + UInt32(truncatingIfNeeded: row)
        filled += 1
      }
    }
  }

  /// Returns an empty bitmap; for a full chunk a shared one.
  static func none(of count: Int) -> Bitmap {
    count == ColumnChunk.capacity ? noRow : Bitmap(count: count)
  }

  private static let noRow = Bitmap(count: ColumnChunk.capacity)
}
