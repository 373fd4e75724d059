import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
public import KuraModel
public import KuraPredicates
public import KuraValues

/// Runs requests on one state of the graph.
struct GraphReader: Sendable {
  let snapshot: GraphSnapshot
  var sharedEnvironment: SharedPredicateEnvironment
  let origin: StoreOrigin

  var model: Model { snapshot.graph.model }
}

extension GraphReader {
  /// Returns the objects or rows that a request finds.
  func answer(_ request: FetchRequest) throws -> FetchAnswer {
    try bound(request) { request throws(Diagnostic) in try request.answer() }
  }

  /// Returns the objects that a request finds, ignoring its columns and groups.
  func objects(_ request: FetchRequest) throws -> FetchResult {
    var request = request
    (request.tree.selection, request.tree.isDistinct) = (nil, false)
    (request.tree.grouping, request.tree.having, request.tree.section) = ([], nil, nil)
    return try bound(request) { request throws(Diagnostic) in try request.run() }
  }

  func ids(_ request: FetchRequest) throws -> [ObjectID] {
    let found = try objects(request)
    if found.snapshot.graph.isOfElements(found.entity) {
      throw Diagnostic(ElementProblem.fetched(found.entity))
    }
    return found.ids
  }

  func count(_ request: FetchRequest) throws -> Int {
    guard request.tree.limit == nil, request.tree.offset == nil, request.tree.selection == nil,
      request.tree.grouping.isEmpty
    else { return try answer(request).count }
    return try bound(request) { request throws(Diagnostic) in try request.count() }
  }

  func exists(_ request: FetchRequest) throws -> Bool {
    try bound(request) { request throws(Diagnostic) in try request.exists() }
  }

  /// Calls a closure with a request that is bound to the data, and enforces the time limit.
  func bound<Result>(
    _ request: FetchRequest, _ body: (BoundRequest) throws(Diagnostic) -> Result
  ) throws -> Result {
    let cancel = CancelFlag()
    guard let limit = request.timeLimit ?? sharedEnvironment.environment.timeLimit else {
      return try body(try bind(request, cancel))
    }
    let deadline = Deadline(cancel)
    deadline.start(limit)
    do {
      let result = try body(try bind(request, cancel))
      guard !deadline.stop() else { throw StoreError.timedOut(limit) }
      return result
    } catch {
      throw deadline.stop() ? StoreError.timedOut(limit) : error
    }
  }

  private func bind(_ request: FetchRequest, _ cancel: CancelFlag) throws(Diagnostic)
    -> BoundRequest
  {
    do throws(Diagnostic) {
      return try tree(request).bound(to: snapshot, environment(request, cancel))
    } catch { throw error.forPrograms }
  }

  /// Returns the environment of a request. The objects in its variables are those of this state.
  /// Throws if one belongs to another store.
  func environment(
    _ request: FetchRequest, _ cancel: CancelFlag
  ) throws(Diagnostic) -> FetchEnvironment {
    for value in request.variables.values { try origin.check(value) }
    let given = sharedEnvironment.environment
    var environment = FetchEnvironment(
      variables: request.variables.mapValues(present), now: given.moment, rules: given.rules,
      locale: given.locale, cancel: cancel)
    (environment.calendar, environment.random) = (given.otherCalendar, given.random)
    environment.elements = origin.elements
    return environment
  }
}

// Objects in arguments are resolved to the objects of this state.
extension GraphReader {
  private func present(_ value: Value) -> Value {
    let value = value.inWholeMicroseconds
    guard value.holdsObjects else { return value }
    return value.named(in: model).mapObjects { reference in
      guard let id = reference.id, let place = snapshot.graph.find(id) else {
        return .object(reference)
      }
      return .object(ObjectReference(snapshot.object(table: place.table, row: place.row)))
    }
  }

  /// Returns the tree of a request. Its objects are those of this state, and its dates have the
  /// graph's precision. Throws if an object belongs to another store.
  func tree(_ request: FetchRequest) throws(Diagnostic) -> FetchTree {
    var tree = request.tree
    if case .elements(let entity, let keys) = tree.source.kind, model[entity] == nil,
      case let path = ElementPath(entity: entity, keys: keys), model[path.elementEntity] != nil
    {
      tree.source.kind = .entity(path.elementEntity)
    }
    guard let predicate = tree.predicate, predicate.holdsArguments else { return tree }
    try predicate.walk { (node, _) throws(Diagnostic) in
      if case .expression(let tree) = node, case .constant(let constant) = tree.kind {
        try origin.check(constant.value)
      }
      return .into
    }
    tree.predicate = predicate.rewritingExpressions { node, _ in
      guard case .constant(var constant) = node.kind, constant.value.isArgument else { return node }
      constant.value = present(constant.value)
      return ExpressionTree(.constant(constant), span: node.span)
    }
    return tree
  }
}

extension PredicateTree {
  /// Whether its constants contain a date or an object.
  fileprivate var holdsArguments: Bool {
    var found = false
    walk { node, _ in
      if case .expression(let tree) = node, case .constant(let constant) = tree.kind,
        constant.value.isArgument
      {
        found = true
      }
      return found ? .over : .into
    }
    return found
  }
}

extension Value {
  /// Whether it is or contains a date or an object, which a graph represents in its own way.
  fileprivate var isArgument: Bool {
    switch self {
    case .date, .dictionary: true
    case .list(let values): values.contains(where: \.isArgument)
    case .set(let set): set.elements.contains(where: \.isArgument)
    default: holdsObjects
    }
  }
}

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
