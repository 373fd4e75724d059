import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import Synchronization

/// The values of an expression in a column: an attribute's own, or computed per chunk.
struct WholeColumn: Sendable {
  let column: Column
  let type: AttributeType

  /// Whether it contains decimals as stored, not as the integers that loops use.
  var areTextsOfDecimals: Bool { type == .decimal && column.scale == nil }
}

extension BoundRequest {
  /// Returns the column of an expression for the set rows; nil if it cannot be computed, if a row
  /// is left to the reference evaluator, or if so few rows are wanted that a column would take
  /// longer.
  ///
  /// `forOrder`: only order and equality matter, and integers may be doubles. `textsAsCodes`: only codes of texts are
  /// wanted. `links`: the number of links that the reference evaluator would follow, if that is known.
  func wholeColumn(
    _ tree: ExpressionTree, _ rows: [Bitmap], forOrder: Bool = false, textsAsCodes: Bool = false,
    links: Int = 0
  ) -> WholeColumn? {
    let stored = stored(tree)
    if let stored, !stored.areTextsOfDecimals { return stored }
    return computedColumn(tree, rows, forOrder, textsAsCodes, links) ?? stored
  }

  /// Returns the type of the column that an expression may have.
  func typeOfColumn(_ tree: ExpressionTree, forOrder: Bool = false) -> AttributeType? {
    stored(tree)?.type ?? vectorNode(tree)?.kind.attributeType(forOrder)
  }

  /// Returns whether some values of an expression are integers and others decimals.
  func mixesDecimals(_ tree: ExpressionTree) -> Bool { vectorNode(tree)?.kind == .exact }

  /// Returns a node that gathers an expression's values by code; nil if that saves no time for the
  /// set rows.
  func gatherNode(_ tree: ExpressionTree, _ rows: [Bitmap]) -> GatherNode? {
    guard stored(tree) == nil, let node = vectorNode(tree) as? GatherNode,
      isWorthwhile(node, rows)
    else { return nil }
    return node
  }

  /// Returns whether an expression's texts probably have codes.
  func hasCodes(_ tree: ExpressionTree) -> Bool {
    stored(tree).map { $0.column.dictionary != nil } ?? (vectorNode(tree) is GatherNode)
  }

  func vectorNode(_ tree: ExpressionTree) -> (any VectorNode)? {
    guard !readsGiven(tree) else { return compiledNode(tree) }
    return nodes.node(tree) { compiledNode(tree) }
  }

  /// Whether an expression reads variables of aggregates, which have a column only in some copies of the request.
  private func readsGiven(_ tree: ExpressionTree) -> Bool {
    !given.isEmpty && tree.variables.contains { given[$0] != nil }
  }

  private func compiledNode(_ tree: ExpressionTree) -> (any VectorNode)? {
    var folding = ConstantFolding(environment)
    var compiler = compiler
    let node = compiler.vector(folding.folded(tree), scope)
    return node is ConstantNode ? nil : node
  }

  /// Returns the column of an attribute, or the given column of a variable.
  private func stored(_ tree: ExpressionTree) -> WholeColumn? {
    if case .variable(let name) = tree.kind { return given[name] }
    return attribute(tree).map { WholeColumn(column: table.columns[$0], type: $1) }
  }

  private func computedColumn(
    _ tree: ExpressionTree, _ rows: [Bitmap], _ forOrder: Bool, _ textsAsCodes: Bool, _ links: Int
  ) -> WholeColumn? {
    guard let node = vectorNode(tree), let type = node.kind.attributeType(forOrder),
      isWorthwhile(node, rows, links)
    else { return nil }
    func made() -> WholeColumn? {
      node.column(of: type, table, rows, textsAsCodes: textsAsCodes)
        .map { WholeColumn(column: $0, type: type) }
    }
    guard !readsGiven(tree) else { return made() }
    return nodes.column(
      KnownNodes.ColumnUse(tree: tree, type: type, textsAsCodes: textsAsCodes, rows: rows), made)
  }

  /// Returns the integers of an expression that mixes integers and other numbers, and the other numbers; nil for other
  /// expressions, and if a row is left to the reference evaluator.
  func mixedColumns(
    _ tree: ExpressionTree, _ rows: [Bitmap], links: Int = 0
  ) -> [WholeColumn]? {
    guard let node = vectorNode(tree), node.kind.isMixed,
      let type = node.kind.attributeType(true), isWorthwhile(node, rows, links),
      let known = node.known(table, rows).flatMap({ AlignedVectors($0, rows) }),
      zip(known.vectors, rows).allSatisfy({ $0.integral != nil || $1.isEmpty })
    else { return nil }
    return [true, false].map { isOfIntegers in
      let chunks = zip(known.vectors, rows).map { vector, rows in
        vector.chunk(rows, type, ofIntegers: isOfIntegers)
      }
      return WholeColumn(
        column: Column(.attribute(type), chunks: chunks, scale: known.scale(type)), type: type)
    }
  }

