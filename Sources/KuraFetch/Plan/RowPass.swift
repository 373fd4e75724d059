import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import Synchronization

/// A pass of a plan's filter over the rows of its table.
struct RowPass {
  let plan: Plan
  private let request: BoundRequest
  /// The rows to test, per chunk; nil for all.
  private let among: [Bitmap]?
  /// Collects the rows that fail; if nil, the first failure ends the pass.
  var failures: FailedRows?

  init(_ request: BoundRequest, among candidates: [Bitmap]? = nil) {
    (plan, self.request, among) = (request.plan, request, candidates)
  }

  private var table: Table { request.table }

  private var run: FilterRun {
    FilterRun(
      snapshot: request.snapshot, table: request.place.table,
      context: request.environment.evaluationOfObjects, cancel: request.environment.cancel,
      isCounting: request.meter != nil, failures: failures)
  }
}

extension RowPass {
  /// Returns the rows that pass, per chunk.
  func chunks() throws(Diagnostic) -> [Bitmap] {
    try metered { (tally) throws(Diagnostic) in try chunks(&tally) }
  }

  /// Reports the counts of the pass, and its time, to the meter.
  private func metered<Result>(
    _ body: (inout FilterTally) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    var tally = FilterTally()
    guard let meter = request.meter else { return try body(&tally) }
    let result = try meter.time(.filter) { () throws(Diagnostic) in try body(&tally) }
    tally.add(plan.filter.innerTally)
    meter.note(plan, tally)
    return result
  }

  /// Returns the rows that pass, and adds to the counts of each node if the run counts.
  func chunks(_ tally: inout FilterTally) throws(Diagnostic) -> [Bitmap] {
    plan.filter.prepare()
    return try passing(run, 0..<table.chunkCount, &tally)
  }

  /// Returns the first rows that pass, up to `wanted`.
  ///
  /// Reads chunks in rounds; each round has twice as many chunks as the one before.
  func firstRows(_ wanted: Int) throws(Diagnostic) -> [UInt32] {
    try metered { (tally) throws(Diagnostic) in try firstRows(wanted, &tally) }
  }

  private func firstRows(
    _ wanted: Int, _ tally: inout FilterTally
  ) throws(Diagnostic) -> [UInt32] {
    let run = run
    plan.filter.prepare()
    var rows: [UInt32] = []
    var chunk = 0
    var turn = 1
    while chunk < table.chunkCount, rows.count < wanted {
      let chunks = chunk..<min(table.chunkCount, chunk + turn)
      for (number, passing) in zip(chunks, try passing(run, chunks, &tally)) {
        passing.appendRows(ofChunk: number, to: &rows)
      }
      chunk = chunks.upperBound
      turn *= 2
    }
    return Array(rows.prefix(wanted))
  }

  /// Returns the rows that pass, ascending, if the filter restricts them to at most this number; nil otherwise, or with
  /// a meter.
  func fewRows(atMost most: Int) throws(Diagnostic) -> [UInt32]? {
    guard request.meter == nil, request.rows == nil, among == nil, let only = plan.filter.onlyRows,
      only.count <= most
    else { return nil }
    if plan.filter.isSettled { return only.rows.filter(isWanted) }
    var tally = FilterTally()
    let run = run
    plan.filter.prepare()
    var found: [UInt32] = []
    for chunk in only.chunks {
      for passing in try passing(run, chunk..<chunk + 1, &tally) {
        passing.appendRows(ofChunk: chunk, to: &found)
      }
    }
    return found
  }

  /// Returns whether a row has an object of one of the wanted entities.
  private func isWanted(_ row: UInt32) -> Bool {
    table.isLive(Int(row)) && plan.entityCodes?.contains(table.entityCode(Int(row))) ?? true
  }

  /// Returns the row of an objectID, if it passes.
  func look(at row: Int?) throws(Diagnostic) -> [UInt32] {
    guard request.meter != nil else { return try passing(row) }
    return try metered { (tally) throws(Diagnostic) in
      let rows = try passing(row)
      tally.note(plan.filter.node, reached: row == nil ? 0 : 1, passed: rows.count)
      return rows
    }
  }

  /// Returns the rows that pass; they are too few to test whole chunks.
  func look(at few: [UInt32]) throws(Diagnostic) -> [UInt32] {
    var passing: [UInt32] = []
    for row in few where table.isLive(Int(row)) { passing += try self.passing(Int(row)) }
    return passing
  }

  private func passing(_ row: Int?) throws(Diagnostic) -> [UInt32] {
    guard let row, plan.entityCodes?.contains(table.entityCode(row)) ?? true,
      request.rows?.contains(UInt32(truncatingIfNeeded: row)) ?? true
    else { return [] }
    if plan.isSettled { return [UInt32(truncatingIfNeeded: row)] }
    do throws(RowError) {
      return try run.holds(plan.filter.predicate, row) ? [UInt32(truncatingIfNeeded: row)] : []
    } catch {
      throw error.diagnostic
    }
  }

