import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The dependencies of a fetch's answer beyond its objects' own values: the keys that its paths read after
/// relationships.
struct FetchDependencies: Sendable {
  private(set) var paths: Set<WatchedPath> = []
  /// The keys of the objects that the fetch shows.
  private(set) var shownKeys: Set<String> = []
  /// Whether it depends on more than paths from the object, so that every change may affect every object.
  private(set) var isBoundless = false
}

/// Relationships from the fetched objects, and the key that is read at their end.
struct WatchedPath: Sendable, Hashable {
  var hops: [WatchedHop] = []
  /// The key; nil if only the objects are read, as in `items.@count`.
  var key: String?
  /// Whether the fetch shows the value.
  var isShown = false
}

/// A relationship in a path.
struct WatchedHop: Sendable, Hashable {
  /// The entity that has the key.
  let entity: String
  let key: KeyComponent
}

/// The relationships that lead from the fetched objects to those at which a path may begin.
private typealias Origin = [WatchedHop]

extension FetchDependencies {
  mutating func note(_ predicate: PredicateTree) {
    note(.predicate(predicate), Scope(isShown: false))
  }

  mutating func note(_ expression: ExpressionTree, isShown: Bool = false) {
    note(.expression(expression), Scope(isShown: isShown))
  }

  private struct Scope {
    let isShown: Bool
    /// The objects of SUBQUERYs' variables.
    var variables: [String: Set<Origin>] = [:]
  }

  private mutating func note(_ node: TreeNode, _ scope: Scope) {
    var dependencies = self
    defer { self = dependencies }
    node.descending {
      if case .expression(let tree) = node { return _ = dependencies.origins(of: tree, scope) }
      node.forEachChild { part, _ in dependencies.note(part, scope) }
    }
  }
}

extension FetchDependencies {
  /// Returns the objects that an expression may have; nil if unknown or none.
  private mutating func origins(of tree: ExpressionTree, _ scope: Scope) -> Set<Origin>? {
    switch tree.kind {
    case .evaluatedObject: return [[]]
    case .variable(let name): return scope.variables[name]
    case .keyPath(let path): return origins(of: path, scope)
    case .index(let inner, let place):
      if case .at(let index) = place { _ = origins(of: index, scope) }
      return origins(of: inner, scope)
    case .subquery(let collection, let variable, let predicate):
      let elements = origins(of: collection, scope)
      var inside = scope
      inside.variables[variable] = elements
      note(.predicate(predicate), inside)
      return elements
    case .mapped(let collection, let variable, let inner):
      var inside = scope
      inside.variables[variable] = origins(of: collection, scope)
      return origins(of: inner, inside)
    case .ternary(let condition, let one, let other):
      note(.predicate(condition), scope)
      return union(origins(of: one, scope), origins(of: other, scope))
    case .setOperation(_, let one, let other):
      return union(origins(of: one, scope), origins(of: other, scope))
    case .constant: return nil
    case .function, .aggregate, .predicate:
      if case .function(let call) = tree.kind, call.depends(on: .chance) { isBoundless = true }
      TreeNode.expression(tree).forEachChild { part, _ in note(part, scope) }
      return nil
    case .message, .indexAfterDot, .assignment, .anyKey, .objectOrQuotient, .fetch:
      isBoundless = true
      return nil
    }
  }

  private func union(_ a: Set<Origin>?, _ b: Set<Origin>?) -> Set<Origin>? {
    guard let a, let b else { return nil }
    return a.union(b)
  }

  private mutating func origins(of path: KeyPathTree, _ scope: Scope) -> Set<Origin>? {
    var places: Set<Origin> = [[]]
    if let base = path.base {
      guard let known = origins(of: base, scope) else {
        isBoundless = true
        return nil
      }
      places = known
    }
    for component in path.components where component.kind != .collectionOperator {
      guard component.kind == .key else {
        isBoundless = true
        return nil
      }
      if component.resolved == nil, component.name.lowercased() == "self" { continue }
      guard let next = step(places, component, scope) else { return nil }
      places = next
    }
    for place in places { add(place, nil, scope) }
    return places
  }

