import Foundation
import KuraBytes
package import KuraChecking
package import KuraDiagnostics
package import KuraGraph
import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

/// A request with names and literals that have been checked against a model.
package struct BoundRequest: Sendable {
  package let snapshot: GraphSnapshot
  package let entity: String
  let place: EntityPlace
  /// The rows to search, ascending; nil for all rows of the entity.
  let rows: [UInt32]?
  let includesSubentities: Bool
  /// The predicate, with its literals read as the types that they are compared with.
  package private(set) var predicate: PredicateTree?
  /// The order of the objects, or of the groups if there are any.
  package internal(set) var sort: [SortTree]
  package internal(set) var offset: Int
  /// The maximum number of results; nil for no limit.
  package internal(set) var limit: Int?
  /// The keys of `limit 3 per category`: the offset and the limit apply to each combination of their values.
  package internal(set) var limitKeys: [CheckedColumn] = []
  /// The result columns; nil for the objects.
  package internal(set) var selection: CheckedSelection?
  /// The key of the section headings.
  var section: CheckedColumn?
  var shared: SharedEnvironment
  /// The meter of `explain analyze`, if any.
  var meter: FetchMeter?
  /// Columns of the table that expressions read as variables.
  var given: [String: WholeColumn] = [:]
  /// The compiled expressions of its objects.
  let nodes = KnownNodes()

  var environment: FetchEnvironment { shared.environment }
  /// The table of its objects.
  var table: Table { snapshot.graph.tables[place.table] }
  var scope: FilterScope { FilterScope(entity: entity, place: place) }

  var compiler: FilterCompiler {
    var compiler = FilterCompiler(graph: snapshot.graph, environment: environment)
    compiler.given = given
    return compiler
  }
}

extension BoundRequest {
  /// The checked trees of all clauses.
  package var trees: [TreeNode] {
    let keys = limitKeys.map(\.tree) + [section?.tree].compactMap(\.self)
    return [predicate].compactMap { $0.map { .predicate($0) } }
      + sort.map { .expression($0.expression) } + (selection?.nodes ?? [])
      + keys.map { .expression($0) }
  }

  /// Whether its rows are elements, such as those of `Category.items`, and not objects of the store.
  package var isOfElements: Bool { snapshot.graph.isOfElements(entity) }
}

extension BoundRequest {
  /// Returns the objects in their order.
  ///
  /// Throws if a row makes the predicate fail; the error names its object.
  package func run() throws(Diagnostic) -> FetchResult {
    if !limitKeys.isEmpty { return try firstOfEachKey() }
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
    return result(rows, after: skipped, total: total)
  }

  /// Returns a page of the rows that pass, in their order.
  private func result(_ rows: [UInt32], after skipped: Int = 0, total: Int?) -> FetchResult {
    let last = min(rows.count, needed.map { $0 - skipped } ?? rows.count)
    return FetchResult(
      snapshot: snapshot, entity: entity, table: place.table,
      rows: offset - skipped < last ? Array(rows[(offset - skipped)..<last]) : [], total: total)
  }

  /// The rows to search, if there are few and no condition applies.
  private var settledRows: [UInt32]? {
    guard predicate == nil, wantedCodes == nil, let fewRows else { return nil }
    let table = table
    return fewRows.filter { table.isLive(Int($0)) }
  }

  /// Up to this many rows, comparing values directly is faster than building sort keys.
  private static var mostFewRows: Int { 256 }

  /// The rows to search, if there are few, no meter, and no other order.
  private var fewRows: [UInt32]? {
    guard let rows, rows.count <= 16, meter == nil, stopsEarly else { return nil }
    return rows
  }

  /// The number of objects, if there is no predicate.
  private var cheapTotal: Int? {
    get throws(Diagnostic) {
      guard predicate == nil else { return nil }
      var unmetered = self
      unmetered.meter = nil
      return try unmetered.count()
    }
  }

  /// Returns the number of objects that pass.
  package func count() throws(Diagnostic) -> Int {
    let pass = RowPass(self)
    if case .object(let row) = pass.plan.access { return try pass.look(at: row).count }
    return try pass.chunks().reduce(0) { $0 + $1.popcount }
  }

  /// Returns whether an object passes.
  package func exists() throws(Diagnostic) -> Bool {
    let pass = RowPass(self)
    if case .object(let row) = pass.plan.access { return try !pass.look(at: row).isEmpty }
    return try !pass.firstRows(1).isEmpty
  }

