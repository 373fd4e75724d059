import Foundation
import KuraBytes
package import KuraChecking
package import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
import KuraSentences
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

extension BoundRequest {
  /// What the request asks for: objects or rows, in their order, under their headings.
  ///
  /// Throws where a row makes the predicate or a column fail, and names its object.
  package func answer() throws(Diagnostic) -> FetchAnswer {
    if let selection, selection.grouping != nil || selection.isDistinct {
      let (rows, keys, total) = try groupedAnswer(selection)
      return FetchAnswer(
        rows: rows, objects: nil, sections: try sections(rows, keys), total: total)
    }
    let found = try objects()
    let rows = try shown(found)
    let keys = try sectionKeys(found.rows)
    return FetchAnswer(
      rows: rows, objects: found, sections: try sections(rows, keys), total: found.total)
  }

  /// The runs of rows under their headings, where there are keys that make some.
  private func sections(
    _ rows: FetchAnswer.Rows, _ keys: [Value]?
  ) throws(Diagnostic) -> [ResultSection]? {
    guard let keys else { return nil }
    return try timed(.section) { () throws(Diagnostic) in try runs(rows, keys) }
  }

  private func shown(_ found: FetchResult) throws(Diagnostic) -> FetchAnswer.Rows {
    guard selection != nil else { return .objects(found) }
    return .values(try timed(.select) { () throws(Diagnostic) in try selected(found.rows) })
  }

  /// The values by which the rows have headings.
  private func sectionKeys(_ rows: [UInt32]) throws(Diagnostic) -> [Value]? {
    guard let section else { return nil }
    return try timed(.section) { () throws(Diagnostic) in try values(of: section.tree, rows) }
  }

  /// The objects in their order or, without one, in that of their sections.
  private func objects() throws(Diagnostic) -> FetchResult {
    guard let section, sort.isEmpty else { return try run() }
    return try sorted(by: section).run()
  }

  private func sorted(by section: CheckedColumn) -> BoundRequest {
    BoundRequest(
      snapshot: snapshot, entity: entity, place: place, rows: rows,
      includesSubentities: includesSubentities, predicate: predicate,
      sort: [SortTree(section.tree)], offset: offset, limit: limit, selection: selection,
      section: section, shared: shared, meter: meter)
  }
}

extension BoundRequest {
  private func values(in column: Column, _ rows: [UInt32]) throws(Diagnostic) -> [Value] {
    try environment.checkStopped()
    return column.values(rows)
  }

  /// A column's values for some rows; an error names its object.
  func values(of tree: ExpressionTree, _ rows: [UInt32]) throws(Diagnostic) -> [Value] {
    if let column = attributeColumn(tree) { return try values(in: column, rows) }
    if let (column, rows) = computedColumn(tree, rows) { return try values(in: column, rows) }
    let context = environment.evaluation
    var folding = ConstantFolding(environment)
    let tree = folding.folded(tree)
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for row in rows {
      if context.cancel.isRequested { throw Diagnostic(EvaluationFacts.stopped, at: tree.span) }
      let object = snapshot.object(table: place.table, row: Int(row))
      values.append(try value(of: tree, object, context))
    }
    return values
  }

  func value(
    of tree: ExpressionTree, _ object: GraphObject, _ context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    do {
      return try tree.evaluate(on: .object(ObjectReference(object)), in: context)
    } catch {
      var located = error
      located.facts = RowFailure(object: object.objectID, facts: error.facts)
      throw located
    }
  }

  /// The column of an expression, where it is worth one, and where the rows stand in it.
  private func computedColumn(
    _ tree: ExpressionTree, _ rows: [UInt32]
  ) -> (column: Column, rows: [UInt32])? {
    if rows.count < 256 { return nil }
    if given.isEmpty, let few = fewCells(tree, rows) {
      return (few, Array(0..<UInt32(truncatingIfNeeded: rows.count)))
    }
    return wholeColumn(tree, bitmaps(of: rows)).map { ($0.column, rows) }
  }

  /// The column of an attribute that a tree is; nil if it is anything else.
  func attributeColumn(_ tree: ExpressionTree) -> Column? {
    guard case .keyPath(let path) = tree.kind, let key = path.onlyKey else { return nil }
    let table = snapshot.graph.tables[place.table]
    guard case .attribute(let column, _)? = table.layout.slots[place.code][key] else { return nil }
    return table.columns[column]
  }

  /// The columns of a `select` without groups: attributes are read when they are shown.
  private func selected(_ rows: [UInt32]) throws(Diagnostic) -> RowResult {
    var columns: [ResultColumn] = []
    for column in selection?.columns ?? [] {
      if let attribute = attributeColumn(column.tree) {
        columns.append(ResultColumn(column, attribute, rows: rows))
      } else if let (computed, rows) = computedColumn(column.tree, rows) {
        columns.append(ResultColumn(column, computed, rows: rows))
      } else {
        columns.append(ResultColumn(column, try values(of: column.tree, rows)))
      }
    }
    return RowResult(columns: columns, count: rows.count)
  }
}

// Sections
extension BoundRequest {
  /// The runs of equal keys; a key that comes back further on is an error, as in a fetched
  /// results controller.
  private func runs(
    _ rows: FetchAnswer.Rows, _ keys: [Value]
  ) throws(Diagnostic) -> [ResultSection] {
    var sections: [ResultSection] = []
    var starts: [Value: Int] = [:]
    for (row, key) in keys.enumerated() {
      if let last = sections.last, last.heading == key {
        sections[sections.count - 1] = ResultSection(
          heading: key, rows: last.rows.lowerBound..<row + 1)
        continue
      }
      if let first = starts[key] { throw broken(key, rows, first, row) }
      starts[key] = row
      sections.append(ResultSection(heading: key, rows: row..<row + 1))
    }
    return sections
  }