  /// Returns the objects to which a key leads; nil if it is not a relationship, and the path ends.
  private mutating func step(
    _ places: Set<Origin>, _ key: KeyComponent, _ scope: Scope
  ) -> Set<Origin>? {
    for place in places { add(place, key.name, scope) }
    guard let here = key.resolved else {
      // The entity of the objects is unknown.
      if key.resolution == nil { isBoundless = true }
      return nil
    }
    if here.property.isAttribute { return nil }
    return Set(places.map { $0 + [WatchedHop(entity: here.entity, key: key)] })
  }

  private mutating func add(_ place: Origin, _ key: String?, _ scope: Scope) {
    guard !place.isEmpty else {
      if scope.isShown, let key { shownKeys.insert(key) }
      return
    }
    paths.insert(WatchedPath(hops: place, key: key, isShown: scope.isShown))
  }
}

/// The objects of a fetch that a change affects: the changed ones, and those from which the fetch's paths lead to
/// changed ones.
struct TouchedRows {
  /// The affected objectIDs, with their changed keys that are shown.
  private(set) var keys: [Int64: Set<String>] = [:]
  private let graph: Graph
  private let table: Int

  init(_ touched: TouchedKeys, inTable table: Int, _ paths: Set<WatchedPath>, of graph: Graph) {
    (self.graph, self.table) = (graph, table)
    for (number, keys) in touched.tables[table] ?? [:] { self.keys[number] = own(keys, number) }
    for path in paths { follow(path, touched) }
  }

  private func own(_ keys: TouchedKeys.Keys, _ number: Int64) -> Set<String> {
    switch keys {
    case .some(let keys): keys
    // It may have changed its entity; otherwise it was inserted or deleted, and its keys are not used.
    case .all:
      graph.identity(of: number, inTable: table).map { Set(graph.model.keys(of: $0.entity)) } ?? []
    }
  }
}

extension TouchedRows {
  /// Follows a path from its end back to its beginning, through inverses.
  private mutating func follow(_ path: WatchedPath, _ touched: TouchedKeys) {
    let hops = path.hops.compactMap { ResolvedHop($0, graph) }
    guard hops.count == path.hops.count else { return }
    var rows: Set<Int> = []
    for (i, hop) in hops.enumerated().reversed() {
      let key = i + 1 < hops.count ? path.hops[i + 1].key.name : path.key
      rows.formUnion(changed(touched.tables[hop.destination] ?? [:], key, hop.destination))
      rows = Set(rows.flatMap { graph.sources(hop.slot, hop.table, of: $0) })
    }
    for row in rows {
      let number = graph.tables[table].identifiers[row]
      keys[number, default: []].formUnion(path.isShown ? [path.text] : [])
    }
  }

  /// Returns the rows with another value of a key, and those inserted or deleted.
  private func changed(
    _ touched: [Int64: TouchedKeys.Keys], _ key: String?, _ table: Int
  ) -> [Int] {
    touched.compactMap { number, keys in
      let isChanged =
        switch keys {
        case .all: true
        case .some(let keys): key.map(keys.contains) ?? false
        }
      return isChanged ? graph.tables[table].identifiers.row(of: number) : nil
    }
  }
}

/// A relationship as the graph stores it.
private struct ResolvedHop {
  let slot: KeySlot
  let table: Int
  let destination: Int

  init?(_ hop: WatchedHop, _ graph: Graph) {
    guard let place = graph.place(of: hop.entity),
      let slot = graph.slot(hop.key, of: place),
      let destination = graph.destination(slot)
    else { return nil }
    (self.slot, table, self.destination) = (slot, place.table, destination)
  }
}

extension WatchedPath {
  /// `parentCategory.name`
  var text: String { (hops.map(\.key.name) + [key].compactMap(\.self)).joined(separator: ".") }
}

extension Graph {
  /// Returns an object by its number, even if deleted; nil if the table never contained it.
  func identity(of number: Int64, inTable table: Int) -> ObjectID? {
    tables[table].identifiers.row(of: number).map(tables[table].objectID)
  }
}
