import Foundation
public import KuraPredicates
import KuraValues

/// A sort key in the shape of `NSSortDescriptor`.
///
///     try people.sorted(using: [KUSortDescriptor(key: "age", ascending: false)])
public final class KUSortDescriptor: Sendable {
  /// How texts compare, where Cocoa has a selector.
  public enum Comparison: Sendable {
    /// `compare:`: by their Unicode scalars
    case compare
    /// `caseInsensitiveCompare:`
    case caseInsensitive
    /// `localizedCompare:`
    case localized
    /// `localizedCaseInsensitiveCompare:`
    case localizedCaseInsensitive
    /// `localizedStandardCompare:`: as a file browser does
    case localizedStandard
  }

  /// The sort key as a tree.
  public let tree: SortTree

  /// Makes a sort descriptor of a tree.
  public init(_ tree: SortTree) { self.tree = tree }

  /// Makes a sort descriptor of a key path; nil sorts by the objects themselves.
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

  /// The key path; nil where it is none. Linear in it.
  public var key: String? { KUExpression(tree.expression).keyPath }

  /// Whether the least comes first.
  public var ascending: Bool { tree.isAscending }

  /// The same key in the other direction.
  public var reversedSortDescriptor: KUSortDescriptor {
    var reversed = tree
    reversed.isAscending.toggle()
    return KUSortDescriptor(reversed)
  }
}

/// What is fetched of a collection, in the shape of `NSFetchRequest`.
///
///     let request = KUFetchRequest<Person>(entityName: "Person")
///     request.predicate = try KUPredicate(format: "age >= 18")
///     request.sortDescriptors = [KUSortDescriptor(key: "name", ascending: true)]
///     try request.execute(in: people)
public final class KUFetchRequest<Result> {
  /// The entity's name, which says nothing in a collection.
  public var entityName: String?
  /// Which objects; nil: all.
  public var predicate: KUPredicate?
  /// In which order.
  public var sortDescriptors: [KUSortDescriptor]?
  /// How many at most; 0: all.
  public var fetchLimit = 0
  /// How many are left out at the beginning.
  public var fetchOffset = 0

  /// How many objects come at a time, which says nothing of a collection: all of them are there.
  public var fetchBatchSize = 0
  /// Whether objects come without their values, which says nothing of a collection, either.
  public var returnsObjectsAsFaults = true

  /// Makes a request for all objects.
  public init(entityName: String? = nil) { self.entityName = entityName }

  /// The objects of a collection that the request asks for.
  ///
  /// n log n with sort descriptors, else one pass. Throws the diagnostic of the first object that cannot
  /// be evaluated, or an `UnknownValueType`.
  public func execute(in objects: some Sequence<Result>) throws -> [Result] {
    var found = try predicate.map { try objects.filtered(using: $0) } ?? Array(objects)
    if let sortDescriptors { found = try found.sorted(using: sortDescriptors) }
    let rest = found.dropFirst(max(fetchOffset, 0))
    return Array(fetchLimit > 0 ? rest.prefix(fetchLimit) : rest)
  }
}
