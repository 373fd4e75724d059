import KuraBytes
import KuraGraph
import KuraPredicates

/// The number of distinct values of a row's related objects: `countDistinct(items.product)`,
/// `(items.@distinctUnionOfObjects.product.brand).@count`.
struct DistinctCountNode: VectorNode {
  private let counts: LazyValue<Vector>
  private let inner: any VectorNode

  init?(
    _ path: LinkPath, _ inner: any VectorNode, here: Table, there: Table, _ cancel: CancelFlag
  ) {
    guard inner.kind.isJoinable else { return nil }
    self.inner = inner
    counts = LazyValue {
      let all = (0..<there.chunkCount).map { there.liveRows(inChunk: $0) }
      guard let numbers = JoinNumbers([(inner, TableRows(table: there, rows: all))]) else {
        return .unknown(.integer, here.count)
      }
      return Self.counts(path, numbers, count: here.count, cancel)
    }
  }

  var kind: VectorKind { .integer }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { 2 }
  var neverFallsBack: Bool { false }
  func prepare() { _ = counts.value }
  func vector(_ rows: ChunkRows) -> Vector { counts.value.chunk(rows) }

  private static func counts(
    _ path: LinkPath, _ values: JoinNumbers, count: Int, _ cancel: CancelFlag
  ) -> Vector {
    var counts = [Int64](repeating: 0, count: count)
    var open = Bitmap(count: count)
    /// The last row, plus one, that had each value.
    var owners = [UInt32](repeating: 0, count: Int(values.last) + 1)
    for (chunk, part) in path.lists.enumerated() {
      part.open.eachRow { open.insert(chunk << ColumnChunk.shift + $0) }
      for place in part.lists.ends.indices where !cancel.isRequested {
        let row = chunk << ColumnChunk.shift + place
        for object in part.lists.rows[part.lists.range(place)] {
          let (there, element) = (Int(object) >> ColumnChunk.shift, Int(object) & ColumnChunk.mask)
          if values.open[there]?.has(element) == true { open.insert(row) }
          let value = values.numbers[there][element]
          if value == values.last || owners[Int(value)] == UInt32(row + 1) { continue }
          owners[Int(value)] = UInt32(truncatingIfNeeded: row + 1)
          counts[row] += 1
        }
      }
    }
    return Vector(.integers(.each(counts)), fallback: open.isEmpty ? nil : open)
  }
}

extension FilterCompiler {
  /// Compiles `countDistinct(items.product.brand)`.
  mutating func distinctCount(_ call: FunctionCall, _ scope: FilterScope) -> DistinctCountNode? {
    guard call.builtIn == .countDistinct, call.arguments.count == 1,
      case .keyPath(let path) = call.arguments[0].kind, path.base == nil, path.hasKeysOnly
    else { return nil }
    return distinctCount(path, after: keysOfObjects(path, scope), scope)
  }

  /// Compiles the `@count` of `items.@distinctUnionOfObjects.product.brand`.
  mutating func distinctCount(of base: ExpressionTree, _ scope: FilterScope) -> DistinctCountNode? {
    guard case .keyPath(let path) = base.kind, path.base == nil,
      let place = path.components.firstIndex(where: { $0.kind == .collectionOperator }),
      path.components[place].name == "distinctUnionOfObjects"
    else { return nil }
    var keys = path
    keys.components.remove(at: place)
    return keys.hasKeysOnly ? distinctCount(keys, after: place, scope) : nil
  }

  private mutating func distinctCount(
    _ path: KeyPathTree, after place: Int, _ scope: FilterScope
  ) -> DistinctCountNode? {
    guard place > 0,
      let (links, there) = linkPath(KeyPathTree(Array(path.components[..<place])), scope)
    else { return nil }
    let rest = ExpressionTree(.keyPath(KeyPathTree(Array(path.components[place...]))))
    let value: (any VectorNode)? =
      place == path.components.count
      ? object(ExpressionTree(.evaluatedObject), there) : object(rest, there) ?? vector(rest, there)
    return value.flatMap {
      DistinctCountNode(
        links, $0, here: graph.tables[scope.place.table], there: graph.tables[there.place.table],
        environment.cancel)
    }
  }
}
