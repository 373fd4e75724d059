import KuraBytes
package import KuraChecking
package import KuraDiagnostics
package import KuraGraph
package import KuraPredicates
package import KuraValues

/// A request whose names and literals have been checked against a model.
package struct BoundRequest: Sendable {
  package let snapshot: GraphSnapshot
  package let entity: String
  let place: EntityPlace
  /// The rows that are asked, ascending; nil: all of the entity.
  let rows: [UInt32]?
  /// Whether objects of subentities are asked too.
  let includesSubentities: Bool
  /// The predicate with its literals read as the types they stand against.
  package let predicate: PredicateTree?
  /// By what objects are ordered or, where there are groups, groups.
  package internal(set) var sort: [SortTree]
  package let offset: Int
  /// Nil: no limit.
  package let limit: Int?
  /// What is shown in place of the objects; nil: the objects.
  package let selection: CheckedSelection?
  /// By what the listing has headings.
  let section: CheckedColumn?
  let shared: SharedEnvironment
  /// Who wants to know how it is answered.
  var meter: FetchMeter?
  /// Columns of the table that trees read as variables.
  var given: [String: WholeColumn] = [:]
  /// What expressions of its objects are compiled to.
  let nodes = KnownNodes()

  var environment: FetchEnvironment { shared.environment }
}

extension BoundRequest {
  /// The objects in their order.
  ///
  /// Throws where a row makes the predicate fail, and names its object.
  package func run() throws(Diagnostic) -> FetchResult {
    if let rows = settledRows { return result(rows, total: rows.count) }
    let pass = RowPass(self)
    let rows: [UInt32]
    var (skipped, total) = (0, nil as Int?)
    if case .object(let row) = pass.plan.access {
      rows = try pass.look(at: row)
    } else if let few = fewRows {
      rows = try pass.look(at: few)
      total = rows.count
    } else if stopsEarly, let needed {
      rows = try pass.firstRows(needed)
      total = rows.count < needed ? rows.count : try cheapTotal
    } else if let few = try pass.fewRows(atMost: Self.mostFewRows) {
      rows = try sorted(few)
      total = few.count
    } else {
      let passing = try pass.chunks()
      let found = try timed(.sort) { () throws(Diagnostic) in try sorted(passing) }
      (rows, skipped) = (found.rows, found.skipped)
      total = passing.reduce(0) { $0 + $1.popcount }
    }
    return result(rows, behind: skipped, total: total)
  }

  /// A page of the rows that pass, in their order.
  private func result(_ rows: [UInt32], behind skipped: Int = 0, total: Int?) -> FetchResult {
    let last = min(rows.count, needed.map { $0 - skipped } ?? rows.count)
    return FetchResult(
      snapshot: snapshot, entity: entity, table: place.table,
      rows: offset - skipped < last ? Array(rows[(offset - skipped)..<last]) : [], total: total)
  }

  /// The rows that are asked, where they are few and none is asked anything.
  private var settledRows: [UInt32]? {
    guard predicate == nil, wantedCodes == nil, let fewRows else { return nil }
    let table = snapshot.graph.tables[place.table]
    return fewRows.filter { table.isLive(Int($0)) }
  }

  /// So many rows are sorted by their values sooner than whole columns are made ready for it.
  private static var mostFewRows: Int { 256 }

  /// The rows that are asked, where they are few and nobody wants to know how, or in another order.
  private var fewRows: [UInt32]? {
    guard let rows, rows.count <= 16, meter == nil, stopsEarly else { return nil }
    return rows
  }

  /// How many objects there are, where none is asked anything.
  private var cheapTotal: Int? {
    get throws(Diagnostic) {
      guard predicate == nil else { return nil }
      var unmetered = self
      unmetered.meter = nil
      return try unmetered.count()
    }
  }

  /// How many objects pass.
  package func count() throws(Diagnostic) -> Int {
    let pass = RowPass(self)
    if case .object(let row) = pass.plan.access { return try pass.look(at: row).count }
    return try pass.chunks().reduce(0) { $0 + $1.popcount }
  }

  /// Whether an object passes.
  package func exists() throws(Diagnostic) -> Bool {
    let pass = RowPass(self)
    if case .object(let row) = pass.plan.access { return try !pass.look(at: row).isEmpty }
    return try !pass.firstRows(1).isEmpty
  }

  /// A list of objects, a list of the values of one column, or one value.
  package func value(
    _ result: FetchTree.Result, at span: SourceSpan = .none
  ) throws(Diagnostic) -> Value {
    switch result {
    case .objects: try answer().value.whichCanBeWritten(at: span)
    case .count: .integer(Int64(try count()))
    case .exists: .boolean(try exists())
    }
  }

  /// The rows that pass, a bitmap for each chunk of the entity's table.
  package func passingRows() throws(Diagnostic) -> [Bitmap] {
    let pass = RowPass(self)
    guard case .object(let row) = pass.plan.access else { return try pass.chunks() }
    let table = snapshot.graph.tables[place.table]
    var result = (0..<table.chunkCount).map { Bitmap(count: table.rows(inChunk: $0).count) }
    for row in try pass.look(at: row) {
      result[Int(row) >> ColumnChunk.shift][Int(row) & ColumnChunk.mask] = true
    }
    return result
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
}

extension Bitmap {
  /// Those of some rows, which ascend, that lie in a range.
  init(_ range: Range<Int>, of rows: [UInt32]) {
    self.init(count: range.count)
    var place = rows.firstPlace { Int($0) >= range.lowerBound }
    while place < rows.count, Int(rows[place]) < range.upperBound {
      self[Int(rows[place]) - range.lowerBound] = true
      place += 1
    }
  }
}

extension [UInt32] {
  /// The first place from which on the elements, which ascend, are so.
  fileprivate func firstPlace(_ isSo: (UInt32) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isSo(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
