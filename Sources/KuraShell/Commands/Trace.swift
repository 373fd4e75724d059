import KuraDiagnostics
import KuraFetch
import KuraLearning
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `trace Item/1 where …`: shows the predicate as a tree with its values; for several objects a
/// table with a row for each object and a column for each leaf.
extension TraceStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    try subject.look(in: session, source) { look in
      let request = try look.bound()
      if look.namesObjects, let row = request.candidates.firstRows(2).only {
        let trace = try request.objectTrace(row)
        try session.write(
          FittingTree(trace, look.texts), nested: trace.dictionary(look.texts))
      } else {
        let table = try request.leafTable(limit: request.limit ?? LeafTable.usualLimit)
        let shown = LeafGrid(leaves: table, request: request, texts: look.texts)
        try session.write { $0.isNested ? shown.nested : shown.table }
      }
    }
  }
}

extension AnalysisContext {
  fileprivate var namesObjects: Bool {
    if case .objects = fetch.source.kind { true } else { false }
  }
}

extension Array {
  fileprivate var only: Element? { count == 1 ? self[0] : nil }
}

extension LeafTable {
  /// The number of objects that are shown without a limit in the statement.
  fileprivate static let usualLimit = 20
}

extension FittingTree {
  /// Creates a row for each node and each element, with a drawn tree.
  fileprivate init(_ trace: ObjectTrace, _ texts: PartTexts) {
    let head = [texts.text(of: trace.object), trace.name].compactMap(\.self).joined(separator: " ")
    let rows = trace.lines(texts).map { line -> FittingTree.Row in
      let answer = (line.answer?.words ?? "") + (line.decides ? localized(" ← decides") : "")
      let (node, values) = (line.branch + line.text, line.values)
      return (
        [.string(node), .string(answer), .string(values)],
        node + (answer.isEmpty ? "" : ": \(answer)") + (values.isEmpty ? "" : " (\(values))")
      )
    }
    self.init(
      columns: [head, localized("answer"), localized("values")].map {
        GridColumn($0, isOwnText: true)
      }, rows: rows)
  }
}

extension ObjectTrace {
  fileprivate func dictionary(_ texts: PartTexts) -> ValueDictionary {
    let way = trace.decisionPath
    return ValueDictionary([
      ("objectID", object),
      ("trace", .dictionary(trace.dictionary(texts, way.isEmpty ? nil : way[...]))),
    ])
  }
}

extension PredicateTrace {
  fileprivate func dictionary(_ texts: PartTexts, _ way: ArraySlice<Int>?) -> ValueDictionary {
    var value = ValueDictionary([
      ("predicate", .string(texts.whole(predicate))), ("answer", answer.value),
    ])
    if way?.isEmpty ?? false { value["decides"] = .boolean(true) }
    if let sides = allSides { (value["left"], value["right"]) = (sides.left, sides.right) }
    if !allElements.isEmpty {
      value["elements"] = .list(allElements.map { .dictionary($0.dictionary(texts)) })
    }
    guard !isLeaf else { return value }
    value["parts"] = .list(
      parts.enumerated().map { place, part in
        .dictionary(part.dictionary(texts, way?.first == place ? way?.dropFirst() : nil))
      })
    return value
  }
}

extension TracedElement {
  fileprivate func dictionary(_ texts: PartTexts) -> ValueDictionary {
    var value = ValueDictionary([])
    if let owner { value["objectID"] = owner }
    value["value"] = self.value
    if let answer { value["answer"] = answer.value }
    if let trace { value["trace"] = .dictionary(trace.dictionary(texts, nil)) }
    return value
  }
}

extension TracedAnswer {
  /// `"YES"`; null for a predicate that was not evaluated.
  fileprivate var value: Value { self == .unasked ? .null : .string(rawValue) }

  fileprivate var sign: String {
    switch self {
    case .yes: "✓"
    case .no: "✗"
    case .null: "∅"
    case .unasked: "·"
    }
  }
}

/// A leaf table as a grid.
private struct LeafGrid: Sendable {
  let leaves: LeafTable
  let request: BoundRequest
  let texts: PartTexts

  /// The table with the objects in rows and the leaves in columns.
  var table: Grid {
    let names =
      ["objectID", localized("name"), localized("in")] + leaves.leaves.map { texts.text(of: $0) }
    let rows = leaves.rows.map { row -> [Value] in
      let object = request.object(atRow: row.row)
      return [
        .object(ObjectReference(object)), .string(object.firstText ?? ""),
        .string((row.isIn ? TracedAnswer.yes : .no).sign),
      ] + row.answers.map { .string($0.sign) }
    }
    var grid = Grid(
      columns: names.enumerated().map { GridColumn($1, isOwnText: $0 > 0) }, rows: rows)
    grid.extent = GridExtent(total: leaves.total, limit: request.limit)
    grid.note = note
    return grid
  }

  /// The table with the answers of each object as a list.
  var nested: Grid {
    let names = ["objectID", "in", "leavesAway", "leaves"]
    let rows = leaves.rows.map { row -> [Value] in
      let answers = zip(leaves.leaves, row.answers).map { leaf, answer in
        Value.dictionary(
          ValueDictionary([
            ("predicate", .string(texts.text(of: leaf))), ("answer", answer.value),
          ]))
      }
      return [
        .object(ObjectReference(request.object(atRow: row.row))), .boolean(row.isIn),
        .integer(Int64(row.distance)), .list(answers),
      ]
    }
    return Grid(columns: names.map { GridColumn($0) }, rows: rows)
  }

  /// `2 in, 1 one leaf away; ✓ YES, ✗ NO, ∅ nil`
  private var note: String {
    let answers = leaves.rows.flatMap(\.answers)
    let signs = [TracedAnswer.yes, .no, .null].filter { $0 != .null || answers.contains(.null) }
      .map { "\($0.sign) \($0.rawValue)" }
    let failed = answers.contains(.unasked) ? [localized("\(TracedAnswer.unasked.sign) fails")] : []
    return localized(
      "\(leaves.hits.grouped) in, \(leaves.nearMisses.grouped) out by one condition; \((signs + failed).list)"
    )
  }
}
