import KuraPredicates

/// AND, OR or NOT of other predicates, with the interface of `NSCompoundPredicate`.
///
///     KUCompoundPredicate(andPredicateWithSubpredicates: [adults, named])
public final class KUCompoundPredicate: KUPredicate, @unchecked Sendable {
  /// The connective of the parts.
  public enum LogicalType: UInt, Sendable {
    /// `NOT a`
    case not = 0
    /// `a AND b`
    case and = 1
    /// `a OR b`
    case or = 2
  }

  /// The connective of the parts.
  public let compoundPredicateType: LogicalType
  /// The parts.
  public let subpredicates: [KUPredicate]

  /// Combines predicates. An empty AND is true, an empty OR is false. NOT applies to the first
  /// predicate; an empty NOT is true. Linear in the parts.
  public init(type: LogicalType, subpredicates: [KUPredicate]) {
    compoundPredicateType = type
    self.subpredicates = subpredicates
    super.init(Self.tree(type, subpredicates.map(\.tree)))
  }

  private static func tree(_ type: LogicalType, _ trees: [PredicateTree]) -> PredicateTree {
    switch type {
    case .not: trees.first.map { !$0 } ?? .always
    case .and: .all(of: trees)
    case .or: .any(of: trees)
    }
  }

  /// Combines predicates with AND. Linear in the parts.
  public convenience init(andPredicateWithSubpredicates subpredicates: [KUPredicate]) {
    self.init(type: .and, subpredicates: subpredicates)
  }

  /// Combines predicates with OR. Linear in the parts.
  public convenience init(orPredicateWithSubpredicates subpredicates: [KUPredicate]) {
    self.init(type: .or, subpredicates: subpredicates)
  }

  /// Negates a predicate.
  public convenience init(notPredicateWithSubpredicate predicate: KUPredicate) {
    self.init(type: .not, subpredicates: [predicate])
  }

  /// Creates a compound from a predicate that is one, for example after parsing a format; nil for
  /// other predicates. Linear in the parts.
  public convenience init?(_ predicate: KUPredicate) {
    guard let (type, parts) = Self.parts(of: predicate.tree) else { return nil }
    self.init(type: type, subpredicates: parts)
  }

  /// Decodes a compound.
  ///
  /// Throws `DecodingError.dataCorrupted` if the data is not a compound.
  public required init(from decoder: any Decoder) throws {
    let tree = try PredicateTree(from: decoder)
    guard let (type, parts) = Self.parts(of: tree) else {
      throw DecodingError.other(than: "compound", decoder)
    }
    (compoundPredicateType, subpredicates) = (type, parts)
    super.init(tree)
  }

  private static func parts(of tree: PredicateTree) -> (LogicalType, [KUPredicate])? {
    switch tree.kind {
    case .not(let inside): (.not, [KUPredicate(inside)])
    case .and(let parts): (.and, parts.map { KUPredicate($0) })
    case .or(let parts): (.or, parts.map { KUPredicate($0) })
    case .comparison, .constant, .truth: nil
    }
  }
}