  /// Returns a list of objects, a list of the values of one column, or one value.
  package func value(
    _ result: FetchTree.Result, at span: SourceSpan = .none
  ) throws(Diagnostic) -> Value {
    try constant(result, at: span).value
  }

  /// Returns the value as a constant, in which objects are rows until their values are read.
  func constant(
    _ result: FetchTree.Result, at span: SourceSpan
  ) throws(Diagnostic) -> Constant {
    switch result {
    case .objects:
      let answer = try answer()
      if case .objects(let found) = answer.rows { return Constant(FetchedObjects(found)) }
      return Constant(try answer.value.checkedForWriting(at: span))
    case .count: return Constant(.integer(Int64(try count())))
    case .exists: return Constant(.boolean(try exists()))
    }
  }

  /// Returns the rows that pass, a bitmap per chunk of the entity's table.
  package func passingRows() throws(Diagnostic) -> [Bitmap] {
    let pass = RowPass(self)
    guard case .object(let row) = pass.plan.access else { return try pass.chunks() }
    return table.bitmaps(of: try pass.look(at: row))
  }

  /// The number of sorted rows that are needed; nil for all.
  var needed: Int? {
    guard limitKeys.isEmpty, let limit else { return nil }
    let (sum, overflow) = offset.addingReportingOverflow(limit)
    return overflow ? nil : sum
  }

  private var stopsEarly: Bool {
    sort.isEmpty && table.identifiers.isAscending
  }
}

extension Bitmap {
  /// Creates a bitmap of a range of rows, with the given ascending rows set.
  init(_ range: Range<Int>, of rows: [UInt32]) {
    self.init(count: range.count)
    var place = rows.indices.partitioningIndex { Int(rows[$0]) >= range.lowerBound }
    while place < rows.count, Int(rows[place]) < range.upperBound {
      self[Int(rows[place]) - range.lowerBound] = true
      place += 1
    }
  }
}

extension BoundRequest {
  /// Returns the result of the request: objects or rows, in their order, with their headings.
  ///
  /// Throws if a row makes the predicate or a column fail; the error names its object.
  package func answer() throws(Diagnostic) -> FetchAnswer {
    if let windows = selection?.windows { return try windowedAnswer(windows) }
    if let selection, selection.grouping != nil || selection.isDistinct {
      let (rows, keys, total) = try groupedAnswer(selection)
      return FetchAnswer(
        rows: rows, objects: nil, sections: try sections(rows, keys), total: total)
    }
    let found = try objects()
    let rows =
      try selection.map { _ throws(Diagnostic) in
        FetchAnswer.Rows.values(
          try timed(.select) { () throws(Diagnostic) in try selected(found.rows) })
      } ?? .objects(found)
    let keys = try section.map { section throws(Diagnostic) in
      try timed(.section) { () throws(Diagnostic) in try values(of: section.tree, found.rows) }
    }
    return FetchAnswer(
      rows: rows, objects: found, sections: try sections(rows, keys), total: found.total)
  }

  /// Returns the sections of the rows, if there are keys.
  func sections(
    _ rows: FetchAnswer.Rows, _ keys: [Value]?
  ) throws(Diagnostic) -> [ResultSection]? {
    guard let keys else { return nil }
    return try timed(.section) { () throws(Diagnostic) in try runs(rows, keys) }
  }

  /// Returns the objects in their order or, without one, in the order of their sections.
  private func objects() throws(Diagnostic) -> FetchResult {
    guard let section, sort.isEmpty else { return try run() }
    var sorted = self
    sorted.sort = [SortTree(section.tree)]
    return try sorted.run()
  }
}

extension BoundRequest {
  /// Returns a column's values for some rows; an error names its object.
  func values(of tree: ExpressionTree, _ rows: [UInt32]) throws(Diagnostic) -> [Value] {
    if let source = source(of: tree, rows) {
      try environment.checkStopped()
      return source.values
    }
    return try evaluated(tree, rows)
  }

  private func evaluated(_ tree: ExpressionTree, _ rows: [UInt32]) throws(Diagnostic) -> [Value] {
    if rows.count >= Self.manyRows, let quotients = quotients(tree, rows) { return quotients }
    meter?.note(
      environment.text(of: tree), rows: rows.count, reason: reasonToEvaluate(tree, rows.count))
    let context = environment.evaluationOfObjects
    var folding = ConstantFolding(environment)
    let tree = folding.folded(tree)
    let length = 1024
    // Notes about other kinds, and random numbers, keep the order of the rows.
    let isShared = context.otherKinds == nil && !tree.dependsOnChance
    let pieces = Workers.map(
      count: (rows.count + length - 1) / length, inParallel: isShared
    ) { piece in
      Result { () throws(Diagnostic) in
        let end = min(rows.count, (piece + 1) * length)
        return try self.values(of: tree, rows[piece * length..<end], context)
      }
    }
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for piece in pieces { values += try piece.get() }
    return values
  }

