import KuraDiagnostics
import KuraGraph
public import KuraModel
import KuraPredicates
public import KuraValues

/// The objects of a store with the changes since it was last saved, and the way back.
///
///     let store = try Store.inMemory(model)
///     let home = try store.context.insert("Category", ["name": "家"])
///     let item = try store.context.insert("Item", ["title": "掃除", "parentCategory": home])
///     try item["title"]            // string("掃除")
///     try store.context.undo()     // "insert Item"
///
/// A context belongs to one isolation: to the main actor, to an actor of yours, or to a
/// ``ContextActor``. The compiler sees to it, for a context is not `Sendable`. Its objects are, and
/// so is a ``Snapshot``, which is fetched from anywhere.
public final class ManagedObjectContext {
  let storage: ContextStorage
  /// Where it saves to.
  let home: Home
  /// What becomes of changes that meet those of others.
  public var mergePolicy = MergePolicy.error
  /// Who saves, for the history of the store; nil: the user.
  public var transactionAuthor: String?
  /// Whether each change is held to the model's rules, and not only a save.
  public var validatesEachChange = false

  enum Home {
    case store(StoreConnection)
    /// A context of which this is a child, as it was at some version.
    case parent(ManagedObjectContext, ParentVersion)
  }

  init(_ storage: ContextStorage, home: Home) {
    self.storage = storage
    self.home = home
  }

  deinit { storage.listeners.endAll() }
}

extension ManagedObjectContext {
  /// The model of its objects.
  public var model: Model { storage.model }

  /// Whether a save would write something. Linear in the changes.
  public var hasChanges: Bool { storage.context.hasChanges }

  /// The objects as they are now, to be read from anywhere; it takes no time, and later changes
  /// copy what they change as long as somebody keeps it.
  public var snapshot: Snapshot { Snapshot(reader) }

  var reader: GraphReader {
    GraphReader(
      snapshot: storage.snapshot, surroundings: storage.environment, origin: storage.origin)
  }

  /// The object of an identity; nil if there is none.
  ///
  ///     context.object(home.id)?.id.description   // Category/1
  ///
  /// Constant, or logarithmic in the objects of its entity.
  public func object(_ id: ObjectID) -> ManagedObject? {
    guard let known = storage.snapshot.graph.present(id) else { return nil }
    return ManagedObject(known, storage)
  }

  /// The object of an entity with a number; nil if there is none.
  ///
  ///     context.object("Category", 1)?.id.description   // Category/1
  ///
  /// Constant, or logarithmic in the objects of the entity.
  public func object(_ entity: String, _ number: Int64) -> ManagedObject? {
    object(ObjectID(entity: entity, number: number))
  }

  /// How a name of an undo group begins that nobody has named: `insert Item`.
  func name(_ given: String?, _ verb: String, _ entity: String?) -> String {
    given ?? [verb, entity ?? "objects"].joined(separator: " ")
  }

  /// Does edits as one undo group.
  func edit<Result: Sendable>(
    _ name: String, _ body: (inout GraphEditor) throws -> Result
  ) throws -> Result {
    if case .store(let connection) = home, storage.context.isUntouched {
      connection.prepareToSave()
    }
    let evaluation = storage.evaluation
    let accept: @Sendable (Graph, ChangeSet) throws -> Void = { graph, change in
      let failures = graph.validationFailures(after: change, in: evaluation)
      if !failures.isEmpty { throw StoreError.invalid(failures) }
    }
    return try storage.edit(name, accept: validatesEachChange ? accept : nil, body)
  }
}

extension Graph {
  /// The identity that an object has which somebody names; nil if there is none, or it is none of
  /// the entity that he says.
  func present(_ id: ObjectID) -> ObjectID? {
    guard let place = find(id) else { return nil }
    let own = tables[place.table].objectID(place.row)
    return model.entity(own.entity, isKindOf: id.entity) ? own : nil
  }
}
