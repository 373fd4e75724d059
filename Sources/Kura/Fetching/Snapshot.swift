import KuraGraph
public import KuraModel
public import KuraPredicates
public import KuraValues

/// The objects of a context at one moment, readable from any isolation.
///
///     let snapshot = context.snapshot
///     async let open = Task { try snapshot.count(FetchRequest("Item", where: "done == NO")) }.value
///
/// It shares its data with the context until the context changes.
public struct Snapshot: Sendable {
  var reader: GraphReader

  init(_ reader: GraphReader) { self.reader = reader }

  /// The model of its objects.
  public var model: Model { reader.model }

  /// The environment in which requests and expressions are evaluated; initially that of the
  /// context.
  ///
  /// Setting it takes less than a millisecond.
  public var environment: PredicateEnvironment {
    get { reader.sharedEnvironment.environment }
    set { reader.sharedEnvironment = SharedPredicateEnvironment(newValue) }
  }

  /// Returns the object with an identity; nil if it does not exist. Constant time, or logarithmic
  /// in the objects of its entity.
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
  /// The object's identity.
  public let id: ObjectID
  let object: GraphObject
  private let sharedEnvironment: SharedPredicateEnvironment
  let origin: StoreOrigin

  init(_ object: GraphObject, _ id: ObjectID, _ reader: GraphReader) {
    (self.object, self.id) = (object, id)
    (sharedEnvironment, origin) = (reader.sharedEnvironment, reader.origin)
  }

  /// The environment that its snapshot had when it returned this object.
  public var environment: PredicateEnvironment { sharedEnvironment.environment }

  /// Returns the value of a key, with related objects as of the same moment.
  ///
  /// Linear in the objects of a to-many relationship; otherwise constant. The first use of the
  /// derived side of a relationship is linear in all its links. Throws a diagnostic if the entity
  /// does not have the key.
  public func value(forKey key: String) throws -> Value {
    try object.checkKey(key)
    return try object.value(forKey: key)
  }
}

extension ObjectSnapshot: Hashable {
  /// Returns whether both are the same object at the same moment. Constant time.
  public static func == (a: ObjectSnapshot, b: ObjectSnapshot) -> Bool {
    a.id == b.id && a.object.snapshot === b.object.snapshot
  }

  /// Hashes the identity. Constant time.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
