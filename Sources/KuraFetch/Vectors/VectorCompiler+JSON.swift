import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A list in the JSON of each row of a table.
struct JSONList: Sendable {
  let column: Column
  /// The path to the values in its elements.
  let keys: JSONKeys
  /// The entity of the rows, and its place.
  let entity: String
  let place: EntityPlace

  /// A key that leads from an element to its row; no element has it.
  static let owner = KeyComponent("\u{0}owner")

  /// Returns the values at steps from each element.
  func path(_ steps: [JSONKeys.Step]) -> JSONKeys {
    JSONKeys(keys.steps + steps, elementsOf: keys.list)
  }

  func keyed(_ chunk: Int) -> KeyedJSON? { column.chunks[chunk].keyedJSON(keys) }

  /// The number of all elements.
  var count: Int {
    let chunks = column.chunks.count
    return Workers.map(count: chunks, inParallel: chunks > 1) { Int(keyed($0)?.ends?.last ?? 0) }
      .reduce(0, +)
  }
}

extension KeyedJSON {
  /// Returns the row of each element, counted from a first one; nil if each row has one value.
  func rowsOfElements(from first: Int = 0) -> [UInt32]? {
    guard let ends else { return nil }
    var rows: [UInt32] = []
    rows.reserveCapacity(Int(ends.last ?? 0))
    for (row, end) in ends.enumerated() {
      while rows.count < end { rows.append(UInt32(truncatingIfNeeded: first + row)) }
    }
    return rows
  }
}

// Paths in nested JSON
extension FilterCompiler {
  /// Returns the column and the path of `payload.user.age` or `tags[0]`; nil for other trees.
  func jsonPath(
    _ tree: ExpressionTree, _ scope: FilterScope
  ) -> (column: Column, path: JSONKeys)? {
    guard let steps = tree.jsonSteps, steps.count <= JSONKeys.most else { return nil }
    if let list = scope.list { return (list.column, list.path(steps)) }
    let table = graph.tables[scope.place.table]
    guard let key = tree.head,
      case .attribute(let column, .json)? = graph.slot(key, of: scope.place)
    else { return nil }
    return (table.columns[column], JSONKeys(Array(steps.dropFirst())))
  }

  /// Returns the elements of a list in JSON, `order.lines`; nil for other expressions, and for lists in elements.
  ///
  /// - Parameter list: the list on the path. After it, the path leads to values in the elements.
  func listed(
    _ tree: ExpressionTree, _ scope: FilterScope, _ list: (JSONKeys) -> JSONKeys.List
  ) -> RelatedObjects? {
    guard scope.list == nil, let (column, path) = jsonPath(tree, scope) else { return nil }
    let list = JSONList(
      column: column, keys: JSONKeys(path.steps, elementsOf: list(path)), entity: scope.entity,
      place: scope.place)
    // The elements have no columns. Their paths are read from the list.
    let name = "elements".unless(in: Set(graph.model.entities.map(\.name)))
    let graph = graph.addingElements(Entity(name: name), [], count: 0)
    guard let place = graph.place(of: name) else { return nil }
    let here = graph.tables[scope.place.table]
    return RelatedObjects(
      link: .relationship(
        SummaryNode.Elements(
          link: .json(list), here: here, there: graph.tables[place.table], count: list.count,
          cancel: environment.cancel)),
      scope: FilterScope(entity: name, place: place, list: list), owner: JSONList.owner,
      compiler: FilterCompiler(graph: graph, environment: environment))
  }

  /// Compiles a path in an element: a path of the element, or after `JSONList.owner` one of its row.
  mutating func path(_ path: KeyPathTree, of list: JSONList, _ scope: FilterScope) -> (
    any VectorNode
  )? {
    guard path.base == nil, path.components.first == JSONList.owner else {
      return jsonPath(ExpressionTree(.keyPath(path)), scope)
        .flatMap { JSONPathNode($0.column, $0.path) }
    }
    let rest = KeyPathTree(Array(path.components.dropFirst()))
    let table = graph.tables[list.place.table]
    return vector(
      ExpressionTree(.keyPath(rest)), FilterScope(entity: list.entity, place: list.place)
    ).map { OwnerNode(inner: $0, list: list, table: table) }
  }

