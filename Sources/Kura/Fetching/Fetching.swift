import KuraDiagnostics
import KuraFetch
import KuraGraph
public import KuraPredicates
public import KuraValues

// A context and a snapshot have the same methods, but return different objects.

extension ManagedObjectContext {
  /// Returns the objects that a request finds, in its order.
  ///
  ///     try context.fetch(FetchRequest("Item", where: "done == NO").sorted(by: "title"))
  ///
  /// Linear in the objects of the entity, and n log n in the objects found if they are sorted; less
  /// with an index or a limit, as `explain` shows. Throws a diagnostic if a name is unknown, a
  /// value does not fit, the predicate fails for an object, or the request is for elements, which
  /// are not objects of the store. Also throws ``StoreError/timedOut(_:)``.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    try reader.ids(request).map { ManagedObject($0, storage) }
  }

  /// Returns the objects of an entity that match a predicate format with arguments. Linear in the
  /// objects of the entity; less with an index.
  public func fetch(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> [ManagedObject] {
    try fetch(FetchRequest(entity, format: format, arguments))
  }

  /// Returns the objects of an entity that match a predicate. Linear in the objects of the entity;
  /// less with an index.
  public func fetch(_ entity: String, where predicate: PredicateTree) throws -> [ManagedObject] {
    try fetch(FetchRequest(entity, where: predicate))
  }

  /// Returns the first object that a request finds; nil if there is none. Linear in the objects of
  /// the entity at most.
  public func first(_ request: FetchRequest) throws -> ManagedObject? {
    try fetch(request.limit(1)).first
  }

  /// Returns the rows of a request that selects values or groups objects. Linear in the objects of
  /// the entity, and n log n in the rows if they are sorted.
  public func rows(_ request: FetchRequest) throws -> [ResultRow] { try snapshot.rows(request) }

  /// Returns the number of objects or rows that a request finds. Linear in the objects of the
  /// entity; less with an index.
  public func count(_ request: FetchRequest) throws -> Int { try reader.count(request) }

  /// Returns the number of objects of an entity that match a predicate format with arguments.
  /// Linear in the objects of the entity; less with an index.
  ///
  ///     try context.count("Item", where: "due < %@", Date.now)   // 3
  public func count(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> Int { try count(FetchRequest(entity, format: format, arguments)) }

  /// Returns whether a request finds anything. It stops at the first object. Linear in the objects
  /// of the entity at most.
  public func exists(_ request: FetchRequest) throws -> Bool { try reader.exists(request) }

  /// Returns the identities of the objects that a request finds, in its order. It costs what
  /// `fetch` does.
  public func objectIDs(_ request: FetchRequest) throws -> [ObjectID] { try reader.ids(request) }
}

extension Snapshot {
  /// Returns the objects that a request finds, in its order, or elements at a path.
  ///
  ///     try snapshot.fetch(FetchRequest("Order.lines", where: "price > 10"))[0]["owner.customer"]
  ///
  /// It costs what the context's `fetch` does, and throws the same errors, except that it also
  /// returns elements. The first fetch of elements is linear in all of them.
  public func fetch(_ request: FetchRequest) throws -> [ObjectSnapshot] {
    let found = try reader.objects(request)
    return zip(found.ids, 0...).map { id, i in ObjectSnapshot(found.object(i), id, reader) }
  }

  /// Returns the objects of an entity that match a predicate format with arguments. Linear in the
  /// objects of the entity; less with an index.
  public func fetch(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> [ObjectSnapshot] {
    try fetch(FetchRequest(entity, format: format, arguments))
  }

  /// Returns the objects of an entity that match a predicate. Linear in the objects of the entity;
  /// less with an index.
  public func fetch(_ entity: String, where predicate: PredicateTree) throws -> [ObjectSnapshot] {
    try fetch(FetchRequest(entity, where: predicate))
  }

  /// Returns the first object that a request finds; nil if there is none. Linear in the objects of
  /// the entity at most.
  public func first(_ request: FetchRequest) throws -> ObjectSnapshot? {
    try fetch(request.limit(1)).first
  }

  /// Returns the rows of a request that selects values or groups objects. Linear in the objects of
  /// the entity, and n log n in the rows if they are sorted.
  public func rows(_ request: FetchRequest) throws -> [ResultRow] {
    try reader.answer(request).resultRows()
  }

  /// Returns the number of objects or rows that a request finds. Linear in the objects of the
  /// entity; less with an index.
  public func count(_ request: FetchRequest) throws -> Int { try reader.count(request) }

  /// Returns the number of objects of an entity that match a predicate format with arguments.
  /// Linear in the objects of the entity; less with an index.
  ///
  ///     try context.count("Item", where: "due < %@", Date.now)   // 3
  public func count(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> Int { try count(FetchRequest(entity, format: format, arguments)) }

  /// Returns whether a request finds anything. It stops at the first object. Linear in the objects
  /// of the entity at most.
  public func exists(_ request: FetchRequest) throws -> Bool { try reader.exists(request) }

  /// Returns the identities of the objects that a request finds, in its order. It costs what
  /// `fetch` does.
  public func objectIDs(_ request: FetchRequest) throws -> [ObjectID] { try reader.ids(request) }
}

// Fetching as Swift types
extension ManagedObjectContext {
  /// Returns the results of a request as a Swift type: objects, or rows keyed by column name.
  ///
  ///     struct Item: Decodable { var title: String; var due: Date? }
  ///     let items: [Item] = try context.fetch(FetchRequest("Item"), as: Item.self)
  ///
  /// In addition to `fetch`, linear in the results. Throws as `fetch` does, and a `DecodingError`
  /// if the type requires a value that is missing.
  public func fetch<Wanted: Decodable>(
    _ request: FetchRequest, as type: Wanted.Type
  ) throws -> [Wanted] { try snapshot.fetch(request, as: type) }

  /// Returns the results of a request as a Swift type; the type is the first argument.
  ///
  ///     let items = try context.fetch(Item.self, FetchRequest("Item").sorted(by: "title"))
  ///
  /// It costs and throws what `fetch(_:as:)` does.
  public func fetch<Wanted: Decodable>(
    _ type: Wanted.Type, _ request: FetchRequest
  ) throws -> [Wanted] { try fetch(request, as: type) }

  /// Returns the objects of a type's entity that match a predicate format with arguments.
  ///
  ///     let items: [Item] = try context.fetch(Item.self, where: "done == NO")
  ///
  /// Linear in the objects of the entity; less with an index.
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where format: String = "TRUEPREDICATE",
    _ arguments: (any FormatConvertible)?...
  ) throws -> [Wanted] {
    try check(type)
    return try snapshot.fetch(FetchRequest(Wanted.entityName, format: format, arguments), as: type)
  }

  /// Returns the objects of a type's entity that match a predicate. Linear in the objects of the
  /// entity; less with an index.
  ///
  ///     let items: [Item] = try context.fetch(Item.self, where: Key("done") == false)
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where predicate: PredicateTree
  ) throws -> [Wanted] {
    try check(type)
    return try snapshot.fetch(FetchRequest(Wanted.entityName, where: predicate), as: type)
  }
}

extension Snapshot {
  /// Returns the results of a request as a Swift type: objects, or rows keyed by column name. In
  /// addition to `fetch`, linear in the results.
  public func fetch<Wanted: Decodable>(
    _ request: FetchRequest, as type: Wanted.Type
  ) throws -> [Wanted] {
    let decoder = ValueDecoder()
    guard request.tree.selection == nil, request.tree.grouping.isEmpty else {
      return try rows(request).map { try decoder.decode(type, from: $0.predicateValue) }
    }
    return try fetch(request).map { try decoder.decode(type, from: $0.predicateValue) }
  }

  /// Returns the results of a request as a Swift type; the type is the first argument.
  ///
  ///     let items = try snapshot.fetch(Item.self, FetchRequest("Item").sorted(by: "title"))
  ///
  /// It costs and throws what `fetch(_:as:)` does.
  public func fetch<Wanted: Decodable>(
    _ type: Wanted.Type, _ request: FetchRequest
  ) throws -> [Wanted] { try fetch(request, as: type) }

  /// Returns the objects of a type's entity that match a predicate format with arguments. Linear in
  /// the objects of the entity; less with an index.
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where format: String = "TRUEPREDICATE",
    _ arguments: (any FormatConvertible)?...
  ) throws -> [Wanted] {
    try fetch(FetchRequest(Wanted.entityName, format: format, arguments), as: type)
  }

  /// Returns the objects of a type's entity that match a predicate. Linear in the objects of the
  /// entity; less with an index.
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where predicate: PredicateTree
  ) throws -> [Wanted] {
    try fetch(FetchRequest(Wanted.entityName, where: predicate), as: type)
  }
}
