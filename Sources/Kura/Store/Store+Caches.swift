import KuraFetch
import KuraGraph
import KuraStore

extension Store {
  /// Removes the order that requests keep under a name beside the store, as ``FetchRequest/cached(as:)`` has
  /// it, or without a name all of them, and says which those were.
  ///
  ///     store.deleteCache("Root")   // ["Root"]
  ///
  /// What is no longer kept is asked anew. Linear in what was kept.
  @discardableResult public func deleteCache(_ name: String? = nil) -> [String] {
    guard connection.readOnlyReason == nil, let files = connection.keeper?.orderFiles else {
      return []
    }
    guard let name else { return files.removeAll() }
    return files.remove(name) ? [name] : []
  }
}

extension ManagedObjectContext {
  /// Who runs a request, and where its order may be kept.
  func reader(for request: FetchRequest) -> GraphReader {
    var reader = reader
    guard request.tree.cacheName != nil, case .store(let connection) = home else { return reader }
    reader.orders = storage.isAsSaved ? connection.orders : .nowhere(.unsavedChanges)
    return reader
  }
}

extension ContextStorage {
  /// Whether the graph is what was read or saved last, and nothing else.
  fileprivate var isAsSaved: Bool { read { $0.around.isEmpty && $0.current.isUntouched } }
}

extension StoreConnection {
  /// Another build of a program may order in another way.
  private static let identity = CacheSettings.program(version: program)

  /// Where orders are kept for what is on the disk.
  fileprivate var orders: OrderKeeping {
    let files = keeper?.orders(program: Self.identity, writes: readOnlyReason == nil)
    return files.map { .at($0) } ?? .nowhere(.noStore)
  }
}
