import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The aggregates of objects that have the same keys as a row:
/// `SUBQUERY((fetch Order), $o, $o.city == city).@sum.qty`.
///
/// A join by value works like a to-many relationship. The distinct keys of both tables get numbers. Each number acts as
/// the owner of all objects with these keys, and each row gets the aggregate of its number.
///
/// Objects may also have to be in a `JoinRange`: `$v.day < day`.
struct ValueJoin: Sendable {
  /// Pairs of keys that must be equal: of the objects, and of the rows.
  fileprivate let keys: [JoinKeys]
  fileprivate let objects: TableRows
  fileprivate let rows: TableRows
  fileprivate let cancel: CancelFlag
  /// A filter of the objects; nil for all.
  fileprivate let filter: Filter?
  /// Whether a row is not joined to itself: `$o != SELF`.
  let excludesItself: Bool
  /// The range of a value of the objects; nil for all.
  let range: JoinRange?
}

extension FilterCompiler {
  /// Returns the objects of a SUBQUERY over objects of one entity as a join by value; nil if no comparison of its
  /// predicate is one, or if other parts read the outer object.
  mutating func valueJoin(_ collection: ExpressionTree, _ scope: FilterScope) -> RelatedObjects? {
    guard case .subquery(let source, let name, let predicate) = collection.kind,
      case .constant(let constant) = source.kind, let found = joinedObjects(constant)
    else { return nil }
    let (graph, there) = (found.graph, found.scope)
    var compiler = FilterCompiler(graph: graph, environment: environment)
    var keys: [JoinKeys] = []
    var others: [PredicateTree] = []
    var excludesItself = false
    var range: JoinRange?
    let element = ElementPredicate(name)
    for part in predicate.conjuncts {
      if let inner = element.of(part) {
        others.append(inner)
      } else if case (let inner, .equal, let outer)? = part.sides(of: element, name),
        let pair = objectKeys(compiler.object(inner, there), object(outer, scope), graph)
          ?? compiler.valueKeys(inner, there, vector(outer, scope))
      {
        keys.append(pair)
      } else if let (tree, operation, outer) = part.sides(of: element, name),
        let inner = compiler.vector(tree, there), let outer = vector(outer, scope),
        let bound = JoinRange(tree, inner, operation, outer)
      {
        range = range.map { $0.intersected(with: bound) } ?? bound
      } else if part.excludesItself(name), there.place.table == scope.place.table {
        excludesItself = true
      } else {
        return nil
      }
    }
    guard !keys.isEmpty || range != nil else { return nil }
    var folding = ConstantFolding(environment)
    let filter = PredicateTree.all(others).map { compiler.filter(folding.folded($0), there) }
    guard filter?.isOfKernels != false else { return nil }
    let here = self.graph.tables[scope.place.table]
    let join = ValueJoin(
      keys: keys, objects: TableRows(table: graph.tables[there.place.table], rows: found.rows),
      rows: TableRows(table: here, rows: here.liveRows), cancel: environment.cancel, filter: filter,
      excludesItself: excludesItself, range: range)
    return RelatedObjects(
      link: .equalKeys(join), scope: there, compiler: compiler, order: found.order)
  }
}

/// A key of the objects and one of the rows.
private enum JoinKeys: Sendable {
  case values(inner: any VectorNode, outer: any VectorNode)
  /// Objects of one table, with as many rows.
  case objects(inner: ObjectNode, outer: ObjectNode, count: Int)
}

extension FilterCompiler {
  fileprivate mutating func valueKeys(
    _ inner: ExpressionTree, _ there: FilterScope, _ outer: (any VectorNode)?
  ) -> JoinKeys? {
    guard let outer, let inner = vector(inner, there), inner.kind == outer.kind,
      inner.kind.isJoinable
    else { return nil }
    return .values(inner: inner, outer: outer)
  }

  /// Returns the keys of `customer == $c` and `customer == $o.customer`.
  fileprivate func objectKeys(
    _ inner: ObjectNode?, _ outer: ObjectNode?, _ there: Graph
  ) -> JoinKeys? {
    guard let inner, let outer, inner.table == outer.table else { return nil }
    // The states of the graph can differ.
    let count = [graph, there].map { $0.tables[inner.table].count }.max()
    return count.map { .objects(inner: inner, outer: outer, count: $0) }
  }
}

