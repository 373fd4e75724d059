import KuraDiagnostics
import KuraFetch
import KuraGraph
public import KuraPredicates
public import KuraValues

// The same for a context and a snapshot, which differ in the objects that they give.

extension ManagedObjectContext {
  /// The objects that a request finds, in its order.
  ///
  ///     try context.fetch(FetchRequest("Item", where: "done == NO").sorted(by: "title"))
  ///
  /// Linear in the objects of the entity, and n log n in those that it finds where they are sorted; less
  /// with an index or a limit, as `explain` shows. Throws a diagnostic where a name is not known, a value
  /// does not fit, or an object makes the predicate fail; and ``StoreError/timedOut(_:)``.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    try reader.ids(request).map { ManagedObject($0, storage) }
  }

  /// The objects of an entity that a predicate lets through, as a format with arguments. Linear in the
  /// objects of the entity; less with an index.
  public func fetch(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> [ManagedObject] {
    try fetch(FetchRequest(entity, format: format, arguments))
  }

  /// The same for a predicate that was read or put together. Linear in the objects of the entity; less with
  /// an index.
  public func fetch(_ entity: String, where predicate: PredicateTree) throws -> [ManagedObject] {
    try fetch(FetchRequest(entity, where: predicate))
  }

  /// The first object that a request finds; nil if there is none. Linear in the objects of the entity at
  /// most.
  public func first(_ request: FetchRequest) throws -> ManagedObject? {
    try fetch(request.limit(1)).first
  }

  /// The rows of a request that selects values or groups objects. Linear in the objects of the entity,
  /// and n log n in the rows where they are sorted.
  public func rows(_ request: FetchRequest) throws -> [ResultRow] { try snapshot.rows(request) }

  /// How many objects, or rows, a request finds. Linear in the objects of the entity; less with an index.
  public func count(_ request: FetchRequest) throws -> Int { try reader.count(request) }

  /// How many objects of an entity a predicate lets through, as a format with arguments. Linear in the
  /// objects of the entity; less with an index.
  ///
  ///     try context.count("Item", where: "due < %@", Date.now)   // 3
  public func count(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> Int { try count(FetchRequest(entity, format: format, arguments)) }

  /// Whether a request finds anything; it looks no further than to the first object. Linear in the
  /// objects of the entity at most.
  public func exists(_ request: FetchRequest) throws -> Bool { try reader.exists(request) }

  /// The identities of the objects that a request finds, in its order. It costs what `fetch` does.
  public func objectIDs(_ request: FetchRequest) throws -> [ObjectID] { try reader.ids(request) }
}

extension Snapshot {
  /// The objects that a request finds, in its order.
  ///
  /// It costs what the context's `fetch` does, and throws as that.
  public func fetch(_ request: FetchRequest) throws -> [ObjectSnapshot] {
    let found = try reader.objects(request)
    let table = reader.snapshot.graph.tables[found.table]
    return found.rows.map { row in
      ObjectSnapshot(
        reader.snapshot.object(table: found.table, row: Int(row)), table.objectID(Int(row)),
        reader)
    }
  }

  /// The objects of an entity that a predicate lets through, as a format with arguments. Linear in the
  /// objects of the entity; less with an index.
  public func fetch(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> [ObjectSnapshot] {
    try fetch(FetchRequest(entity, format: format, arguments))
  }

  /// The same for a predicate that was read or put together. Linear in the objects of the entity; less with
  /// an index.
  public func fetch(_ entity: String, where predicate: PredicateTree) throws -> [ObjectSnapshot] {
    try fetch(FetchRequest(entity, where: predicate))
  }

  /// The first object that a request finds; nil if there is none. Linear in the objects of the entity at
  /// most.
  public func first(_ request: FetchRequest) throws -> ObjectSnapshot? {
    try fetch(request.limit(1)).first
  }

  /// The rows of a request that selects values or groups objects. Linear in the objects of the entity,
  /// and n log n in the rows where they are sorted.
  public func rows(_ request: FetchRequest) throws -> [ResultRow] {
    try reader.answer(request).resultRows()
  }

  /// How many objects, or rows, a request finds. Linear in the objects of the entity; less with an index.
  public func count(_ request: FetchRequest) throws -> Int { try reader.count(request) }

  /// How many objects of an entity a predicate lets through, as a format with arguments. Linear in the
  /// objects of the entity; less with an index.
  ///
  ///     try context.count("Item", where: "due < %@", Date.now)   // 3
  public func count(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws -> Int { try count(FetchRequest(entity, format: format, arguments)) }

  /// Whether a request finds anything; it looks no further than to the first object. Linear in the
  /// objects of the entity at most.
  public func exists(_ request: FetchRequest) throws -> Bool { try reader.exists(request) }

  /// The identities of the objects that a request finds, in its order. It costs what `fetch` does.
  public func objectIDs(_ request: FetchRequest) throws -> [ObjectID] { try reader.ids(request) }
}

// As types of Swift
extension ManagedObjectContext {
  /// What a request finds, as a type of Swift: objects, or rows by the names of columns.
  ///
  ///     struct Item: Decodable { var title: String; var due: Date? }
  ///     let items: [Item] = try context.fetch(FetchRequest("Item"), as: Item.self)
  ///
  /// Linear beside `fetch` in what is found. Throws as `fetch` does, and a `DecodingError` where the type
  /// wants what is not there.
  public func fetch<Wanted: Decodable>(
    _ request: FetchRequest, as type: Wanted.Type
  ) throws -> [Wanted] { try snapshot.fetch(request, as: type) }

  /// The same with the type first.
  ///
  ///     let items = try context.fetch(Item.self, FetchRequest("Item").sorted(by: "title"))
  ///
  /// It costs and throws what that does.
  public func fetch<Wanted: Decodable>(
    _ type: Wanted.Type, _ request: FetchRequest
  ) throws -> [Wanted] { try fetch(request, as: type) }

  /// The objects of a type's entity that a predicate lets through.
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

  /// The same for a predicate that was read or put together. Linear in the objects of the entity; less with
  /// an index.
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
  /// What a request finds, as a type of Swift: objects, or rows by the names of columns. Linear beside
  /// `fetch` in what is found.
  public func fetch<Wanted: Decodable>(
    _ request: FetchRequest, as type: Wanted.Type
  ) throws -> [Wanted] {
    let decoder = ValueDecoder()
    guard request.tree.selection == nil, request.tree.grouping.isEmpty else {
      return try rows(request).map { try decoder.decode(type, from: $0.predicateValue) }
    }
    return try fetch(request).map { try decoder.decode(type, from: $0.predicateValue) }
  }

  /// The same with the type first.
  ///
  ///     let items = try snapshot.fetch(Item.self, FetchRequest("Item").sorted(by: "title"))
  ///
  /// It costs and throws what that does.
  public func fetch<Wanted: Decodable>(
    _ type: Wanted.Type, _ request: FetchRequest
  ) throws -> [Wanted] { try fetch(request, as: type) }

  /// The objects of a type's entity that a predicate lets through. Linear in the objects of the entity;
  /// less with an index.
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where format: String = "TRUEPREDICATE",
    _ arguments: (any FormatConvertible)?...
  ) throws -> [Wanted] {
    try fetch(FetchRequest(Wanted.entityName, format: format, arguments), as: type)
  }

  /// The same for a predicate that was read or put together. Linear in the objects of the entity; less with
  /// an index.
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where predicate: PredicateTree
  ) throws -> [Wanted] {
    try fetch(FetchRequest(Wanted.entityName, where: predicate), as: type)
  }
}
