import KuraGraph
import KuraPredicates

/// The object at the end of a path of to-one relationships, or SELF, as its row.
struct ObjectNode: VectorNode {
  /// The table of the objects.
  let table: Int
  /// The first relationship; nil for SELF.
  private let first: Column?
  /// The links of all objects of the further ones.
  private let rest: LazyValue<[[UInt32]]>

  fileprivate init(_ table: Int, _ links: [Column]) {
    (self.table, first) = (table, links.first)
    rest = LazyValue { links.dropFirst().map(\.allLinks) }
  }

  var kind: VectorKind { .integer }
  var cost: Double { first == nil ? 1 : 3 }

  func vector(_ rows: ChunkRows) -> Vector {
    let objects = objects(rows)
    let nulls = Bitmap(objects) { $0 == noRow }
    return Vector(.integers(.each(objects.map { Int64($0) })), nulls: nulls.nonEmpty)
  }

  /// Returns the row of each object; `noRow` is nil.
  func objects(_ rows: ChunkRows) -> [UInt32] {
    let start = rows.number << ColumnChunk.shift
    guard let first else {
      return (0..<rows.count).map { UInt32(truncatingIfNeeded: start + $0) }
    }
    guard case .links(var objects) = first.chunks[rows.number].values else {
      return Array(repeating: noRow, count: rows.count)
    }
    for links in rest.value {
      for row in objects.indices where objects[row] != noRow {
        objects[row] = links[Int(objects[row])]
      }
    }
    return objects
  }
}

extension ObjectNode {
  /// Returns the row of each object of a table; `noRow` is nil.
  func allObjects(_ table: Table) -> [UInt32] {
    (0..<table.chunkCount).flatMap { objects(table.liveChunk($0)) }
  }
}

extension BoundRequest {
  /// Returns the objects at the end of a path of to-one relationships as rows; nil for other expressions.
  func object(_ tree: ExpressionTree) -> ObjectNode? {
    guard case .keyPath = tree.kind else { return nil }
    return compiler.object(tree, scope)
  }
}

extension FilterCompiler {
  /// Returns the object of each row; nil for other expressions, and if links may lead to deleted objects.
  func object(_ tree: ExpressionTree, _ scope: FilterScope) -> ObjectNode? {
    guard !graph.mayDangle, scope.list == nil else { return nil }
    if case .evaluatedObject = tree.kind { return ObjectNode(scope.place.table, []) }
    guard case .keyPath(let path) = tree.kind, path.base == nil, path.hasKeysOnly,
      path.components.count <= Self.longestPath
    else { return nil }
    let links = graph.links(path.components, from: scope)
    let columns = links.compactMap { link -> Column? in
      if case .toOne(let column, _) = link.slot {
        graph.tables[link.table].columns[column]
      } else {
        nil
      }
    }
    guard columns.count == path.components.count, let there = links.last?.destination else {
      return nil
    }
    return ObjectNode(there.place.table, columns)
  }

  /// Compiles `order.customer == SELF.customer`.
  mutating func objectsLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.operation.family == .equality, let left = object(comparison.left, scope),
      let right = object(comparison.right, scope), left.table == right.table
    else { return nil }
    return VectorComparison(left, comparison.operation, right)
      .map { node(predicate, .kernel(VectorKernel(comparisons: [$0]))) }
  }
}