extension VectorKind {
  /// Whether equal values of this kind can have equal numbers.
  var isJoinable: Bool {
    [.integer, .boolean, .double, .decimal, .date, .text, .uuid, .uri].contains(self)
  }
}

extension PredicateTree {
  /// Returns whether it is `$name != SELF`.
  fileprivate func excludesItself(_ name: String) -> Bool {
    guard case .comparison(let comparison) = kind, comparison.operation == .notEqual,
      comparison.modifier == .direct
    else { return false }
    switch (comparison.left.kind, comparison.right.kind) {
    case (.variable(name), .evaluatedObject), (.evaluatedObject, .variable(name)): return true
    default: return false
    }
  }

  /// Returns the sides of a comparison, if one reads only the element and the other one does not read it, and the
  /// operator with the element's side on the left.
  func sides(
    of element: ElementPredicate, _ name: String
  ) -> (inner: ExpressionTree, operation: ComparisonOperator, outer: ExpressionTree)? {
    guard case .comparison(let comparison) = kind, comparison.modifier == .direct,
      comparison.options.isEmpty, let mirrored = comparison.operation.mirrored
    else { return nil }
    for (one, operation, other) in [
      (comparison.left, comparison.operation, comparison.right),
      (comparison.right, mirrored, comparison.left),
    ] where one.variables.contains(name) && !other.variables.contains(name) {
      return element.of(one).map { ($0, operation, other) }
    }
    return nil
  }
}

/// Objects of one table.
struct JoinedObjects {
  let graph: Graph
  /// The rows, by chunk.
  let rows: [Bitmap]
  /// The nearest entity of all objects.
  let scope: FilterScope
  /// The rows in the order of the objects; nil if they are ascending.
  let order: [UInt32]?

  /// Whether they are all objects of the table.
  var hasAllRows: Bool {
    rows == graph.tables[scope.place.table].liveRows
  }

  /// Creates objects of some kind of an entity; nil if one occurs twice.
  init?(_ graph: Graph, _ root: String, _ found: [UInt32]) {
    guard !graph.mayDangle, let table = graph.place(of: root)?.table else { return nil }
    let source = graph.tables[table]
    rows = source.bitmaps(of: found)
    guard rows.reduce(0, { $0 + $1.popcount }) == found.count else { return nil }
    order = zip(found, found.dropFirst()).allSatisfy(<) ? nil : found
    let entities = source.entityCodes(of: found).map { source.layout.entities[$0] }
    let entity = graph.model.lineage(of: entities.first ?? root).first { candidate in
      entities.allSatisfy { graph.model.lineage(of: $0).contains(candidate) }
    }
    guard let entity, let place = graph.place(of: entity) else { return nil }
    self.graph = graph
    scope = FilterScope(entity: entity, place: place)
  }
}

extension FilterCompiler {
  /// Returns the objects of a constant; nil for other values.
  func joinedObjects(_ constant: Constant) -> JoinedObjects? {
    if let found = (constant.objects as? FetchedObjects)?.result {
      return JoinedObjects(found.snapshot.graph, found.entity, found.rows)
    }
    // In `graph`, a table of codes may replace the table of the rows.
    guard let graph = environment.snapshot?.graph, let values = constant.value.elements,
      case .object(let first)? = values.first, let root = first.id?.root,
      let place = graph.place(of: root)
    else { return nil }
    let table = graph.tables[place.table]
    let rows = values.map { value -> UInt32? in
      guard case .object(let object) = value, let id = object.id, id.root == root else {
        return nil
      }
      return table.row(of: id.number).map { UInt32(truncatingIfNeeded: $0) }
    }
    return rows.unwrapped().flatMap { JoinedObjects(graph, root, $0) }
  }
}

extension Model {
  /// An entity and its ancestors, the nearest first.
  fileprivate func lineage(of entity: String) -> [String] { [entity] + ancestors(of: entity) }
}

