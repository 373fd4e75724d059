import KuraGraph
import KuraValues
import Synchronization

/// The current state of the graph, from which objects in variables are read.
///
/// A variable stores objects by identity. If it stored a snapshot, every later change would copy
/// the chunks that the two share.
final class LiveGraph: Sendable {
  private let present = Mutex<GraphSnapshot?>(nil)

  var snapshot: GraphSnapshot? {
    get { present.withLock { $0 } }
    set { present.withLock { $0 = newValue } }
  }

  /// Returns the object of an identity, whether or not it exists.
  func object(_ id: ObjectID) -> Value { .object(ObjectReference(LiveObject(id: id, graph: self))) }

  /// Returns the value with its objects by identity only.
  func detached(_ value: Value) -> Value {
    value.mapObjects { reference in
      reference.id.map(object) ?? .object(reference)
    }
  }
}

/// An object by its identity only.
struct LiveObject: KeyReadable {
  let id: ObjectID
  let graph: LiveGraph

  var objectID: ObjectID? { id }

  /// Returns the current value; null if the object no longer exists.
  func value(forKey key: String) throws -> Value {
    guard let snapshot = graph.snapshot, let place = snapshot.graph.find(id) else { return .null }
    return try snapshot.object(table: place.table, row: place.row).value(forKey: key)
  }
}

extension Value {
  /// Whether it is a list that contains only objects.
  var holdsOnlyObjects: Bool {
    guard case .list(let values) = self else { return false }
    return values.allSatisfy(\.isObject)
  }

  var isObject: Bool { if case .object = self { true } else { false } }
}
