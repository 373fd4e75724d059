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
  func detached(_ value: Value) -> Value { renamed(value) { $0 } }

  /// The value with the numbers that objects have now.
  func renumbered(_ value: Value, _ renumbering: Renumbering) -> Value {
    renamed(value) { renumbering($0) }
  }

  private func renamed(_ value: Value, _ name: (ObjectID) -> ObjectID) -> Value {
    value.mapObjects { reference in
      guard let id = reference.id else { return .object(reference) }
      return .object(ObjectReference(LiveObject(id: name(id), graph: self)))
    }
  }
}

extension Value {
  /// Whether it is a list with nothing in it but objects.
  var holdsOnlyObjects: Bool {
    guard case .list(let values) = self else { return false }
    return values.allSatisfy { if case .object = $0 { true } else { false } }
  }

  /// The value with its objects under the new name of their entity.
  func renamed(_ entity: String, to name: String, in model: Model) -> Value {
    mapObjects { reference in
      guard let id = reference.id, let live = reference.reader as? LiveObject else {
        return .object(reference)
      }
      let own = id.entity == entity ? name : id.entity
      let renamed = ObjectID(entity: own, root: model.root(of: own), number: id.number)
      return .object(ObjectReference(LiveObject(id: renamed, graph: live.graph)))
    }
  }
}