/// Numbers of keys, equal for equal keys.
struct JoinNumbers: Sendable {
  /// The numbers by chunk of the first table, then by chunk of the other ones: the objects' and the rows' table.
  var numbers: [[UInt32]]
  /// The rows with a key that the reference evaluator must compare, in the same order.
  var open: [Bitmap?]
  /// The greatest number, that of nil.
  var last: UInt32
}

extension JoinNumbers {
  fileprivate init?(_ keys: JoinKeys, _ there: TableRows, _ here: TableRows) {
    switch keys {
    case .values(let inner, let outer): self.init([(inner, there), (outer, here)])
    case .objects(let inner, let outer, let count):
      let none = UInt32(truncatingIfNeeded: count)
      let numbers = there.objects(inner, none: none) + here.objects(outer, none: none)
      self.init(numbers: numbers, open: numbers.map { _ in nil }, last: none)
    }
  }

  /// Numbers the values of keys of one kind, in one table each; returns nil for other kinds than those of joins.
  init?(_ sources: [(key: any VectorNode, rows: TableRows)]) {
    guard let kind = sources.first?.key.kind, kind.isJoinable, let type = kind.attributeType(false)
    else { return nil }
    let rows = sources.flatMap(\.rows.rows)
    let keys = zip(sources.flatMap { $0.rows.vectors(of: $0.key) }, rows).map { $0.withoutNaN($1) }
    open = zip(keys, rows).map { $0.fallback?.intersection($1).nonEmpty }
    guard let aligned = AlignedVectors(keys, zip(rows, open).map { $0.subtracting($1) }) else {
      return nil
    }
    let chunks = zip(aligned.vectors, rows).map { $0.chunk($1, type) }
    let column = Column(.attribute(type), chunks: chunks, scale: aligned.scale(type))
    if kind.hasTexts {
      let texts = NumberedTexts(column, rows)
      (numbers, last) = (texts.codes, texts.count)
    } else {
      let cells = NumberedCells(column, rows)
      (numbers, last) = (cells.codes, cells.count)
    }
  }

  /// Numbers the combinations of several keys; returns nil if they do not fit into a word.
  fileprivate init?(_ keys: [JoinNumbers], _ rows: [Bitmap]) {
    guard let packed = NormalizedGroupKey(keys.map { GroupColumn($0.numbers, null: $0.last) }),
      case .stored(let slots, let count) = packed.slots(rows)
    else { return nil }
    (numbers, last) = (slots, UInt32(truncatingIfNeeded: count))
    open = rows.indices.map { chunk in keys.reduce(nil) { $0.union($1.open[chunk]) } }
  }
}

/// Some rows of a table, by chunk.
struct TableRows: Sendable {
  let table: Table
  let rows: [Bitmap]

  var chunks: [ChunkRows] {
    rows.enumerated().map { ChunkRows(table: table, number: $0, candidates: $1) }
  }

  /// Returns the values of a key for the rows.
  fileprivate func vectors(of key: any VectorNode) -> [Vector] {
    key.prepare()
    return Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      let rows = rows[number]
      if rows.isEmpty { return Vector.none(key.kind) }
      return key.vector(ChunkRows(table: table, number: number, candidates: rows))
    }
  }
}

extension Vector {
  /// Returns the vector with NaN, which does not equal itself, left to the reference evaluator.
  fileprivate func withoutNaN(_ rows: Bitmap) -> Vector {
    guard case .doubles(let lane) = values, !rows.isEmpty else { return self }
    return leaving(lane.rows(rows.count, where: \.isNaN))
  }
}

extension TableRows {
  /// Returns the row numbers of objects, with `none` for nil.
  fileprivate func objects(_ key: ObjectNode, none: UInt32) -> [[UInt32]] {
    Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      key.objects(ChunkRows(table: table, number: number, candidates: rows[number]))
        .map { $0 == noRow ? none : $0 }
    }
  }
}

/// The rows of a join by value, with the numbers of their keys.
private struct JoinedRows: Sendable {
  /// The numbers of the rows, by chunk.
  let numbers: [[UInt32]]
  /// The rows that are left to the reference evaluator.
  let open: [Bitmap?]
  /// The rows that a join would match with themselves, if it excludes them.
  let own: [Bitmap]?
  let values: Values

  enum Values {
    /// The aggregate for each number.
    case ofNumbers(Vector)
    /// The objects in the range of each row.
    case ofRows(SortedObjects)
  }
}

