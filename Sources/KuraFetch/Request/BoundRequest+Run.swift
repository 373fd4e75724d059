import KuraBytes
package import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

extension BoundRequest {
  /// The objects in their order.
  ///
  /// Throws where a row makes the predicate fail, and names its object.
  package func run() throws(Diagnostic) -> FetchResult {
    let rows = try sorted(try matchingRows(stoppingAt: stopsEarly ? needed : nil))
    let last = min(rows.count, needed ?? rows.count)
    return FetchResult(
      snapshot: snapshot, entity: entity, table: place.table,
      rows: offset < last ? Array(rows[offset..<last]) : [])
  }

  /// How many objects pass.
  package func count() throws(Diagnostic) -> Int {
    var total = 0
    try forEachChunk { _, passing in
      total += passing.popcount
      return true
    }
    return total
  }

  /// Whether an object passes.
  package func exists() throws(Diagnostic) -> Bool {
    var found = false
    try forEachChunk { _, passing in
      found = !passing.isEmpty
      return !found
    }
    return found
  }

  /// How many rows of the sorted ones are looked at; nil: all.
  var needed: Int? {
    guard let limit else { return nil }
    let (sum, overflow) = offset.addingReportingOverflow(limit)
    return overflow ? nil : sum
  }

  private var stopsEarly: Bool {
    sort.isEmpty && snapshot.graph.tables[place.table].identifiers.isAscending
  }

  private func matchingRows(stoppingAt enough: Int?) throws(Diagnostic) -> [UInt32] {
    var rows: [UInt32] = []
    try forEachChunk { first, passing in
      passing.forEachSet { rows.append(UInt32(truncatingIfNeeded: first + $0)) }
      return enough.map { rows.count < $0 } ?? true
    }
    return rows
  }

  /// Calls `body` with the first row of each chunk and the rows that pass, until it says false.
  private func forEachChunk(_ body: (Int, Bitmap) -> Bool) throws(Diagnostic) {
    let plan = plan
    let table = snapshot.graph.tables[place.table]
    let run = FilterRun(snapshot: snapshot, table: place.table, context: environment.evaluation)
    if case .object(let row) = plan.access {
      if let row { try look(at: row, plan, run, body) }
      return
    }
    for chunk in 0..<table.chunkCount {
      if environment.cancel.isRequested { throw Diagnostic(EvaluationFacts.stopped) }
      let rows = table.rows(inChunk: chunk)
      let candidates = table.candidates(rows, plan.entityCodes)
      guard body(rows.lowerBound, try run.passing(plan.filter, chunk: chunk, among: candidates))
      else { return }
    }
  }

  /// The one row that an objectID leads to.
  private func look(
    at row: Int, _ plan: Plan, _ run: FilterRun, _ body: (Int, Bitmap) -> Bool
  ) throws(Diagnostic) {
    let table = snapshot.graph.tables[place.table]
    guard plan.entityCodes?.contains(table.entityCode(row)) ?? true,
      try run.holds(predicate ?? PredicateTree(.constant(true)), row)
    else { return }
    _ = body(row, Bitmap(count: 1, filledWith: true))
  }
}

extension Table {
  /// The rows of a chunk whose entity is wanted.
  func candidates(_ rows: Range<Int>, _ codes: Set<Int>?) -> Bitmap {
    guard let codes else { return Bitmap(count: rows.count, filledWith: true) }
    var result = Bitmap(count: rows.count)
    for row in rows where codes.contains(entityCode(row)) { result[row - rows.lowerBound] = true }
    return result
  }
}
