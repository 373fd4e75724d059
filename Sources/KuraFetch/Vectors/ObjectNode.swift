import KuraGraph
import KuraPredicates

/// The object at the end of a path of to-one relationships, or SELF, as its row.
struct ObjectNode: VectorNode {
  /// The table of the objects.
  let table: Int
  fileprivate let links: [Column]

  var kind: VectorKind { .integer }
  var cost: Double { 1 + 2 * Double(links.count) }

  func vector(_ rows: ChunkRows) -> Vector {
    let objects = objects(rows)
    let nulls = Bitmap(objects) { $0 == noRow }
    return Vector(.integers(.each(objects.map { Int64($0) })), nulls: nulls.isEmpty ? nil : nulls)
  }

  /// Returns the row of each object; `noRow` is nil.
  func objects(_ rows: ChunkRows) -> [UInt32] {
    let first = rows.number << ColumnChunk.shift
    var objects = (0..<rows.count).map { UInt32(truncatingIfNeeded: first + $0) }
    for column in links {
      for row in objects.indices where objects[row] != noRow {
        let (chunk, place) = (
          Int(objects[row]) >> ColumnChunk.shift, Int(objects[row]) & ColumnChunk.mask
        )
        guard case .links(let links) = column.chunks[chunk].values else {
          objects[row] = noRow
          continue
        }
        objects[row] = links[place]
      }
    }
    return objects
  }
}

extension BoundRequest {
  /// Returns the objects at the end of a path of to-one relationships as rows; nil for other expressions.
  func object(_ tree: ExpressionTree) -> ObjectNode? {
    guard case .keyPath = tree.kind else { return nil }
    return FilterCompiler(graph: snapshot.graph, environment: environment)
      .object(tree, FilterScope(entity: entity, place: place))
  }
}

extension FilterCompiler {
  /// Returns the object of each row; nil for other expressions, and if links may lead to deleted objects.
  func object(_ tree: ExpressionTree, _ scope: FilterScope) -> ObjectNode? {
    guard !graph.mayDangle, scope.list == nil else { return nil }
    if case .evaluatedObject = tree.kind { return ObjectNode(table: scope.place.table, links: []) }
    guard case .keyPath(let path) = tree.kind, path.base == nil, path.hasKeysOnly,
      path.components.count <= Self.longestPath
    else { return nil }
    var there = scope
    var links: [Column] = []
    for key in path.components {
      let table = graph.tables[there.place.table]
      guard case .toOne(let column, _)? = table.layout.slots[there.place.code][key.name],
        let next = destination(key.name, there)
      else { return nil }
      links.append(table.columns[column])
      there = next
    }
    return ObjectNode(table: there.place.table, links: links)
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
