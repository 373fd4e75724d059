import KuraGraph
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

  /// The object of an identity, be it there or not.
  func object(_ id: ObjectID) -> Value { .object(ObjectReference(LiveObject(id: id, graph: self))) }

  /// The value with its objects by identity alone.
  func detached(_ value: Value) -> Value {
    value.mapObjects { reference in
      reference.id.map(object) ?? .object(reference)
    }
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

extension Value {
  /// Whether it is a list with nothing in it but objects.
  var holdsOnlyObjects: Bool {
    guard case .list(let values) = self else { return false }
    return values.allSatisfy(\.isObject)
  }

  var isObject: Bool { if case .object = self { true } else { false } }
}