  private func broken(
    _ key: Value, _ rows: FetchAnswer.Rows, _ first: Int, _ again: Int
  ) -> Diagnostic {
    let heading =
      switch key {
      case .null: "(none)"
      case .boolean(let flag): flag ? "YES" : "NO"
      default: ExpressionTree(.constant(Constant(key))).expressionFormat
      }
    return Diagnostic(
      FetchFacts.brokenSection(
        heading: heading, first: BoundRequest.name(first, in: rows),
        again: BoundRequest.name(again, in: rows)),
      at: sort.first?.span ?? section?.tree.span)
  }

  private static func name(_ row: Int, in rows: FetchAnswer.Rows) -> String {
    switch rows {
    case .objects(let objects): "\(objects.object(row).objectID?.description ?? "")"
    case .values: "row \(row + 1)"
    }
  }
}

// What is asked of a part of the predicate, or of one of the objects.
extension BoundRequest {
  /// The rows that the predicate is asked of, a bitmap for each chunk of the entity's table.
  package var candidates: [Bitmap] {
    let (table, codes) = (snapshot.graph.tables[place.table], wantedCodes)
    return (0..<table.chunkCount).map { chunk in
      var candidates = table.candidates(inChunk: chunk, codes)
      if let rows { candidates.formIntersection(Bitmap(table.rows(inChunk: chunk), of: rows)) }
      return candidates
    }
  }

  /// The rows among some for which a part of the predicate holds, or another question of its keys.
  ///
  /// Throws where one of them makes it fail.
  package func passing(
    _ part: PredicateTree, among candidates: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    if case .constant(let answer) = part.kind {
      return answer ? candidates : candidates.map { Bitmap(count: $0.count) }
    }
    let pass = RowPass(asking(part), among: candidates)
    guard case .object(let row) = pass.plan.access else { return try pass.chunks() }
    var result = candidates.map { Bitmap(count: $0.count) }
    guard let row, candidates[row >> ColumnChunk.shift][row & ColumnChunk.mask] else {
      return result
    }
    for row in try pass.look(at: row) {
      result[Int(row) >> ColumnChunk.shift][Int(row) & ColumnChunk.mask] = true
    }
    return result
  }

  /// The same without the rows for which it fails.
  package func passingWhereSure(
    _ part: PredicateTree, among candidates: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    try RowPass(asking(part), among: candidates).sureChunks()
  }

  /// A request of all objects of another entity, to ask them what their keys say.
  package func asking(of entity: String) -> BoundRequest? {
    guard let place = snapshot.graph.place(of: entity) else { return nil }
    return BoundRequest(
      snapshot: snapshot, entity: entity, place: place, rows: nil, includesSubentities: true,
      predicate: nil, sort: [], offset: 0, limit: nil, selection: nil, section: nil,
      shared: shared)
  }

  /// The rows at the other end of a relationship, in the table of its destination.
  package func linkedRows(_ key: String, _ row: Int) -> [Int] {
    let table = snapshot.graph.tables[place.table]
    guard let slot = table.layout.slots[table.entityCode(row)][key] else { return [] }
    return snapshot.graph.rows(slot, place.table, row)
  }

  private func asking(_ part: PredicateTree) -> BoundRequest {
    BoundRequest(
      snapshot: snapshot, entity: entity, place: place, rows: rows,
      includesSubentities: includesSubentities, predicate: part, sort: [], offset: 0, limit: nil,
      selection: nil, section: nil, shared: shared)
  }

  /// The row of an object in the table that is asked; nil if it is in no such.
  package func row(of object: ObjectID) -> Int? {
    guard let found = snapshot.graph.find(object), found.table == place.table else { return nil }
    return found.row
  }

  /// The object at a row of the table that is asked.
  package func object(atRow row: Int) -> GraphObject {
    snapshot.object(table: place.table, row: row)
  }

  /// What came of each node of a predicate for the object at a row, by the reference evaluator.
  ///
  /// Throws where it fails, and names the object.
  package func trace(
    _ predicate: PredicateTree, _ row: Int
  ) throws(Diagnostic) -> PredicateTrace {
    let object = object(atRow: row)
    do {
      return try predicate.trace(
        on: .object(ObjectReference(object)), in: environment.evaluation)
    } catch {
      var located = error
      located.facts = RowFailure(object: object.objectID, facts: error.facts)
      throw located
    }
  }
}

/// An error of the evaluation, with the object for which it happened.
package struct RowFailure: DiagnosticFacts {
  package let object: ObjectID?
  package let facts: any DiagnosticFacts

  package var sentence: String {
    guard let object, !isStop else { return facts.sentence }
    return localized("\(facts.sentence), in \(object)")
  }

  /// Whether a person stopped the fetch: then the object is none of their business.
  private var isStop: Bool { facts as? EvaluationFacts == .stopped }

  package var help: String? { facts.help }
  package var kind: Diagnostic.Kind { facts.kind }
}

extension Diagnostic {
  /// Whether somebody stopped what was asked, and nothing is wrong with it.
  package var isStop: Bool {
    let facts = (facts as? RowFailure)?.facts ?? facts
    return facts as? EvaluationFacts == .stopped
  }
}