extension ValueJoin {
  /// The numbers of all keys; nil if an object's key is left to the reference evaluator.
  private var numbers: JoinNumbers? {
    guard let all = keys.mapAll({ JoinNumbers($0, objects, rows) }) else { return nil }
    let chunks = objects.rows + rows.rows
    let joined =
      switch all.count {
      case 0:
        JoinNumbers(
          numbers: chunks.map { Array(repeating: 0, count: $0.count) },
          open: chunks.map { _ in nil },
          last: 0)
      case 1: all[0]
      default: JoinNumbers(all, chunks)
      }
    guard let joined, joined.open[..<objects.rows.count].allSatisfy({ $0 == nil }) else {
      return nil
    }
    return joined
  }

  /// The joined rows; nil if all are left to the reference evaluator.
  fileprivate func joined(
    _ operation: SummaryNode.Operation, _ kind: VectorKind, _ inner: (any VectorNode)?
  ) -> JoinedRows? {
    guard let joined = numbers else { return nil }
    let (chunks, count) = (objects.rows.count, Int(joined.last) + 1)
    let values: JoinedRows.Values
    if let range {
      guard let objects = candidates,
        let sorted = SortedObjects(
          in: range, for: operation, of: inner, objects, rows.chunks, joined.numbers, count: count,
          cancel)
      else { return nil }
      values = .ofRows(sorted)
    } else {
      var aggregation = LinkAggregation(
        operation, kind, elements(joined.numbers[..<chunks], count: count), inner)
      aggregation.addAll()
      values = .ofNumbers(aggregation.vector)
    }
    return JoinedRows(
      numbers: Array(joined.numbers[chunks...]), open: Array(joined.open[chunks...]),
      own: excludesItself ? own(joined.numbers) : nil, values: values)
  }

  /// The objects that pass the filter, by chunk; nil if one is left to the reference evaluator.
  private var candidates: [ChunkRows]? {
    filter?.prepare()
    return objects.chunks.map { rows -> ChunkRows? in
      guard let answer = filter?.kernelAnswer(rows) else { return rows }
      let among = answer.among(rows.candidates)
      guard among.fallback?.isEmpty != false else { return nil }
      return ChunkRows(table: rows.table, number: rows.number, candidates: among.passing)
    }.unwrapped()
  }

  /// Returns the rows that are among the objects with their own keys. Both are rows of one table.
  private func own(_ numbers: [[UInt32]]) -> [Bitmap] {
    let chunks = objects.rows.count
    return Workers.map(count: chunks, inParallel: chunks > 2) { number in
      let (mine, others) = (numbers[number], numbers[chunks + number])
      var own = Bitmap(count: mine.count)
      objects.rows[number].eachRow { if mine[$0] == others[$0] { own.insert($0) } }
      if let filter {
        let rows = ChunkRows(table: objects.table, number: number, candidates: own)
        own.formIntersection(filter.kernelAnswer(rows).passing)
      }
      return own
    }
  }

  /// Returns the objects as those of a to-many relationship of their numbers.
  private func elements(
    _ numbers: ArraySlice<[UInt32]>, count: Int
  ) -> SummaryNode.Elements {
    let links = zip(objects.rows, numbers).map { objects, numbers in
      var links = [UInt32](repeating: noRow, count: objects.count)
      objects.eachRow { links[$0] = numbers[$0] }
      return ColumnChunk(.links(links))
    }
    var there = objects.table
    there.columns.append(Column(.toOne(destination: 0), chunks: links))
    let owners = Table(
      layout: there.layout, columns: [], identifiers: .dense(first: 1, count: count))
    return SummaryNode.Elements(
      link: .toMany(.inverse(column: there.columns.count - 1)), here: owners, there: there,
      count: there.count, cancel: cancel, filter: filter)
  }
}

/// An aggregate of the objects of a join by value.
struct JoinedNode: VectorNode {
  let kind: VectorKind
  let linksForAll: Double
  let cost: Double
  private let joined: LazyValue<JoinedRows?>

