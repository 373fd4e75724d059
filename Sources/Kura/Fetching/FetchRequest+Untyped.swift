import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues

// Arguments of which the compiler knows less: an enumeration with raw values, an `NSNumber`.
extension FetchRequest {
  /// The objects of an entity that a predicate lets through, as a format with arguments of any type.
  ///
  ///     try FetchRequest("Item", where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the format. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  @_disfavoredOverload
  public init(_ entity: String, where format: String, _ arguments: Any?...) throws {
    try self.init(entity, where: format, argumentArray: arguments)
  }

  /// The objects of an entity that a predicate lets through, as a format with a list of arguments.
  ///
  ///     try FetchRequest("Item", where: "%K == %@", argumentArray: ["title", "掃除"])
  ///
  /// Linear in the format. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public init(_ entity: String, where format: String, argumentArray: [Any?]) throws {
    self.init(entity, where: try Self.predicate(format, argumentArray))
  }

  static func predicate(_ format: String, _ arguments: [Any?]) throws -> PredicateTree {
    try PredicateTree(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
  }
}

extension ManagedObjectContext {
  /// The objects of an entity that a predicate lets through, as a format with arguments of which the
  /// compiler knows less.
  ///
  ///     try context.fetch("Item", where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch(
    _ entity: String, where format: String, _ arguments: Any?...
  ) throws -> [ManagedObject] {
    try fetch(FetchRequest(entity, where: format, argumentArray: arguments))
  }

  /// The objects of a type's entity that a predicate lets through, as a format with such arguments.
  ///
  ///     let items: [Item] = try context.fetch(Item.self, where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:as:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where format: String, _ arguments: Any?...
  ) throws -> [Wanted] {
    try fetch(type, where: FetchRequest.predicate(format, arguments))
  }
}

extension Snapshot {
  /// The objects of an entity that a predicate lets through, as a format with arguments of which the
  /// compiler knows less.
  ///
  ///     try snapshot.fetch("Item", where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch(
    _ entity: String, where format: String, _ arguments: Any?...
  ) throws -> [ObjectSnapshot] {
    try fetch(FetchRequest(entity, where: format, argumentArray: arguments))
  }

  /// The objects of a type's entity that a predicate lets through, as a format with such arguments.
  ///
  ///     let items: [Item] = try snapshot.fetch(Item.self, where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:as:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where format: String, _ arguments: Any?...
  ) throws -> [Wanted] {
    try fetch(type, where: FetchRequest.predicate(format, arguments))
  }
}
