import KuraGraph

/// A test of the rows of a whole chunk. It gives the reference evaluator's answer, or leaves a row to the evaluator.
protocol ChunkKernel: Sendable {
  /// The description for `explain`: `range over priority`.
  var method: String { get }
  /// The approximate number of nanoseconds that a row takes.
  var cost: Double { get }
  /// Whether it never leaves a row to the reference evaluator.
  var neverFallsBack: Bool { get }
  /// Why it leaves rows to the reference evaluator, for `explain analyze`.
  var reasonForFallback: String { get }
  /// The filters of other tables that it needs.
  var parts: [Filter] { get }
  /// Returns the rows that pass, and the rows that it leaves to the reference evaluator. Rows that are not candidates
  /// may get any answer.
  func answer(_ rows: ChunkRows) -> KernelAnswer
  /// Prepares for the first chunk.
  func prepare()
  /// The counts of its parts.
  var tally: FilterTally { get }
  /// Returns the share of a table's rows that pass, estimated from a sample; nil if it is unknown.
  func share(of sample: RowSample) -> Double?
}

extension ChunkKernel {
  var reasonForFallback: String { VectorKind.text.reasonForFallback }
}

/// A kernel that never leaves a row to the reference evaluator.
protocol NoFallbackKernel: ChunkKernel {
  /// Returns the rows that pass. Rows that are not candidates may get any answer.
  func matches(_ rows: ChunkRows) -> Bitmap
}

extension NoFallbackKernel {
  var neverFallsBack: Bool { true }
  func answer(_ rows: ChunkRows) -> KernelAnswer { KernelAnswer(passing: matches(rows)) }
}

/// A kernel that reads one column.
protocol ColumnKernel: ChunkKernel {
  var column: Int { get }
}

extension ColumnKernel {
  func share(of sample: RowSample) -> Double? { sample.share(passing: self) }
}

extension ChunkKernel {
  var parts: [Filter] { [] }
  var tally: FilterTally { FilterTally() }
  func prepare() {}
  func share(of sample: RowSample) -> Double? { nil }
}

struct KernelAnswer {
  var passing: Bitmap
  /// The rows that only the reference evaluator can judge; nil if there are none.
  var fallback: Bitmap?
}

/// A chunk of a table, and the candidates among its rows.
struct ChunkRows {
  let table: Table
  let number: Int
  let candidates: Bitmap

  /// The number of rows in the chunk.
  var count: Int { candidates.count }

  func chunk(_ column: Int) -> ColumnChunk { table.columns[column].chunks[number] }

  /// Whether reading each candidate is faster than reading all rows.
  var areFew: Bool { candidates.popcount * 64 < count }
}

extension Table {
  /// Returns the live rows of a chunk.
  func liveChunk(_ number: Int) -> ChunkRows {
    ChunkRows(table: self, number: number, candidates: liveRows(inChunk: number))
  }

  /// The live rows, by chunk.
  var liveRows: [Bitmap] { (0..<chunkCount).map { liveRows(inChunk: $0) } }
}

extension KernelAnswer {
  /// Returns an answer that leaves all rows to the reference evaluator.
  static func undecided(_ count: Int) -> KernelAnswer {
    KernelAnswer(
      passing: Bitmap(count: count), fallback: Bitmap(count: count, filledWith: true))
  }

  /// Returns the answer for some rows. A row that is left to the reference evaluator does not pass.
  func among(_ candidates: Bitmap) -> KernelAnswer {
    let open = fallback?.intersection(candidates)
    return KernelAnswer(
      passing: passing.intersection(candidates).subtracting(open), fallback: open)
  }

  /// Returns the answers for a chunk from those for a whole table.
  func chunk(_ rows: ChunkRows) -> KernelAnswer {
    KernelAnswer(
      passing: passing.chunk(rows.number, count: rows.count),
      fallback: fallback?.chunk(rows.number, count: rows.count))
  }

  /// Records whether a row passes; nil leaves it to the reference evaluator.
  mutating func note(_ result: Bool?, _ row: Int) {
    passing[row] = result == true
    if result == nil, fallback == nil { fallback = Bitmap(count: passing.count) }
    fallback?[row] = result == nil
  }
}
