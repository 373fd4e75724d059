import KuraDiagnostics
import KuraGraph
import KuraModel
public import KuraPredicates
import KuraSentences
public import KuraValues

/// An object of a context, whose values are read as they are at the moment.
///
///     let item = try context.insert("Item", ["title": "掃除"])
///     try item["title"]   // string("掃除")
///
/// It is an identity and not a copy: what was changed since is read, and of an object that is gone
/// every key is null. It may be read from any isolation, and is changed by its context alone.
public struct ManagedObject: StoredObject {
  private let made: ObjectID
  /// How many saves had given objects other numbers when it was made.
  private let epoch: Int
  let storage: ContextStorage

  init(_ id: ObjectID, _ storage: ContextStorage) {
    (made, self.storage) = (id, storage)
    epoch = storage.epoch
  }

  /// Its identity. A save that meets new objects of others may give a new one another number.
  /// Linear in the saves since it was made that gave any object another number.
  public var id: ObjectID { storage.present(made, since: epoch) }

  /// Where and when its expressions are evaluated: as in its context.
  public var environment: PredicateEnvironment { storage.environment.environment }

  /// Whether it is gone from its context. Constant time, or logarithmic in the objects of its
  /// entity.
  public var isDeleted: Bool { storage.snapshot.graph.find(id) == nil }

  var graphObject: GraphObject? {
    let snapshot = storage.snapshot
    return snapshot.graph.find(id).map { snapshot.object(table: $0.table, row: $0.row) }
  }

  /// The value of a key, with related objects as objects of the context; null if it is gone.
  ///
  /// Linear in the objects of a to-many relationship, else constant or logarithmic in the objects
  /// of its entity; of the side of a relationship that is not written the first use is linear in
  /// all its links. Throws a diagnostic where its entity has no such key.
  public func value(forKey key: String) throws -> Value {
    guard let object = graphObject else { return .null }
    try object.checkKey(key)
    return try object.value(forKey: key).mapObjects { reference in
      guard let id = reference.id else { return .object(reference) }
      return .object(ObjectReference(ManagedObject(id, storage)))
    }
  }

  /// The object that a to-one relationship leads to; nil if there is none. Constant, or logarithmic
  /// in the objects of its entity. Throws a diagnostic where its entity has no such to-one relationship.
  public func object(_ key: String) throws -> ManagedObject? {
    try checkRelationship(key, isToMany: false)
    guard case .object(let reference) = try value(forKey: key) else { return nil }
    return reference.reader as? ManagedObject
  }

  /// The objects of a to-many relationship; ordered ones in their order. Linear in them, as
  /// ``value(forKey:)``. Throws a diagnostic where its entity has no such to-many relationship.
  public func objects(_ key: String) throws -> [ManagedObject] {
    try checkRelationship(key, isToMany: true)
    return try value(forKey: key).elements.compactMap { element in
      guard case .object(let reference) = element else { return nil }
      return reference.reader as? ManagedObject
    }
  }

  /// Throws where a key of its entity is no such relationship; one that the entity does not have is told by
  /// who reads it.
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

/// `item.objects("title")`
private struct NotRelated: DiagnosticFacts {
  let key: String
  let entity: String
  let isToMany: Bool

  var kind: Diagnostic.Kind { .semantics }

  var sentence: String {
    isToMany
      ? localized("\(entity).\(key) is no to-many relationship")
      : localized("\(entity).\(key) is no to-one relationship")
  }

  var help: String? {
    isToMany
      ? localized("object(_:) gives the object of a to-one, value(_:) an attribute's value")
      : localized("objects(_:) gives those of a to-many, value(_:) an attribute's value")
  }
}

extension ManagedObject: Hashable {
  /// Equal if they are one object of one context. It costs what ``id`` does.
  public static func == (a: ManagedObject, b: ManagedObject) -> Bool {
    a.storage === b.storage && a.id == b.id
  }

  /// Hashes the identity, which a save may change that meets new objects of others. It costs what
  /// ``id`` does.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Value {
  /// What a list or a set has; of anything else nothing.
  var elements: [Value] {
    switch self {
    case .list(let values): values
    case .set(let set): set.elements
    default: []
    }
  }
}
