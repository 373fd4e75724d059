import KuraBytes
import KuraGraph
import KuraPredicates

/// The number of distinct values of a row's related objects: `countDistinct(items.product)`,
/// `(items.@distinctUnionOfObjects.product.brand).@count`, `(authors.mentor INTERSECT authors).@count`.
struct DistinctCountNode: VectorNode {
  private let counts: LazyValue<Vector>
  let parts: [any VectorNode]

  /// A value of the objects at the end of a path.
  struct Values: Sendable {
    let path: LinkPath
    let node: any VectorNode
    let there: Table

    fileprivate var source: (key: any VectorNode, rows: TableRows) {
      (node, TableRows(table: there, rows: there.liveRows))
    }

    /// Returns whether equal numbers of both are equal values.
    fileprivate func isComparable(to other: Values) -> Bool {
      (node as? ObjectNode)?.table == (other.node as? ObjectNode)?.table
        && node.kind == other.node.kind
    }
  }

  /// Counts the values of one path, which ignores nil, or those of a set operation of two.
  init?(_ values: [Values], _ operation: SetOperation?, here: Table, _ cancel: CancelFlag) {
    guard values.allSatisfy({ $0.node.kind.isJoinable && $0.isComparable(to: values[0]) }) else {
      return nil
    }
    parts = values.map(\.node)
    counts = LazyValue {
      guard let numbers = JoinNumbers(values.map(\.source)) else {
        return .unknown(.integer, here.count)
      }
      var sets: [NumberedSets] = []
      for value in values {
        let first = sets.reduce(0) { $0 + $1.chunkCount }
        sets.append(NumberedSets(value.path.lists, numbers, first, value.there.chunkCount))
      }
      return sets.counts(operation, of: numbers.last, count: here.count, cancel)
    }
  }

  var kind: VectorKind { .integer }
  var cost: Double { 2 }
  var neverFallsBack: Bool { false }
  func prepare() { _ = counts.value }
  func vector(_ rows: ChunkRows) -> Vector { counts.value.chunk(rows) }
}

/// The numbers of the values of each row's objects.
private struct NumberedSets {
  private let lists: [LinkPath.Lists]
  private let numbers: ArraySlice<[UInt32]>
  private let undecided: ArraySlice<Bitmap?>
  private let null: UInt32
  var chunkCount: Int { numbers.count }

  /// Uses the numbers of some chunks.
  init(_ lists: [LinkPath.Lists], _ numbers: JoinNumbers, _ first: Int, _ count: Int) {
    (self.lists, null) = (lists, numbers.last)
    self.numbers = numbers.numbers[first..<first + count]
    undecided = numbers.open[first..<first + count]
  }

  /// Calls the body with the number of each value of a row; returns false if the row is left to the reference evaluator.
  @inline(__always)
  func forEach(of row: Int, _ body: (Int) -> Void) -> Bool {
    let (part, place) = (lists[row >> ColumnChunk.shift], row & ColumnChunk.mask)
    var isKnown = !part.open.has(place)
    if part.withNil.has(place) { body(Int(null)) }
    for object in part.lists.rows[part.lists.range(place)] {
      let chunk = numbers.startIndex + Int(object) >> ColumnChunk.shift
      let element = Int(object) & ColumnChunk.mask
      if undecided[chunk]?.has(element) == true { isKnown = false }
      body(Int(numbers[chunk][element]))
    }
    return isKnown
  }
}

extension [NumberedSets] {
  /// Returns the number of distinct values of each row.
  fileprivate func counts(
    _ operation: SetOperation?, of null: UInt32, count: Int, _ cancel: CancelFlag
  ) -> Vector {
    var counts = [Int64](repeating: 0, count: count)
    var open = Bitmap(count: count)
    // The last row, plus one, that had each value.
    var marks = [Int](repeating: 0, count: Int(null) + 1)
    for row in 0..<count where !cancel.isRequested {
      let own = row + 1
      func mark(_ set: NumberedSets) -> Bool { set.forEach(of: row) { marks[$0] = own } }
      func count(_ set: NumberedSets, isMarked: Bool, ignoresNil: Bool = false) -> Bool {
        set.forEach(of: row) { value in
          guard (marks[value] == own) == isMarked, !ignoresNil || value != null else { return }
          marks[value] = isMarked ? 0 : own
          counts[row] += 1
        }
      }
      let areKnown =
        switch operation {
        case nil: [count(self[0], isMarked: false, ignoresNil: true)]
        case .union: [count(self[0], isMarked: false), count(self[1], isMarked: false)]
        case .intersect: [mark(self[1]), count(self[0], isMarked: true)]
        case .minus: [mark(self[1]), count(self[0], isMarked: false)]
        }
      if areKnown.contains(false) { open.insert(row) }
    }
    return Vector(.integers(.each(counts)), fallback: open.nonEmpty)
  }
}

extension FilterCompiler {
  /// Compiles `countDistinct(items.product.brand)`.
  mutating func distinctCount(_ call: FunctionCall, _ scope: FilterScope) -> DistinctCountNode? {
    guard call.builtIn == .countDistinct, call.arguments.count == 1 else { return nil }
    return distinctValues(call.arguments[0], scope).flatMap { distinctCount([$0], nil, scope) }
  }

  /// Compiles the `@count` of `items.@distinctUnionOfObjects.product.brand`, or of a set operation of paths.
  mutating func distinctCount(of base: ExpressionTree, _ scope: FilterScope) -> DistinctCountNode? {
    switch base.kind {
    case .setOperation(let operation, let left, let right):
      guard let left = distinctValues(left, scope), let right = distinctValues(right, scope) else {
        return nil
      }
      return distinctCount([left, right], operation, scope)
    case .keyPath(let path):
      guard path.base == nil,
        let place = path.components.firstIndex(where: { $0.kind == .collectionOperator }),
        path.components[place].name == "distinctUnionOfObjects"
      else { return nil }
      var keys = path
      keys.components.remove(at: place)
      guard keys.hasKeysOnly else { return nil }
      return distinctValues(keys, after: place, scope).flatMap { distinctCount([$0], nil, scope) }
    default: return nil
    }
  }

  private func distinctCount(
    _ values: [DistinctCountNode.Values], _ operation: SetOperation?, _ scope: FilterScope
  ) -> DistinctCountNode? {
    DistinctCountNode(
      values, operation, here: graph.tables[scope.place.table], environment.cancel)
  }

  private mutating func distinctValues(
    _ tree: ExpressionTree, _ scope: FilterScope
  ) -> DistinctCountNode.Values? {
    guard case .keyPath(let path) = tree.kind, path.base == nil, path.hasKeysOnly, !path.asksSize
    else { return nil }
    return distinctValues(path, after: keysOfObjects(path, scope), scope)
  }

  private mutating func distinctValues(
    _ path: KeyPathTree, after place: Int, _ scope: FilterScope
  ) -> DistinctCountNode.Values? {
    guard place > 0,
      let (links, there) = linkPath(KeyPathTree(Array(path.components[..<place])), scope)
    else { return nil }
    let rest = ExpressionTree(.keyPath(KeyPathTree(Array(path.components[place...]))))
    let node: (any VectorNode)? =
      place == path.components.count
      ? object(ExpressionTree(.evaluatedObject), there) : object(rest, there) ?? vector(rest, there)
    return node.map {
      DistinctCountNode.Values(path: links, node: $0, there: graph.tables[there.place.table])
    }
  }
}
