import KuraDiagnostics
import KuraGraph
import KuraModel
public import KuraPredicates
import KuraSentences
public import KuraValues

/// An object of a context. Reading a value returns its current value.
///
///     let item = try context.insert("Item", ["title": "掃除"])
///     try item["title"]   // string("掃除")
///
/// A managed object is an identity, not a copy: it reflects later changes. If the object was
/// deleted, every key is null. You can read it from any isolation; only its context changes it.
public struct ManagedObject: StoredObject {
  private let originalID: ObjectID
  /// The number of saves that had changed identities when this was created.
  private let epoch: Int
  let storage: ContextStorage

  init(_ id: ObjectID, _ storage: ContextStorage) {
    (originalID, self.storage) = (id, storage)
    epoch = storage.epoch
  }

  /// The object's identity. A save can change the identity of a new object if another program has
  /// used its number. Linear in the number of such saves since this value was created.
  public var id: ObjectID { storage.present(originalID, since: epoch) }

  /// The environment of its context.
  public var environment: PredicateEnvironment { storage.environment.environment }

  /// Whether the object no longer exists in its context. Constant time, or logarithmic in the
  /// objects of its entity.
  public var isDeleted: Bool { storage.snapshot.graph.find(id) == nil }

  var graphObject: GraphObject? {
    let snapshot = storage.snapshot
    return snapshot.graph.find(id).map { snapshot.object(table: $0.table, row: $0.row) }
  }

  /// Returns the value of a key, with related objects as objects of the context; null if the object
  /// was deleted.
  ///
  /// Linear in the objects of a to-many relationship; otherwise constant, or logarithmic in the
  /// objects of the entity. The first use of the derived side of a relationship is linear in all
  /// its links. Throws a diagnostic if the entity does not have the key.
  public func value(forKey key: String) throws -> Value {
    guard let object = graphObject else { return .null }
    try object.checkKey(key)
    return try object.value(forKey: key).mapObjects { reference in
      guard let id = reference.id else { return .object(reference) }
      return .object(ObjectReference(ManagedObject(id, storage)))
    }
  }

  /// Returns the destination of a to-one relationship; nil if it is null. Constant time, or
  /// logarithmic in the objects of its entity. Throws a diagnostic if the entity does not have such
  /// a to-one relationship.
  public func object(_ key: String) throws -> ManagedObject? {
    try checkRelationship(key, isToMany: false)
    guard case .object(let reference) = try value(forKey: key) else { return nil }
    return reference.reader as? ManagedObject
  }

  /// Returns the objects of a to-many relationship, in their order if it is ordered. Linear in
  /// them, as ``value(forKey:)``. Throws a diagnostic if the entity does not have such a to-many
  /// relationship.
  public func objects(_ key: String) throws -> [ManagedObject] {
    try checkRelationship(key, isToMany: true)
    let elements = try value(forKey: key).arrayValue ?? []
    return elements.compactMap { element in
      guard case .object(let reference) = element else { return nil }
      return reference.reader as? ManagedObject
    }
  }

  /// Throws if a key is not such a relationship. If the entity does not have the key at all,
  /// reading its value throws later.
  private func checkRelationship(_ key: String, isToMany: Bool) throws(Diagnostic) {
    let entity = id.entity
    switch storage.model.property(named: key, of: entity) {
    case .relationship(let relationship)? where relationship.isToMany == isToMany: return
    case .relationship?, .attribute?:
      throw Diagnostic(NotRelated(key: key, entity: entity, isToMany: isToMany))
    case nil: return
    }
  }
}

/// A key that is not a relationship of the requested kind: `item.objects("title")`.
private struct NotRelated: DiagnosticFacts {
  let key: String
  let entity: String
  let isToMany: Bool

  var kind: Diagnostic.Kind { .semantics }

  var sentence: String {
    isToMany
      ? localized("\(entity).\(key) is not a to-many relationship")
      : localized("\(entity).\(key) is not a to-one relationship")
  }

  var help: String? {
    isToMany
      ? localized("use object(_:) for a to-one relationship, value(_:) for an attribute")
      : localized("use objects(_:) for a to-many relationship, value(_:) for an attribute")
  }
}

extension ManagedObject: Hashable {
  /// Returns whether both are the same object of the same context. It costs what ``id`` does.
  public static func == (a: ManagedObject, b: ManagedObject) -> Bool {
    a.storage === b.storage && a.id == b.id
  }

  /// Hashes the identity. A save that renumbers the object changes the hash. It costs what ``id``
  /// does.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