  private func values(
    of tree: ExpressionTree, _ rows: ArraySlice<UInt32>, _ context: EvaluationContext
  ) throws(Diagnostic) -> [Value] {
    try rows.map { row throws(Diagnostic) in
      if context.cancel.isRequested { throw Diagnostic(EvaluationError.stopped, at: tree.span) }
      return try value(of: tree, object(atRow: Int(row)), context)
    }
  }

  func value(
    of tree: ExpressionTree, _ object: GraphObject, _ context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    try object.naming { value throws(Diagnostic) in try tree.evaluate(on: value, in: context) }
  }

  /// For fewer rows, whole columns are computed only if that saves following links.
  static let manyRows = 256

  /// The number of links from which on a pass over all links can be faster than reading each object.
  private static let fewLinks = 4096

  /// Returns the number of objects that an expression reads across to-many relationships and in joins by value.
  private func linkCount(of tree: ExpressionTree, _ rows: [UInt32]) -> Int {
    var count = 0
    tree.walk { node, _ in
      guard case .expression(let part) = node else { return .into }
      switch part.kind {
      // The evaluator tests all elements for each row.
      case .subquery(let source, _, _): count += max(1, rows.count) * (source.elementCount ?? 0)
      case .keyPath(let path) where path.base == nil && path.components.count > 1:
        guard let slot = snapshot.graph.slot(path.components[0], of: place), slot.isToMany
        else { break }
        for row in rows { count += snapshot.graph.rows(slot, place.table, Int(row)).count }
      default: break
      }
      return .into
    }
    return count
  }

  /// Returns the number and the type of an attribute's column; nil if the expression is anything else.
  func attribute(_ tree: ExpressionTree) -> (column: Int, type: AttributeType)? {
    guard let key = tree.onlyKey,
      case .attribute(let column, let type)? = snapshot.graph.slot(key, of: place)
    else { return nil }
    return (column, type)
  }

  /// Returns the values of an expression without evaluating it row by row; nil if that saves no time.
  private func source(of tree: ExpressionTree, _ rows: [UInt32]) -> ResultColumn.Source? {
    if let (column, _) = attribute(tree) { return .cells(table.columns[column], rows: rows) }
    if let objects = objects(of: tree, rows) { return .objects(objects) }
    let links = linkCount(of: tree, rows.count < Self.manyRows ? rows : [])
    if rows.count < Self.manyRows, links < Self.fewLinks { return nil }
    if given.isEmpty, links < Self.fewLinks, let few = fewCells(tree, rows) {
      return .cells(few, rows: Array(0..<UInt32(truncatingIfNeeded: rows.count)))
    }
    let wanted = table.bitmaps(of: rows)
    if let whole = wholeColumn(tree, wanted, links: links) {
      return .cells(whole.column, rows: rows)
    }
    // Integers and other numbers are in two columns.
    guard let columns = mixedColumns(tree, wanted, links: links) else { return nil }
    let (integers, others) = (columns[0].column.values(rows), columns[1].column.values(rows))
    return .values(
      zip(integers, others).map { integer, other in
        integer.isNull ? other : (try? integer.wholeNumber()).map(Value.integer) ?? integer
      })
  }

  /// Returns the columns of a `select` without groups; attributes are read when they are shown.
  private func selected(_ rows: [UInt32]) throws(Diagnostic) -> RowResult {
    let columns = try selection?.columns.map { column throws(Diagnostic) in
      if let source = source(of: column.tree, rows) { return ResultColumn(column, source) }
      return ResultColumn(column, try evaluated(column.tree, rows))
    }
    return RowResult(columns: columns ?? [], count: rows.count)
  }
}

