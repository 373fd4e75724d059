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
    let last = limit.map { min(rows.count, offset + $0) } ?? rows.count
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

  /// The rows that pass, for each chunk.
  func passingChunks() throws(Diagnostic) -> [Bitmap] {
    let table = snapshot.graph.tables[place.table]
    var passing = (0..<table.chunkCount).map { Bitmap(count: table.rows(inChunk: $0).count) }
    try forEachChunk { first, rows in
      let chunk = first >> ColumnChunk.shift
      if rows.count == passing[chunk].count {
        passing[chunk] = rows
      } else {
        // The one row that an objectID leads to.
        rows.forEachSet { passing[chunk][first & ColumnChunk.mask + $0] = true }
      }
      return true
    }
    return passing
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
      let rows = table.rows(inChunk: chunk)
      var candidates = table.candidates(rows, plan.entityCodes)
      if let wanted = self.rows { candidates.formIntersection(Bitmap(rows, of: wanted)) }
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
      rows?.contains(UInt32(truncatingIfNeeded: row)) ?? true,
      try run.holds(predicate ?? PredicateTree(.constant(true)), row)
    else { return }
    _ = body(row, Bitmap(count: 1, filledWith: true))
  }
}

extension Bitmap {
  /// Those of some rows, which ascend, that lie in a range.
  init(_ range: Range<Int>, of rows: [UInt32]) {
    self.init(count: range.count)
    var place = rows.partitioningIndex { Int($0) >= range.lowerBound }
    while place < rows.count, Int(rows[place]) < range.upperBound {
      self[Int(rows[place]) - range.lowerBound] = true
      place += 1
    }
  }
}

extension [UInt32] {
  /// The first place from which on the elements, which ascend, are so.
  fileprivate func partitioningIndex(_ isSo: (UInt32) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isSo(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
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
