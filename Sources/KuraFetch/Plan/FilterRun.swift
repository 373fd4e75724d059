import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// An execution of a filter on a table.
struct FilterRun: Sendable {
  let snapshot: GraphSnapshot
  let table: Int
  let context: EvaluationContext
  let cancel: CancelFlag
  /// Whether rows are counted at each node.
  var isCounting = false
  /// Collects the rows that fail; if nil, the first failure ends the run.
  var failures: FailedRows?

  var rows: Table { snapshot.graph.tables[table] }
}

/// The reason why a filter gave no answer.
enum RowError: Error {
  /// The reference evaluator failed at a row.
  case failed(row: Int, Diagnostic)
  /// The run was cancelled.
  case stopped

  var diagnostic: Diagnostic {
    switch self {
    case .failed(_, let diagnostic): diagnostic
    case .stopped: Diagnostic(EvaluationError.stopped)
    }
  }
}

/// The number of rows that reached and passed each node of a filter.
package struct FilterTally: Sendable {
  package private(set) var reached: [Int: Int] = [:]
  package private(set) var passed: [Int: Int] = [:]
  /// The number of rows that each kernel left to the reference evaluator.
  private(set) var left: [Int: Int] = [:]
  /// The time spent at each node and its children, summed over all cores.
  package private(set) var durations: [Int: Duration] = [:]
  private let isCounting: Bool
  /// Whether nodes are timed, too.
  let isTiming: Bool

  init(isCounting: Bool = true, isTiming: Bool = false) {
    (self.isCounting, self.isTiming) = (isCounting, isTiming)
  }

  mutating func note(
    _ node: Int, reached: Bitmap, passed: Bitmap, since start: ContinuousClock.Instant?
  ) {
    guard isCounting else { return }
    note(node, reached: reached.popcount, passed: passed.popcount)
    if let start { durations[node, default: .zero] += start.duration(to: .now) }
  }

  mutating func note(_ node: Int, reached: Int, passed: Int) {
    self.reached[node, default: 0] += reached
    self.passed[node, default: 0] += passed
  }

  mutating func note(left: [Int: Int]) { self.left.merge(left, uniquingKeysWith: +) }

  mutating func add(_ other: FilterTally) {
    note(left: other.left)
    reached.merge(other.reached, uniquingKeysWith: +)
    passed.merge(other.passed, uniquingKeysWith: +)
    durations.merge(other.durations, uniquingKeysWith: +)
  }
}

extension FilterRun {
  /// Returns the rows among `candidates` that pass. The reference evaluator decides the rows that kernels leave.
  func passing(
    _ filter: Filter, chunk: Int, among candidates: Bitmap, _ tally: inout FilterTally
  ) throws(RowError) -> Bitmap {
    let rows = ChunkRows(table: rows, number: chunk, candidates: candidates)
    var left: [Int: Int] = [:]
    defer { tally.note(left: left) }
    return try filter.answer(rows, &tally) { part, answer throws(RowError) in
      // After a cancellation the answer is incomplete.
      if cancel.isRequested { throw .stopped }
      guard let open = answer.fallback else { return answer }
      if isCounting { left[part.node, default: 0] += open.popcount }
      return KernelAnswer(passing: answer.passing.union(try ask(part, chunk, open)))
    }.passing
  }

  /// Evaluates row by row with the reference evaluator.
  private func ask(
    _ filter: Filter, _ chunk: Int, _ candidates: Bitmap
  ) throws(RowError) -> Bitmap {
    var result = Bitmap(count: candidates.count)
    let first = chunk << ColumnChunk.shift
    for (i, word) in candidates.words.enumerated() where word != 0 {
      if cancel.isRequested { throw .stopped }
      var word = word
      while word != 0 {
        let row = i << 6 + word.trailingZeroBitCount
        if try holdsOrFails(filter.predicate, first + row) { result.insert(row) }
        word &= word - 1
      }
    }
    return result
  }

  private func holdsOrFails(_ predicate: PredicateTree, _ row: Int) throws(RowError) -> Bool {
    guard let failures else { return try holds(predicate, row) }
    do throws(RowError) { return try holds(predicate, row) } catch {
      if case .stopped = error { throw error }
      failures.note(row)
      return false
    }
  }

  /// Evaluates one row with the reference evaluator; its error names the object.
  func holds(_ predicate: PredicateTree, _ row: Int) throws(RowError) -> Bool {
    do {
      return try snapshot.object(table: table, row: row).naming { value throws(Diagnostic) in
        try predicate.evaluate(on: value, in: context)
      }
    } catch {
      throw .failed(row: row, error)
    }
  }
}