  private func passing(
    _ run: FilterRun, _ chunks: Range<Int>, _ tally: inout FilterTally
  ) throws(Diagnostic) -> [Bitmap] {
    let inParallel = plan.filter.cost * Double(chunks.count * ColumnChunk.capacity) > 1_000_000
    let (table, plan, rows) = (table, plan, request.rows)
    let progress = request.environment.progress
    let scan = ScanProgress(progress, request.entity, rows: table.count)
    defer { progress.end() }
    let only = run.isCounting ? nil : plan.filter.onlyRows
    let answers = Workers.map(count: chunks.count, inParallel: inParallel) {
      index -> (rows: Result<Bitmap, RowError>, tally: FilterTally) in
      let chunk = chunks.lowerBound + index
      let here = table.rows(inChunk: chunk)
      var tally = FilterTally(isCounting: run.isCounting, isTiming: run.isCounting)
      if let only, !only.touches(here) { return (.success(.none(of: here.count)), tally) }
      let wanted = rows.map { Bitmap(table.rows(inChunk: chunk), of: $0) }
      // An object found by its objectID is in one chunk.
      if let wanted, wanted.isEmpty, !run.isCounting { return (.success(wanted), tally) }
      let candidates = table.candidates(inChunk: chunk, plan.entityCodes)
        .intersection(wanted).intersection(among?[chunk])
      defer { scan.add(candidates.count) }
      if run.cancel.isRequested { return (.failure(.stopped), tally) }
      // If only some rows are tested, most chunks may have none.
      if candidates.isEmpty, !run.isCounting { return (.success(candidates), tally) }
      let passing = Result { () throws(RowError) in
        try run.passing(plan.filter, chunk: chunk, among: candidates, &tally)
      }
      return (passing.mapError { run.lowest($0, plan.filter, chunk, candidates) }, tally)
    }
    return try answers.map { answer throws(Diagnostic) in
      tally.add(answer.tally)
      return try answer.rows.mapError(\.diagnostic).get()
    }
  }
}

extension FilterRun {
  /// Returns the failure of the lowest row that fails: tests do not run row by row, so another may fail first.
  fileprivate func lowest(
    _ error: RowError, _ filter: Filter, _ chunk: Int, _ candidates: Bitmap
  ) -> RowError {
    guard case .failed(let row, _) = error else { return error }
    var before = candidates
    for later in (row & ColumnChunk.mask)..<before.count { before[later] = false }
    guard !before.isEmpty else { return error }
    var tally = FilterTally(isCounting: false)
    do throws(RowError) {
      _ = try passing(filter, chunk: chunk, among: before, &tally)
      return error
    } catch {
      return lowest(error, filter, chunk, before)
    }
  }
}

extension Table {
  /// Returns the rows of a chunk that have an object of a wanted entity; nil selects every entity.
  func candidates(inChunk chunk: Int, _ codes: Set<Int>?) -> Bitmap {
    guard let codes else { return liveRows(inChunk: chunk) }
    return candidates(inChunk: chunk, of: codes)
      .intersection(live == nil ? nil : liveRows(inChunk: chunk))
  }

  private func candidates(inChunk chunk: Int, of codes: Set<Int>) -> Bitmap {
    let rows = rows(inChunk: chunk)
    guard let entityCodes else {
      return Bitmap(count: rows.count, filledWith: codes.contains(soleEntity))
    }
    let wanted = codes.sorted().map {
      UInt16(truncatingIfNeeded: $0)...UInt16(truncatingIfNeeded: $0)
    }
    return Bitmap(Array(entityCodes[rows]), in: wanted)
  }
}

extension RowPass {
  /// Returns the rows that pass, without rows that fail.
  func chunksWithoutFallback() throws(Diagnostic) -> [Bitmap] {
    var pass = self
    let failures = FailedRows()
    pass.failures = failures
    var result = try pass.chunks()
    for row in failures.all { result[row >> ColumnChunk.shift][row & ColumnChunk.mask] = false }
    return result
  }
}

/// The rows for which an evaluation fails; any thread may add some.
final class FailedRows: Sendable {
  private let rows = Mutex<[Int]>([])

  func note(_ row: Int) { rows.withLock { $0.append(row) } }

  var all: [Int] { rows.withLock { $0 } }
}

/// The number of scanned rows; any thread may add some.
final class ScanProgress: Sendable {
  private let progress: WorkProgress
  private let entity: String
  private let rows: Int
  private let done = Atomic<Int>(0)

  init(_ progress: WorkProgress, _ entity: String, rows: Int) {
    self.progress = progress
    self.entity = entity
    self.rows = rows
  }

  func add(_ count: Int) {
    let done = done.add(count, ordering: .relaxed).newValue
    progress.report(WorkProgress.Moment(.fetching(entity), done: done, of: rows))
  }
}
