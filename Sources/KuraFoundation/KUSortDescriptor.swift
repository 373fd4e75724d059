import Foundation
public import KuraPredicates
import KuraValues

/// A sort key with the interface of `NSSortDescriptor`.
///
///     try people.sorted(using: [KUSortDescriptor(key: "age", ascending: false)])
public final class KUSortDescriptor: Sendable {
  /// The comparison of texts, corresponding to Cocoa's selectors.
  public enum Comparison: Sendable {
    /// `compare:`: by Unicode scalars
    case compare
    /// `caseInsensitiveCompare:`
    case caseInsensitive
    /// `localizedCompare:`
    case localized
    /// `localizedCaseInsensitiveCompare:`
    case localizedCaseInsensitive
    /// `localizedStandardCompare:`: as in a file browser
    case localizedStandard
  }

  /// The sort key as a tree.
  public let tree: SortTree

  /// Creates a sort descriptor from a tree.
  public init(_ tree: SortTree) { self.tree = tree }

  /// Creates a sort descriptor for a key path; nil sorts by the objects themselves.
  public convenience init(key: String?, ascending: Bool, comparison: Comparison = .compare) {
    let expression = key.map { Key($0).expression } ?? Key.evaluatedObject.expression
    let options: ComparisonOptions =
      switch comparison {
      case .compare, .localizedStandard: []
      case .caseInsensitive: .c
      case .localized: .localeSensitive
      case .localizedCaseInsensitive: [.localeSensitive, .caseInsensitive]
      }
    self.init(
      SortTree(
        expression, options: options, isNatural: comparison == .localizedStandard,
        isAscending: ascending))
  }

  /// The key path; nil for other expressions. Linear in it.
  public var key: String? { KUExpression(tree.expression).keyPath }

  /// Whether the order is ascending.
  public var ascending: Bool { tree.isAscending }

  /// The sort descriptor with the opposite direction.
  public var reversedSortDescriptor: KUSortDescriptor {
    var reversed = tree
    reversed.isAscending.toggle()
    return KUSortDescriptor(reversed)
  }
}

/// A request for objects of a collection, with the interface of `NSFetchRequest`.
///
///     let request = KUFetchRequest<Person>(entityName: "Person")
///     request.predicate = try KUPredicate(format: "age >= 18")
///     request.sortDescriptors = [KUSortDescriptor(key: "name", ascending: true)]
///     try request.execute(in: people)
public final class KUFetchRequest<Result> {
  /// The name of the entity; ignored for a collection.
  public var entityName: String?
  /// The predicate; nil means all objects.
  public var predicate: KUPredicate?
  /// The order; nil means the order of the collection.
  public var sortDescriptors: [KUSortDescriptor]?
  /// The maximum number of objects; 0 means no limit.
  public var fetchLimit = 0
  /// The number of objects to skip.
  public var fetchOffset = 0

  /// The batch size; ignored for a collection, which is already loaded.
  public var fetchBatchSize = 0
  /// Whether objects are returned as faults; ignored for a collection.
  public var returnsObjectsAsFaults = true

  /// Creates a request for all objects.
  public init(entityName: String? = nil) { self.entityName = entityName }

  /// Returns the objects of a collection that the request finds.
  ///
  /// n log n with sort descriptors, otherwise one pass. Throws the diagnostic of the first object
  /// that cannot be evaluated, or an `UnknownValueType`.
  public func execute(in objects: some Sequence<Result>) throws -> [Result] {
    var found = try predicate.map { try objects.filtered(using: $0) } ?? Array(objects)
    if let sortDescriptors { found = try found.sorted(using: sortDescriptors) }
    let rest = found.dropFirst(max(fetchOffset, 0))
    return Array(fetchLimit > 0 ? rest.prefix(fetchLimit) : rest)
  }
}