  init?(_ operation: SummaryNode.Operation, _ join: ValueJoin, _ inner: (any VectorNode)?) {
    guard let kind = SummaryNode.kind(operation, inner?.kind),
      operation == .count && join.range == nil || !join.excludesItself,
      join.range?.allows(operation, inner?.kind) != false
    else { return nil }
    self.kind = kind
    cost = join.range?.cost ?? 3
    // The reference evaluator visits all objects even for one row.
    linksForAll = Double(join.objects.table.count) * Double(join.rows.table.count)
    joined = LazyValue { join.joined(operation, kind, inner) }
  }

  var neverFallsBack: Bool { false }
  /// Does not join yet: there may be no candidates left when the node is used.
  func prepare() {}

  func vector(_ rows: ChunkRows) -> Vector {
    // A chunk in which all objects were deleted has no numbers.
    guard let joined = joined.value, joined.numbers[rows.number].count == rows.count
    else { return .unknown(kind, rows.count) }
    let numbers = joined.numbers[rows.number]
    var result =
      switch joined.values {
      case .ofNumbers(let values): values.gathered(ChunkCodes(.numbers(numbers), last: .max))
      case .ofRows(let objects): objects.vector(rows, numbers)
      }
    result.fallback = result.fallback.union(joined.open[rows.number])
    if let own = joined.own?[rows.number], case .integers(.each(var counts)) = result.values {
      own.eachRow { counts[$0] -= 1 }
      result.values = .integers(.each(counts))
    }
    return result
  }
}

// The first or last object of a join by value
extension FilterCompiler {
  /// Compiles `SUBQUERY((fetch Order sort day desc), $o, $o.city == city)[FIRST].qty`; returns nil for other
  /// expressions.
  mutating func joinedElement(
    _ list: ExpressionTree, _ index: IndexKind, _ key: KeyPathTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard index == .first || index == .last, case .subquery = list.kind,
      let found = related(list, scope), case .equalKeys(let join) = found.link,
      let values = vector(ExpressionTree(.keyPath(key)), of: found)
    else { return nil }
    let objects = join.objects.table
    let places = LazyValue {
      // Without an order, the rows are ascending.
      var places = (0..<objects.count).map { Int64($0) }
      for (place, row) in (found.order ?? []).enumerated() { places[Int(row)] = Int64(place) }
      return places
    }
    let place = ComputedNode(.integer, [], cost: 1) { _, rows in
      let first = rows.number << ColumnChunk.shift
      return Vector(.integers(.each(Array(places.value[first..<(first + rows.count)]))))
    }
    return JoinedNode(index == .first ? .min : .max, join, place)
      .map { JoinedElementNode(place: $0, order: found.order, values, objects) }
  }
}

/// A value of the object at a place in the order of a fetch.
private struct JoinedElementNode: VectorNode {
  let place: JoinedNode
  /// The rows of the objects in order; nil if they are ascending.
  let order: [UInt32]?
  let kind: VectorKind
  /// The values of all objects, then nil.
  private let values: LazyValue<Vector>
  private let last: UInt32

  init(place: JoinedNode, order: [UInt32]?, _ inner: any VectorNode, _ objects: Table) {
    (self.place, self.order, kind) = (place, order, inner.kind)
    last = UInt32(truncatingIfNeeded: objects.count)
    values = LazyValue { inner.whole(objects).adding(.null, inner.kind).knowingOddTexts }
  }

  var cost: Double { place.cost + 3 }
  var linksForAll: Double { place.linksForAll }
  var neverFallsBack: Bool { false }
  /// Does not join yet: there may be no candidates left when the node is used.
  func prepare() {}

  func vector(_ rows: ChunkRows) -> Vector {
    let places = place.vector(rows)
    guard case .integers(let lane) = places.values else { return .unknown(kind, rows.count) }
    var objects = [UInt32](repeating: noRow, count: rows.count)
    rows.candidates.eachRow { row in
      if places.nulls?.has(row) == true || places.fallback?.has(row) == true { return }
      let place = Int(lane[row])
      objects[row] = order.map { $0[place] } ?? UInt32(truncatingIfNeeded: place)
    }
    var result = values.value.gathered(ChunkCodes(.numbers(objects), last: last))
    result.fallback = result.fallback.union(places.fallback)
    return result
  }
}
