import KuraBytes
import KuraGraph
import KuraPredicates

/// A condition of a SUBQUERY that relates an object at the end of a path to the row at its beginning: `$a.mentor IN
/// authors`, `$a.born < published`. It is tested for each pair of a row and an object.
enum PairCondition: Sendable {
  case comparison(inner: InnerValues, ComparisonOperator, outer: any VectorNode)
  /// Whether an object of the object, as its row of a table with `count` rows, is among those of the row. Nil is among
  /// none.
  case membership(inner: LazyValue<[UInt32]>, LinkPath, count: Int)

  /// The values of all objects at the end of a path.
  struct InnerValues: Sendable {
    let node: any VectorNode
    let all: LazyValue<Vector>

    init(_ node: any VectorNode, _ table: Table) {
      self.node = node
      all = LazyValue { node.whole(table) }
    }
  }
}

extension FilterCompiler {
  /// Returns a part of a SUBQUERY's predicate as a condition of pairs; nil for other conditions.
  ///
  /// - Parameters:
  ///   - name: The variable of the SUBQUERY.
  ///   - there: The scope of its elements.
  ///   - scope: The scope of the rows.
  mutating func pairComparison(
    _ part: PredicateTree, _ name: String, _ there: FilterScope, _ scope: FilterScope
  ) -> PairCondition? {
    guard let (tree, operation, outer) = part.sides(of: ElementPredicate(name), name),
      // Next to a decimal, a literal has other digits.
      tree.doubleLiterals.isEmpty, outer.doubleLiterals.isEmpty
    else { return nil }
    let table = graph.tables[there.place.table]
    if operation.family == .equality, let one = object(tree, there),
      let other = object(outer, scope),
      one.table == other.table
    {
      return .comparison(inner: PairCondition.InnerValues(one, table), operation, outer: other)
    }
    guard let one = vector(tree, there), let other = vector(outer, scope),
      VectorKernel.of(one, operation, other) != nil
    else { return nil }
    return .comparison(inner: PairCondition.InnerValues(one, table), operation, outer: other)
  }

  /// Returns `$a.mentor IN authors`, `ANY authors == $a.mentor` or `authors CONTAINS $a.mentor` as a condition of pairs;
  /// nil for other conditions.
  mutating func pairMembership(
    _ part: PredicateTree, _ name: String, _ there: FilterScope, _ scope: FilterScope
  ) -> PairCondition? {
    guard let (element, objects) = part.membership,
      case .keyPath(let path) = objects.kind, path.base == nil, path.hasKeysOnly,
      let tree = ElementPredicate(name).of(element), let inner = object(tree, there),
      let (links, end) = linkPath(path, scope), end.place.table == inner.table
    else { return nil }
    let table = graph.tables[there.place.table]
    return .membership(
      inner: LazyValue { inner.allObjects(table) }, links, count: graph.tables[inner.table].count)
  }
}

extension PairCondition {
  /// Returns the pairs of a chunk that fulfill the condition, in the order of the lists.
  fileprivate func answer(
    _ lists: LinkLists, _ rows: ChunkRows, _ there: Table, _ cancel: CancelFlag
  ) -> KernelAnswer {
    if cancel.isRequested { return .undecided(lists.rows.count) }
    switch self {
    case .comparison(let inner, let operation, let outer):
      let left = inner.all.value.gathered(ChunkCodes(.numbers(lists.rows), last: .max))
      var owners: [UInt32] = []
      owners.reserveCapacity(lists.rows.count)
      for row in lists.ends.indices {
        for _ in lists.range(row) { owners.append(UInt32(truncatingIfNeeded: row)) }
      }
      let right = outer.vector(rows).gathered(ChunkCodes(.numbers(owners), last: .max))
      let pairs = ChunkRows(
        table: there, number: 0, candidates: Bitmap(count: owners.count, filledWith: true))
      return VectorKernel.of(
        ComputedNode(inner.node.kind, [], cost: 0) { _, _ in left }, operation,
        ComputedNode(outer.kind, [], cost: 0) { _, _ in right })?.answer(pairs)
        ?? .undecided(owners.count)
    case .membership(let inner, let path, let count):
      let (objects, others) = (inner.value, path.lists[rows.number])
      var passing = Bitmap(count: lists.rows.count)
      var open = passing
      // The last row, plus one, that had each object.
      var owners = [Int](repeating: 0, count: count)
      for row in lists.ends.indices {
        let pairs = lists.range(row)
        if pairs.isEmpty { continue }
        if cancel.isRequested { return .undecided(lists.rows.count) }
        let isOpen = others.open.has(row) || others.withNil.has(row)
        for place in others.lists.range(row) { owners[Int(others.lists.rows[place])] = row + 1 }
        for pair in pairs {
          let object = objects[Int(lists.rows[pair])]
          if isOpen {
            open.insert(pair)
          } else if object != noRow, owners[Int(object)] == row + 1 {
            passing.insert(pair)
          }
        }
      }
      return KernelAnswer(passing: passing, fallback: open.nonEmpty)
    }
  }
}

extension LinkPath {
  /// Creates a path to those objects that fulfill conditions.
  convenience init(
    _ path: LinkPath, where conditions: [PairCondition], from here: Table, to there: Table,
    _ cancel: CancelFlag
  ) {
    self.init {
      for case .comparison(_, _, let outer) in conditions { outer.prepare() }
      return path.lists.enumerated().map { number, found in
        let rows = here.liveChunk(number)
        return found.passing(conditions.map { $0.answer(found.lists, rows, there, cancel) })
      }
    }
  }
}

extension LinkPath.Lists {
  /// Returns the lists with only the pairs that pass all conditions; a row with an undecided pair is not collected, and
  /// neither is one with a nil among its objects.
  fileprivate func passing(_ answers: [KernelAnswer]) -> LinkPath.Lists {
    var passing = Bitmap(count: lists.rows.count, filledWith: true)
    var undecided: Bitmap?
    for answer in answers {
      passing.formIntersection(answer.passing)
      undecided = undecided.union(answer.fallback)
    }
    var result = LinkPath.Lists(withNil: Bitmap(count: withNil.count), open: open)
    result.open.formUnion(withNil)
    for row in lists.ends.indices {
      for pair in lists.range(row) {
        if passing.has(pair) { result.lists.rows.append(lists.rows[pair]) }
        if undecided?.has(pair) == true { result.open.insert(row) }
      }
      result.lists.ends.append(UInt32(truncatingIfNeeded: result.lists.rows.count))
    }
    return result
  }
}
