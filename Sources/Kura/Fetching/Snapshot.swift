import KuraGraph
public import KuraModel
public import KuraPredicates
public import KuraValues

/// The objects of a context as they were at one moment, to be read from anywhere.
///
///     let snapshot = context.snapshot
///     async let open = Task { try snapshot.count(FetchRequest("Item", where: "done == NO")) }.value
///
/// It shares its data with the context until that changes.
public struct Snapshot: Sendable {
  var reader: GraphReader

  init(_ reader: GraphReader) { self.reader = reader }

  /// The model of its objects.
  public var model: Model { reader.model }

  /// Where and when requests and the expressions of its objects are evaluated: at first as in its context.
  ///
  /// Setting it takes under a millisecond.
  public var environment: PredicateEnvironment {
    get { reader.surroundings.environment }
    set { reader.surroundings = SharedSurroundings(newValue) }
  }

  /// The object of an identity; nil if there is none. Constant, or logarithmic in the objects of its
  /// entity.
  public func object(_ id: ObjectID) -> ObjectSnapshot? {
    guard let id = reader.snapshot.graph.present(id), let place = reader.snapshot.graph.find(id)
    else { return nil }
    return ObjectSnapshot(
      reader.snapshot.object(table: place.table, row: place.row), id, reader)
  }
}

/// An object as it was at one moment.
///
///     try snapshot.fetch(FetchRequest("Item"))[0]["title"]   // string("掃除")
public struct ObjectSnapshot: StoredObject {
  /// Its identity.
  public let id: ObjectID
  let object: GraphObject
  private let surroundings: SharedSurroundings
  let origin: StoreOrigin

  init(_ object: GraphObject, _ id: ObjectID, _ reader: GraphReader) {
    (self.object, self.id) = (object, id)
    (surroundings, origin) = (reader.surroundings, reader.origin)
  }

  /// Where and when its expressions are evaluated: as its snapshot was when it was asked for.
  public var environment: PredicateEnvironment { surroundings.environment }

  /// The value of a key, with related objects as they were at the same moment.
  ///
  /// Linear in the objects of a to-many relationship, else constant; of the side of a relationship
  /// that is not written the first use is linear in all its links. Throws a diagnostic where its
  /// entity has no such key.
  public func value(forKey key: String) throws -> Value {
    try object.checkKey(key)
    return try object.value(forKey: key)
  }
}

extension ObjectSnapshot: Hashable {
  /// Equal if they are one object at one moment. Constant time.
  public static func == (a: ObjectSnapshot, b: ObjectSnapshot) -> Bool {
    a.id == b.id && a.object.snapshot === b.object.snapshot
  }

  /// Hashes the identity. Constant time.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