  /// Returns the texts of an expression in place, per chunk; nil if it cannot be computed, as in `wholeColumn`, or if
  /// many rows share texts.
  func wholeTexts(
    _ tree: ExpressionTree, _ rows: [Bitmap]
  ) -> (views: [TextViews], nulls: [Bitmap?])? {
    guard stored(tree) == nil, let node = vectorNode(tree), node.kind.hasTexts,
      isWorthwhile(node, rows), let first = rows.firstIndex(where: { !$0.isEmpty }),
      let sample = node.known(ChunkRows(table: table, number: first, candidates: rows[first])),
      case .own = sample.texts.places, let known = node.known(table, rows)
    else { return nil }
    let views = known.mapAll { if case .own = $0.texts.places { $0.texts.texts } else { nil } }
    return views.map { ($0, known.map(\.nulls)) }
  }

  /// Returns whether the reference evaluator is slower for the rows than this for their chunks.
  func isWorthwhile(_ node: any VectorNode, _ rows: [Bitmap], _ links: Int = 0) -> Bool {
    let wanted = rows.reduce(0) { $0 + $1.popcount }
    let chunks = rows.count { !$0.isEmpty }
    let cost = node.cost * Double(chunks * ColumnChunk.capacity) + node.costForAll
    let share = Double(wanted) / Double(max(1, table.count))
    return Double(wanted) * 800 + max(Double(links), node.linksForAll * share) * 400 > cost
  }
}

extension VectorKind {
  /// Returns the type of a column that can hold such values; otherwise nil.
  func attributeType(_ forOrder: Bool) -> AttributeType? {
    switch self {
    case .integer: .integer
    case .boolean: .boolean
    case .double: .double
    case .date: .date
    case .text: .string
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .decimal: .decimal
    case .exact: forOrder ? .decimal : nil
    case .mixed: forOrder ? .double : nil
    }
  }
}

extension VectorNode {
  /// Returns the values as a column; nil if a row is left to the reference evaluator.
  func column(
    of type: AttributeType, _ table: Table, _ rows: [Bitmap], textsAsCodes: Bool = false
  ) -> Column? {
    if let column = (self as? GatherNode)?.coded(table, rows) { return column }
    if textsAsCodes, VectorKind(textsOf: type) != nil { return nil }
    guard let known = known(table, rows).flatMap({ AlignedVectors($0, rows) }) else { return nil }
    if type == .string, let column = Column(fewTexts: known.vectors, rows) { return column }
    let cost = cost * Double(rows.count * ColumnChunk.capacity)
    let chunks = Workers.map(count: rows.count, inParallel: cost > 500_000) { number in
      known.vectors[number].chunk(rows[number], type)
    }
    return Column(.attribute(type), chunks: chunks, scale: known.scale(type))
  }

  /// Returns the values of a table's chunks; nil if a row is left to the reference evaluator.
  func known(_ table: Table, _ rows: [Bitmap]) -> [Vector]? {
    prepare()
    let cost = cost * Double(rows.count * ColumnChunk.capacity)
    return Workers.map(count: rows.count, inParallel: cost > 500_000) { number in
      known(ChunkRows(table: table, number: number, candidates: rows[number]))
    }.unwrapped()
  }

  /// Returns a chunk's values; nil if a row is left to the reference evaluator.
  fileprivate func known(_ rows: ChunkRows) -> Vector? {
    if rows.candidates.isEmpty { return Vector.none(kind) }
    let vector = vector(rows)
    return vector.isOpen(in: rows.candidates) ? nil : vector
  }
}

extension Vector {
  /// Returns the values as a column's chunk, if some rows of the chunk are wanted.
  func chunk(_ rows: Bitmap, _ type: AttributeType) -> ColumnChunk {
    if rows.isEmpty { return .empty(type) }
    return switch values {
    case .integers(let lane) where type == .boolean:
      ColumnChunk(.bytes(lane.spread(rows.count).map { UInt8($0) }), nulls: nulls)
    case .integers(let lane), .decimals(let lane, _):
      ColumnChunk(.integers(lane.spread(rows.count)), nulls: nulls)
    // Only for other numbers; a column has the codes of these.
    case .longDecimals: ColumnChunk(.integers(Array(repeating: 0, count: rows.count)), nulls: nulls)
    case .doubles(let lane): ColumnChunk(.doubles(lane.spread(rows.count)), nulls: nulls)
    case .texts(let lane): ColumnChunk(.text(lane.chunk(rows.count)), nulls: nulls)
    }
  }
}

