import KuraBytes
import KuraChecking
package import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

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
