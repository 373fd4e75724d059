import KuraFetch
public import KuraPredicates
public import KuraValues

/// The results of a request as a Swift type: the current result, then a new one after each change.
///
///     for try await items in try await todo.values(of: Item.self, where: "done == NO") {
///       show(items)   // [Item]: now, and after each change
///     }
///
/// Each element is the complete result at one moment. A slow reader receives the newest result next
/// and skips those in between, so nothing is buffered. A sequence can be iterated once, and ends as
/// ``FetchedResultsController/changes`` does.
///
/// Reading an element costs what `fetch` does, in the isolation of the reader, without blocking the
/// context. It throws as `fetch` does. A change that only concerns related objects produces an
/// element only if the predicate, the order or the columns read them.
public struct FetchedValues<Wanted: Decodable>: AsyncSequence, Sendable {
  /// The complete result.
  public typealias Element = [Wanted]

  let request: FetchRequest
  let storage: ContextStorage
  let steps: AsyncStream<Void>

  /// An iterator over the results.
  public struct Iterator: AsyncIteratorProtocol {
    let values: FetchedValues
    var steps: AsyncStream<Void>.Iterator

    /// Waits for a change and returns the newest result; nil at the end. It costs what `fetch`
    /// does.
    public mutating func next() async throws -> [Wanted]? {
      guard await steps.next() != nil else { return nil }
      return try values.current.fetch(values.request, as: Wanted.self)
    }
  }

  /// Returns an iterator that begins with the current result. Constant time.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: self, steps: steps.makeAsyncIterator())
  }

  /// The objects outside any `perform`.
  private var current: Snapshot {
    Snapshot(storage.reader(of: storage.withOutermost { $0.snapshot }))
  }
}

extension ManagedObjectContext {
  /// Returns the results of a request as a Swift type: the current result, then a new one after
  /// each change.
  ///
  ///     for try await items in try context.values(of: request, as: Item.self) { show(items) }
  ///
  /// It costs one `fetch` without offset and limit. Throws as `fetch` does.
  public func values<Wanted: Decodable>(
    of request: FetchRequest, as type: Wanted.Type
  ) throws -> FetchedValues<Wanted> {
    FetchedValues(request: request, storage: storage, steps: try steps(of: request))
  }

  /// Returns the objects of a type's entity that match a predicate: the current result, then a new
  /// one after each change. It costs and throws what `values(of:as:)` does.
  ///
  ///     for try await items in try context.values(of: Item.self, where: "done == NO") { show(items) }
  public func values<Wanted: Storable>(
    of type: Wanted.Type, where format: String = "TRUEPREDICATE",
    _ arguments: (any FormatConvertible)?...
  ) throws -> FetchedValues<Wanted> {
    try check(type)
    return try values(of: FetchRequest(Wanted.entityName, format: format, arguments), as: type)
  }
}

extension ContextActor {
  /// Returns the results of a request as a Swift type, as ``ManagedObjectContext/values(of:as:)``
  /// does. It has the same cost and errors.
  ///
  ///     for try await items in try await todo.values(of: request, as: Item.self) { await show(items) }
  public func values<Wanted: Decodable>(
    of request: FetchRequest, as type: Wanted.Type
  ) throws -> FetchedValues<Wanted> { try store.context.values(of: request, as: type) }

  /// Returns the objects of a type's entity that match a predicate: the current result, then a new
  /// one after each change. It costs and throws what `values(of:as:)` does.
  ///
  ///     for try await items in try await todo.values(of: Item.self, where: "done == NO") { await show(items) }
  public func values<Wanted: Storable>(
    of type: Wanted.Type, where format: String = "TRUEPREDICATE",
    _ arguments: (any FormatConvertible)?...
  ) throws -> FetchedValues<Wanted> {
    try store.context.check(type)
    return try values(of: FetchRequest(Wanted.entityName, format: format, arguments), as: type)
  }
}

/// A row of a request that selects values or groups objects.
///
///     let request = try FetchRequest("Item").grouped(by: "done").select("done", "count(SELF) as n")
///     for row in try context.rows(request) { print(row["done"], row["n"]) }
public struct ResultRow: Sendable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The values, in the same order.
  public let values: [Value]

  /// The value of a column; nil if there is no such column. Linear in the columns.
  public subscript(column: String) -> Value? {
    columns.firstIndex(of: column).map { values[$0] }
  }

  /// Decodes the row as a Swift type, keyed by column name.
  ///
  /// Linear in the columns. Throws a `DecodingError` if the type requires a value that the row does
  /// not have.
  public func decode<Wanted: Decodable>(_ type: Wanted.Type = Wanted.self) throws -> Wanted {
    try ValueDecoder().decode(type, from: predicateValue)
  }
}

extension ResultRow: KeyReadable, Hashable {
  /// Returns the value of a column; null if there is no such column. Linear in the columns.
  public func value(forKey key: String) -> Value { self[key] ?? .null }

  /// The row as a dictionary. Linear in the columns.
  public var predicateValue: Value { .dictionary(ValueDictionary(Array(zip(columns, values)))) }
}

extension FetchAnswer {
  /// Returns the rows of values. An object becomes a row with the single column `objectID`.
  func resultRows() -> [ResultRow] {
    switch rows {
    case .objects(let objects):
      (0..<objects.count).map {
        ResultRow(columns: ["objectID"], values: [.object(.init(objects.object($0)))])
      }
    case .values(let rows):
      (0..<rows.count).map { row in
        ResultRow(columns: rows.columns.map(\.name), values: rows.columns.map { $0.value(row) })
      }
    }
  }
}