extension Vector {
  /// Returns the integers of a mixed vector, or its other numbers, as a column's chunk.
  fileprivate func chunk(_ rows: Bitmap, _ type: AttributeType, ofIntegers: Bool) -> ColumnChunk {
    var part = self
    part.nulls = nulls.union(integral?.negated(ofIntegers))
    return part.chunk(rows, type)
  }
}

extension Column {
  /// Creates codes of texts if each chunk has few; otherwise returns nil.
  fileprivate init?(fewTexts vectors: [Vector], _ rows: [Bitmap]) {
    var dictionary = TextDictionary()
    var parts: [(numbers: [UInt32], codes: [UInt8])] = []
    for (vector, rows) in zip(vectors, rows) {
      guard !rows.isEmpty else {
        parts.append(([], []))
        continue
      }
      guard case .texts(let lane) = vector.values, case .numbered(let numbers) = lane.places,
        lane.texts.count <= TextLane.few
      else { return nil }
      var codes: [UInt8] = []
      lane.texts.forEach { _, text in
        let text = String(decoding: text, as: UTF8.self)
        let code = dictionary.encode(text, isOdd: StoredCell.text(text).isOddText)
        codes.append(UInt8(truncatingIfNeeded: code ?? 255))
      }
      guard dictionary.count < 255 else { return nil }
      parts.append((numbers, codes))
    }
    let known = parts
    let chunks = Workers.map(count: known.count, inParallel: known.count > 8) { number in
      let (numbers, codes) = known[number]
      return ColumnChunk(
        .bytes(codes.withUnsafeBufferPointer { codes in numbers.map { codes[Int($0)] } }),
        nulls: rows[number].isEmpty ? nil : vectors[number].nulls)
    }
    self.init(.attribute(.string), chunks: chunks, dictionary: dictionary)
  }
}

extension ColumnChunk {
  fileprivate static func empty(_ type: AttributeType) -> ColumnChunk {
    switch type {
    case .boolean: ColumnChunk(.bytes([]))
    case .string, .uuid, .uri, .binary: ColumnChunk(.text(TextChunk()))
    default: ColumnChunk(.integers([]))
    }
  }
}

extension Table {
  /// Returns rows as bitmaps of their chunks.
  func bitmaps(of rows: [UInt32]) -> [Bitmap] {
    var all = Bitmap(count: count)
    all.words.withUnsafeMutableBufferPointer { words in
      for row in rows { words[Int(row >> 6)] |= 1 << UInt64(row & 63) }
    }
    return (0..<chunkCount).map { all.chunk($0, count: self.rows(inChunk: $0).count) }
  }
}

extension Column {
  var isNumeric: Bool { if case .attribute(let type) = kind { type.isNumeric } else { false } }
}

/// A cache of compiled expressions and their columns: an expression that a request groups, shows and sorts by is computed
/// only once, as is the argument of several aggregates.
final class KnownNodes: Sendable {
  private let known = Mutex<[(tree: ExpressionTree, node: (any VectorNode)?)]>([])
  private let columns = Mutex<[(use: ColumnUse, column: WholeColumn)]>([])

  /// An expression, and the rows and the form of its column.
  struct ColumnUse: Equatable {
    let tree: ExpressionTree
    let type: AttributeType
    let textsAsCodes: Bool
    let rows: [Bitmap]
  }

  /// The number of columns that are cached, the most recent.
  private static let mostColumns = 4

  /// Returns the column of an expression, computed if unknown; nil if it has none.
  func column(_ use: ColumnUse, _ make: () -> WholeColumn?) -> WholeColumn? {
    if let known = columns.withLock({ $0.first { $0.use == use } }) { return known.column }
    guard let column = make() else { return nil }
    columns.withLock { known in
      if known.count == Self.mostColumns { known.removeFirst() }
      known.append((use, column))
    }
    return column
  }

  /// Returns the node of an expression, compiled if unknown; nil if it has none.
  func node(
    _ tree: ExpressionTree, _ make: () -> (any VectorNode)?
  ) -> (any VectorNode)? {
    if let known = known.withLock({ $0.first { $0.tree == tree } }) { return known.node }
    let node = make()
    known.withLock { $0.append((tree, node)) }
    return node
  }
}