  /// Compiles `payload.user == nil`; lists and objects are known to be values.
  mutating func jsonNullLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.right.literal?.isNull == true,
      let (column, path) = jsonPath(comparison.left, scope),
      let kernel = JSONNullKernel(column, path, comparison.operation)
    else { return nil }
    return node(predicate, .kernel(kernel))
  }

  /// Compiles `tags CONTAINS "mail"` as `ANY tags == "mail"`, unless the values are texts, which can contain one.
  mutating func jsonMembershipLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.operation == .contains, let literal = comparison.right.literal,
      !literal.isNull, literal.elements == nil,
      let (column, path) = jsonPath(comparison.left, scope),
      JSONPathNode(column, path) == nil
    else { return nil }
    var inner = comparison
    (inner.modifier, inner.operation) = (.any, .equal)
    return jsonElementsLeaf(inner, predicate, scope)
  }

  /// Compiles `payload.temperature != 0`, `payload.zip IN {"1", "2"}`: a number and a text are never equal. Their order
  /// is left to the evaluator, which warns about it.
  mutating func jsonLiteralLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard [.equality, .membership].contains(comparison.operation.family),
      let isText = comparison.right.literal?.isText,
      let (column, path) = jsonPath(comparison.left, scope),
      // Booleans equal the numbers 0 and 1.
      let node = JSONPathNode(column, path), node.kind != .boolean
    else { return nil }
    let inner = vectorKernel(comparison, predicate, left: node, scope)
    guard inner != nil || (node.kind == .text) != isText else { return nil }
    return self.node(
      predicate,
      .kernel(
        JSONLiteralKernel(
          kernel: inner, column: column, path: path, isText: isText,
          isNotEqual: comparison.operation == .notEqual)))
  }

  /// Compiles `ANY payload.tags == "mail"`
  mutating func jsonElementsLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    // Elements have other places than the row's own values.
    guard comparison.right.literal != nil, case .keyPath(let path) = comparison.left.kind,
      path.base == nil, scope.list == nil, let (column, steps) = jsonPath(comparison.left, scope),
      case let keys = JSONKeys(steps.steps, elementsOf: .first),
      let elements = JSONPathNode(column, keys)
    else { return nil }
    var inner = comparison
    inner.modifier = .direct
    guard let kernel = vectorKernel(inner, predicate, left: elements, scope) else { return nil }
    return node(
      predicate,
      .kernel(JSONElementsKernel(kernel, column, keys, isAll: comparison.modifier == .all)))
  }
}

extension Value {
  /// Whether it is a text or a list of texts; nil unless it is one of these, a number or a list of numbers.
  fileprivate var isText: Bool? {
    switch self {
    case .string: return true
    case .integer, .double, .decimal: return false
    case .list, .set:
      let elements = elements ?? []
      let kinds = Set(elements.map { $0.elements == nil ? $0.isText : nil })
      return kinds.count == 1 ? kinds.first ?? nil : nil
    case .null, .boolean, .date, .uuid, .uri, .binary, .dictionary, .object: return nil
    }
  }
}

/// A value of the row to which each element of a list belongs.
private struct OwnerNode: VectorNode {
  let inner: any VectorNode
  let list: JSONList
  let table: Table

  var parts: [any VectorNode] { [inner] }
  var kind: VectorKind { inner.kind }
  var cost: Double { inner.cost + 1 }

  func vector(_ rows: ChunkRows) -> Vector {
    guard let keyed = list.keyed(rows.number), let owners = keyed.rowsOfElements(),
      owners.count == rows.count, let count = keyed.ends?.count
    else { return .unknown(kind, rows.count) }
    let all = Bitmap(count: count, filledWith: true)
    return inner.vector(ChunkRows(table: table, number: rows.number, candidates: all))
      .gathered(ChunkCodes(.numbers(owners), last: .max))
  }
}

extension JSONKeys {
  /// Longer paths are rare.
  fileprivate static let most = 16
}

extension ExpressionTree {
  /// The key with which `payload.users[0].name` begins.
  fileprivate var head: KeyComponent? {
    switch kind {
    case .keyPath(let path): path.base.map(\.head) ?? path.components.first
    case .index(let list, _): list.head
    default: nil
    }
  }

  /// The steps of `payload.users[0].name`; none for SELF, and nil if a component is neither a key nor a constant index.
  fileprivate var jsonSteps: [JSONKeys.Step]? {
    switch kind {
    case .evaluatedObject: return []
    case .keyPath(let path):
      guard path.components.allSatisfy({ $0.kind == .key }) else { return nil }
      let keys = path.components.map(\.name)
      let rest = keys.dropFirst(path.base == nil ? 1 : 0)
      // For lists these are the size, and any value has itself.
      guard let before = path.base.map(\.jsonSteps) ?? keys.first.map({ [.key($0)] }),
        !rest.contains(where: { $0 == "self" || KeyComponent.namesOfSize.contains($0) })
      else { return nil }
      return before + rest.map { .key($0) }
    case .index(let list, let index):
      guard let steps = list.jsonSteps else { return nil }
      switch index {
      case .first: return steps + [.element(0)]
      case .last: return steps + [.lastElement]
      case .at(let index):
        guard case .integer(let number)? = index.literal, 0..<Int64(Int32.max) ~= number else {
          return nil
        }
        return steps + [.element(Int(number))]
      case .size: return nil
      }
    default: return nil
    }
  }
}
