import KuraGraph
import KuraModel
import KuraValues
import Synchronization

/// The present state of the graph, from which the objects in variables are read.
///
/// A variable keeps objects by identity. If it kept a snapshot, every later change would copy the
/// chunks that the two share.
final class LiveGraph: Sendable {
  private let present = Mutex<GraphSnapshot?>(nil)

  var snapshot: GraphSnapshot? {
    get { present.withLock { $0 } }
    set { present.withLock { $0 = newValue } }
  }
}

/// An object by its identity alone.
struct LiveObject: KeyReadable {
  let id: ObjectID
  let graph: LiveGraph

  var objectID: ObjectID? { id }

  /// The value that the object has now; null if it is gone.
  func value(forKey key: String) throws -> Value {
    guard let snapshot = graph.snapshot, let place = snapshot.graph.find(id) else { return .null }
    return try snapshot.object(table: place.table, row: place.row).value(forKey: key)
  }
}

extension LiveGraph {
  /// The value with its objects by identity alone.
  func detached(_ value: Value) -> Value {
    switch value {
    case .object(let reference):
      reference.id.map { .object(ObjectReference(LiveObject(id: $0, graph: self))) } ?? value
    case .list(let values): .list(values.map(detached))
    case .set(let values): .set(ValueSet(distinct: values.elements.map(detached)))
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .dictionary:
      value
    }
  }
}

extension LiveGraph {
  /// The value with the numbers that objects have now.
  func renumbered(_ value: Value, _ renumbering: Renumbering) -> Value {
    switch value {
    case .object(let reference):
      reference.id.map {
        .object(ObjectReference(LiveObject(id: renumbering($0), graph: self)))
      } ?? value
    case .list(let values): .list(values.map { renumbered($0, renumbering) })
    case .set(let values):
      .set(ValueSet(distinct: values.elements.map { renumbered($0, renumbering) }))
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .dictionary:
      value
    }
  }
}

extension Value {
  /// Whether it is a list with nothing in it but objects.
  var holdsOnlyObjects: Bool {
    guard case .list(let values) = self else { return false }
    return values.allSatisfy { if case .object = $0 { true } else { false } }
  }

  /// The objects in it.
  var objects: [ObjectID] {
    switch self {
    case .object(let reference): reference.id.map { [$0] } ?? []
    case .list(let values): values.flatMap(\.objects)
    case .set(let values): values.elements.flatMap(\.objects)
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .dictionary:
      []
    }
  }

  /// Whether it is an object or a collection of some.
  var holdsObjects: Bool {
    switch self {
    case .object: true
    case .list(let values): values.contains(where: \.holdsObjects)
    case .set(let values): values.elements.contains(where: \.holdsObjects)
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .dictionary:
      false
    }
  }
}

extension Value {
  /// The value with its objects under the new name of their entity.
  func renamed(_ entity: String, to name: String, in model: Model) -> Value {
    switch self {
    case .object(let reference):
      guard let id = reference.id, let live = reference.reader as? LiveObject else { return self }
      let own = id.entity == entity ? name : id.entity
      let renamed = ObjectID(entity: own, root: model.root(of: own), number: id.number)
      return .object(ObjectReference(LiveObject(id: renamed, graph: live.graph)))
    case .list(let values): return .list(values.map { $0.renamed(entity, to: name, in: model) })
    case .set(let values):
      return .set(
        ValueSet(distinct: values.elements.map { $0.renamed(entity, to: name, in: model) }))
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .dictionary:
      return self
    }
  }
}
