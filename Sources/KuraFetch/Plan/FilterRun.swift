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
  /// The time spent at each node and its children, summed over all cores.
  package private(set) var durations: [Int: Duration] = [:]

  mutating func note(_ node: Int, reached: Int, passed: Int) {
    self.reached[node, default: 0] += reached
    self.passed[node, default: 0] += passed
  }

  mutating func note(_ node: Int, took duration: Duration) {
    durations[node, default: .zero] += duration
  }

  mutating func add(_ other: FilterTally) {
    reached.merge(other.reached, uniquingKeysWith: +)
    passed.merge(other.passed, uniquingKeysWith: +)
    durations.merge(other.durations, uniquingKeysWith: +)
  }
}

extension FilterRun {
  /// Returns the rows among `candidates` that pass.
  func passing(
    _ filter: Filter, chunk: Int, among candidates: Bitmap, _ tally: inout FilterTally
  ) throws(RowError) -> Bitmap {
    guard isCounting else { return try deepAnswer(filter, chunk, candidates, &tally) }
    let start = ContinuousClock.now
    let result = try deepAnswer(filter, chunk, candidates, &tally)
    tally.note(filter.node, took: start.duration(to: .now))
    tally.note(filter.node, reached: candidates.popcount, passed: result.popcount)
    return result
  }

  private func deepAnswer(
    _ filter: Filter, _ chunk: Int, _ candidates: Bitmap, _ tally: inout FilterTally
  ) throws(RowError) -> Bitmap {
    try DeepStack.run { () throws(RowError) in try answer(filter, chunk, candidates, &tally) }
  }

  private func answer(
    _ filter: Filter, _ chunk: Int, _ candidates: Bitmap, _ tally: inout FilterTally
  ) throws(RowError) -> Bitmap {
    switch filter.kind {
    case .constant(let value): return value ? candidates : Bitmap(count: candidates.count)
    case .kernel(let kernel): return try ask(kernel, filter, chunk, candidates)
    case .and(let parts):
      var result = candidates
      for part in parts where !result.isEmpty {
        result = try passing(part, chunk: chunk, among: result, &tally)
      }
      return result
    case .or(let parts): return try passingAny(parts, chunk, candidates, &tally)
    case .not(let inner):
      var result = candidates
      result.subtract(try passing(inner, chunk: chunk, among: candidates, &tally))
      return result
    case .reference: return try ask(filter, chunk, candidates)
    }
  }

  private func passingAny(
    _ parts: [Filter], _ chunk: Int, _ candidates: Bitmap, _ tally: inout FilterTally
  ) throws(RowError) -> Bitmap {
    var open = candidates
    var result = Bitmap(count: candidates.count)
    for part in parts where !open.isEmpty {
      let hits = try passing(part, chunk: chunk, among: open, &tally)
      result.formUnion(hits)
      open.subtract(hits)
    }
    return result
  }

  /// Returns a kernel's answer, completed by the reference evaluator for the rows that it leaves.
  private func ask(
    _ kernel: any ChunkKernel, _ filter: Filter, _ chunk: Int, _ candidates: Bitmap
  ) throws(RowError) -> Bitmap {
    let answer = kernel.answer(ChunkRows(table: rows, number: chunk, candidates: candidates))
    // After a cancellation the answer is incomplete.
    if cancel.isRequested { throw .stopped }
    var result = answer.passing
    result.formIntersection(candidates)
    guard var fallback = answer.fallback else { return result }
    fallback.formIntersection(candidates)
    result.subtract(fallback)
    result.formUnion(try ask(filter, chunk, fallback))
    return result
  }
}

extension FilterRun {
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
    let object = snapshot.object(table: table, row: row)
    do {
      return try predicate.evaluate(on: .object(ObjectReference(object)), in: context)
    } catch {
      var located = error
      located.facts = RowFailure(object: object.objectID, facts: error.facts)
      throw .failed(row: row, located)
    }
  }
}
