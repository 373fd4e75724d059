import KuraBytes
import KuraDiagnostics
package import KuraGraph
package import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues
import Synchronization

/// Tables that contain a row for each element at a path, such as `fetch Category.items`. Each table has its own entity.
///
///     let tables = ElementTables { json in try StoreReader(json).read().graph }
///     try tables.snapshot(graph, with: ElementPath(entity: "Order", keys: [KeyComponent("lines")]))
///
/// The rows have the keys of the elements. `value` is an element that is not an object. `owner` is the object from which
/// the path starts; `element` is the object itself if the path ends at a relationship, and `key` the key of a value in a
/// JSON object. After `@allValues`, `keys` has the keys of those values too. The last tables are cached until the data
/// changes.
package final class ElementTables: Sendable {
  /// Reads a JSON array as the rows of one entity.
  private let read: @Sendable ([UInt8]) throws -> Graph
  private let known = Mutex<[ElementTable]>([])

  package init(_ read: @escaping @Sendable ([UInt8]) throws -> Graph) { self.read = read }

  private static let mostKnown = 4
}

/// The rows of the elements at a path, for one state of the data.
private struct ElementTable: Sendable {
  let path: ElementPath
  let state: [TableState]
  let entity: Entity
  let columns: [Column]
  let count: Int
}

extension ElementTables {
  /// Returns the data with a table of the elements at a path.
  package func snapshot(
    _ snapshot: GraphSnapshot, with path: ElementPath
  ) throws(ElementPath.Problem) -> GraphSnapshot {
    guard snapshot.graph.model[path.elementEntity] == nil else { return snapshot }
    let table = try table(path, snapshot.graph)
    return GraphSnapshot(
      snapshot.graph.addingElements(table.entity, table.columns, count: table.count))
  }

  /// Returns the model with the entity of the elements at a path, for a check while a statement is being typed; nil if
  /// there are no elements, or so many that the user would have to wait.
  package func model(_ snapshot: GraphSnapshot, with path: ElementPath) -> Model? {
    let graph = snapshot.graph
    guard let steps = try? path.steps(in: graph.model) else { return nil }
    let isShort = graph.objectCount(of: path.entity) <= Self.mostWhileTyping
    guard isShort || known(path, states(of: path, steps, graph)) != nil else { return nil }
    return try? self.snapshot(snapshot, with: path).graph.model
  }

  private static let mostWhileTyping = 10_000

  private func known(_ path: ElementPath, _ state: [TableState]) -> ElementTable? {
    known.withLock { $0.first { $0.path == path && $0.state == state } }
  }

  /// Returns the states of all tables on which the elements depend.
  private func states(
    of path: ElementPath, _ steps: ElementPath.Steps, _ graph: Graph
  ) -> [TableState] {
    let entities =
      steps.relationships.map(\.entity) + [path.entity, steps.destination]
    let places = Set(entities.compactMap { graph.place(of: $0)?.table }).sorted()
    return places.map { TableState(graph.tables[$0], at: $0) }
  }

  private func table(
    _ path: ElementPath, _ graph: Graph
  ) throws(ElementPath.Problem) -> ElementTable {
    let steps = try path.steps(in: graph.model)
    let state = states(of: path, steps, graph)
    if let old = known(path, state) { return old }
    let made = ElementTable(path, steps, graph, state, read)
    known.withLock { known in
      known.removeAll { $0.path == path }
      known.append(made)
      if known.count > Self.mostKnown { known.removeFirst() }
    }
    return made
  }
}

extension ElementTable {
  init(
    _ path: ElementPath, _ steps: ElementPath.Steps, _ graph: Graph, _ state: [TableState],
    _ read: ([UInt8]) throws -> Graph
  ) {
    (self.path, self.state) = (path, state)
    let place = graph.place(of: path.entity)?.table ?? 0
    var rows = ElementRows(name: path.elementEntity)
    switch graph.elements(at: steps, of: path.entity) {
    case .objects(let owners, let found):
      rows.add(objects: found, of: steps.destination, graph)
      rows.add(links: owners, to: path.entity, place, named: "owner")
      let there = graph.place(of: steps.destination)?.table ?? 0
      rows.add(links: found, to: steps.destination, there, named: "element")
      count = found.count
    case .json(let elements, let owners):
      // The JSON of a store has been checked.
      if let graph = try? read(elements.array) { rows.add(rowsOf: graph) }
      rows.add(keys: elements.keys)
      rows.add(outerKeys: elements.outerKeys)
      rows.add(links: owners, to: path.entity, place, named: "owner")
      count = owners.count
    }
    (entity, columns) = (rows.entity, rows.columns)
  }
}

/// The entity of elements, and its columns in the order of its keys.
private struct ElementRows {
  private(set) var entity: Entity
  private var attributes: [Column] = []
  private var links: [Column] = []

  init(name: String) { entity = Entity(name: name) }

  var columns: [Column] { attributes + links }
}

extension ElementRows {
  /// Adds attributes and to-one relationships of objects.
  mutating func add(objects rows: [UInt32], of name: String, _ graph: Graph) {
    guard let place = graph.place(of: name) else { return }
    let table = graph.tables[place.table]
    let model = graph.model
    var wanted: [(key: String, column: Int)] = []
    for attribute in model.allAttributes(of: name) {
      guard case .attribute(let column, let type)? = table.layout.slots[place.code][attribute.name]
      else { continue }
      entity.attributes.append(Attribute(name: attribute.name, type: type, isOptional: true))
      wanted.append((attribute.name, column))
    }
    let attributeCount = wanted.count
    for relationship in model.allRelationships(of: name) {
      guard case .toOne(let column, _)? = table.layout.slots[place.code][relationship.name] else {
        continue
      }
      entity.relationships.append(
        Relationship(name: relationship.name, destination: relationship.destination))
      wanted.append((relationship.name, column))
    }
    let all = wanted
    let gathered = Workers.map(count: all.count, inParallel: rows.count > 4096) {
      table.columns[all[$0].column].gathered(rows)
    }
    attributes += gathered.prefix(attributeCount)
    links += gathered.dropFirst(attributeCount)
  }

  /// Adds the attributes of the only entity of a graph.
  mutating func add(rowsOf graph: Graph) {
    guard let read = graph.model.entities.first, let table = graph.tables.first else { return }
    entity.attributes += read.attributes
    attributes += table.columns
  }

  /// Adds the keys of values in JSON objects, if there are any.
  mutating func add(keys: [String?]) {
    guard keys.contains(where: { $0 != nil }) else { return }
    add("key", .string, keys.map { $0.map { .text($0) } ?? .null })
  }

  /// Adds the keys of the values that `@allValues` passes, as JSON lists, if there are any.
  mutating func add(outerKeys: [[String]]) {
    guard outerKeys.contains(where: { !$0.isEmpty }) else { return }
    add("keys", .json, outerKeys.map { StoredCell(.list($0.map(Value.string)), as: .json) })
  }

  private mutating func add(_ name: String, _ type: AttributeType, _ cells: [StoredCell]) {
    var column = Column(.attribute(type))
    for cell in cells { column.append(cell) }
    entity.attributes.append(Attribute(name: free(name), type: type, isOptional: true))
    attributes.append(column)
  }

  mutating func add(links rows: [UInt32], to destination: String, _ table: Int, named name: String)
  {
    entity.relationships.append(Relationship(name: free(name), destination: destination))
    links.append(Column(links: rows, to: table))
  }

  /// Returns a name that the elements do not have as a key.
  private func free(_ name: String) -> String {
    name.unless(in: Set(entity.attributes.map(\.name) + entity.relationships.map(\.name)))
  }
}