// Sections
extension BoundRequest {
  /// Returns the runs of equal keys; a key that reappears later is an error, as in a fetched results controller.
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
      FetchProblem.brokenSection(
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

// Queries about a part of the predicate, or about one object
extension BoundRequest {
  /// The rows to test, a bitmap per chunk of the entity's table.
  package var candidates: [Bitmap] {
    let (table, codes) = (table, wantedCodes)
    return (0..<table.chunkCount).map { chunk in
      table.candidates(inChunk: chunk, codes)
        .intersection(rows.map { Bitmap(table.rows(inChunk: chunk), of: $0) })
    }
  }

  /// Returns the rows among candidates that match a part of the predicate, or another predicate.
  ///
  /// Throws if a row makes it fail.
  package func passing(
    _ part: PredicateTree, among candidates: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    if case .constant(let answer) = part.kind {
      return answer ? candidates : candidates.map { Bitmap(count: $0.count) }
    }
    let pass = RowPass(asking(part), among: candidates)
    guard case .object(let row) = pass.plan.access else { return try pass.chunks() }
    guard let row, candidates[row >> ColumnChunk.shift][row & ColumnChunk.mask] else {
      return table.bitmaps(of: [])
    }
    return table.bitmaps(of: try pass.look(at: row))
  }

  /// Returns the matching rows, without rows that fail.
  package func passingWithoutFallback(
    _ part: PredicateTree, among candidates: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    try RowPass(asking(part), among: candidates).chunksWithoutFallback()
  }

  /// Returns a request for all objects of another entity, for querying their keys.
  package func asking(of entity: String) -> BoundRequest? {
    guard let place = snapshot.graph.place(of: entity) else { return nil }
    return BoundRequest(
      snapshot: snapshot, entity: entity, place: place, rows: nil, includesSubentities: true,
      predicate: nil, sort: [], offset: 0, limit: nil, selection: nil, section: nil,
      shared: shared)
  }

  /// Returns the rows at the other end of a relationship, in the destination's table.
  package func linkedRows(_ key: String, _ row: Int) -> [Int] {
    guard let slot = table.layout.slots[table.entityCode(row)][key] else { return [] }
    return snapshot.graph.rows(slot, place.table, row)
  }

  /// Returns the request for the objects of the same source that match a predicate, in the order of the table.
  func asking(_ predicate: PredicateTree?) -> BoundRequest {
    var request = self
    request.predicate = predicate
    (request.sort, request.offset, request.limit, request.limitKeys) = ([], 0, nil, [])
    (request.selection, request.section, request.meter) = (nil, nil, nil)
    return request
  }

  /// Returns the number of values so far that count as nil, because an operator does not accept their kind; nil if they
  /// are not counted.
  package var otherKindsCount: Int? {
    guard let kinds = environment.evaluationOfObjects.otherKinds else { return 0 }
    return kinds.count
  }

  /// Returns the row of an object in the request's table; nil if it is not there.
  package func row(of object: ObjectID) -> Int? {
    guard let found = snapshot.graph.find(object), found.table == place.table else { return nil }
    return found.row
  }

  /// Returns the object at a row of the request's table.
  package func object(atRow row: Int) -> GraphObject {
    snapshot.object(table: place.table, row: row)
  }

  /// Returns the reference evaluator's result at each node of a predicate, for the object at a row.
  ///
  /// Throws if it fails; the error names the object.
  package func trace(
    _ predicate: PredicateTree, _ row: Int
  ) throws(Diagnostic) -> PredicateTrace {
    try object(atRow: row).naming { value throws(Diagnostic) in
      try predicate.trace(on: value, in: environment.evaluationOfObjects)
    }
  }
}

extension GraphObject {
  /// Evaluates something for the object; an error names it.
  func naming<Result>(
    _ body: (Value) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    do { return try body(.object(ObjectReference(self))) } catch {
      var located = error
      located.facts = RowFailure(object: objectID, facts: error.facts)
      throw located
    }
  }
}

/// An error of the evaluation, with the object at which it occurred.
package struct RowFailure: DiagnosticFacts {
  package let object: ObjectID?
  package let facts: any DiagnosticFacts

  package var sentence: String {
    guard let object, !isStop else { return facts.sentence }
    return localized("\(facts.sentence), in \(object)")
  }

  /// Whether the fetch was cancelled: then the object is irrelevant.
  private var isStop: Bool { facts as? EvaluationError == .stopped }

  package var help: String? { facts.help }
  package var kind: Diagnostic.Kind { facts.kind }
}

extension Diagnostic {
  /// Whether the fetch was cancelled, which is not a fault of the fetch.
  package var isStop: Bool {
    let facts = (facts as? RowFailure)?.facts ?? facts
    return facts as? EvaluationError == .stopped
  }
}
