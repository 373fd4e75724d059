import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A grouping key: makes a small number of each row's value, the same for equal values.
struct GroupKey {
  private enum Source {
    /// A column whose cells are small numbers already: dictionary codes, booleans, links.
    case column(Column, null: Int)
    /// Any other column or tree, by its values.
    case values(ExpressionTree)
  }

  private let source: Source
  private let request: BoundRequest
  private var known: [Value: UInt32] = [:]

  init(_ tree: ExpressionTree, _ request: BoundRequest) {
    self.request = request
    source = GroupKey.column(tree, request) ?? .values(tree)
  }

  /// Whether its numbers are those of a column.
  var isCoded: Bool { if case .column = source { true } else { false } }

  /// All numbers given so far are less.
  var bound: Int {
    switch source {
    case .column(_, let null): null + 1
    case .values: known.count
    }
  }

  private static func column(_ tree: ExpressionTree, _ request: BoundRequest) -> Source? {
    guard case .keyPath(let path) = tree.kind, let key = path.onlyKey else { return nil }
    let graph = request.snapshot.graph
    let table = graph.tables[request.place.table]
    switch table.layout.slots[request.place.code][key] {
    case .attribute(let column, .boolean)?: return .column(table.columns[column], null: 2)
    case .attribute(let column, .string)?:
      let column = table.columns[column]
      // Two codes never stand for one text.
      return column.dictionary.map { .column(column, null: $0.count) }
    case .toOne(let column, let destination)?:
      return .column(table.columns[column], null: graph.tables[destination].count)
    case .attribute?, .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }
}

extension GroupKey {
  /// The numbers of a chunk's rows; what does not pass has any.
  mutating func codes(_ chunk: Int, _ rows: Bitmap) throws(Diagnostic) -> [UInt32] {
    switch source {
    case .column(let column, let null): return GroupKey.codes(column.chunks[chunk], null)
    case .values(let tree): return try codes(of: tree, chunk, rows)
    }
  }

  private static func codes(_ chunk: ColumnChunk, _ null: Int) -> [UInt32] {
    let nullCode = UInt32(truncatingIfNeeded: null)
    var codes: [UInt32]
    switch chunk.values {
    case .bytes(let values): codes = values.map { UInt32($0) }
    case .codes(let values): codes = values.map { UInt32($0) }
    // A link that leads nowhere is no row; the bits of nulls say nothing of links.
    case .links(let values): return values.map { min($0, nullCode) }
    case .integers, .doubles, .text, .linkLists:
      codes = Array(repeating: nullCode, count: chunk.count)
    }
    chunk.nulls?.forEachSet { codes[$0] = nullCode }
    return codes
  }

  private mutating func codes(
    of tree: ExpressionTree, _ chunk: Int, _ rows: Bitmap
  ) throws(Diagnostic) -> [UInt32] {
    var places: [UInt32] = []
    let first = UInt32(truncatingIfNeeded: chunk << ColumnChunk.shift)
    rows.forEachSet { places.append(first + UInt32(truncatingIfNeeded: $0)) }
    let values = try request.values(of: tree, places)
    var codes = [UInt32](repeating: 0, count: rows.count)
    for (place, value) in zip(places, values) { codes[Int(place - first)] = number(value) }
    return codes
  }

  private mutating func number(_ value: Value) -> UInt32 {
    if let number = known[value] { return number }
    let number = UInt32(truncatingIfNeeded: known.count)
    known[value] = number
    return number
  }
}
