import KuraPredicates

/// AND, OR or NOT of other predicates, in the shape of `NSCompoundPredicate`.
///
///     KUCompoundPredicate(andPredicateWithSubpredicates: [adults, named])
public final class KUCompoundPredicate: KUPredicate, @unchecked Sendable {
  /// How the parts are joined.
  public enum LogicalType: UInt, Sendable {
    /// `NOT a`
    case not = 0
    /// `a AND b`
    case and = 1
    /// `a OR b`
    case or = 2
  }

  /// How the parts are joined.
  public let compoundPredicateType: LogicalType
  /// The parts.
  public let subpredicates: [KUPredicate]

  /// Joins predicates; of none AND is true and OR false. NOT is of the first, and of none true.
  /// Linear in the parts.
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

  /// `a AND b`; linear in the parts
  public convenience init(andPredicateWithSubpredicates subpredicates: [KUPredicate]) {
    self.init(type: .and, subpredicates: subpredicates)
  }

  /// `a OR b`; linear in the parts
  public convenience init(orPredicateWithSubpredicates subpredicates: [KUPredicate]) {
    self.init(type: .or, subpredicates: subpredicates)
  }

  /// `NOT a`
  public convenience init(notPredicateWithSubpredicate predicate: KUPredicate) {
    self.init(type: .not, subpredicates: [predicate])
  }

  /// The compound that a predicate is, read from a format for instance; nil if it is none. Linear
  /// in the parts.
  public convenience init?(_ predicate: KUPredicate) {
    guard let (type, parts) = Self.parts(of: predicate.tree) else { return nil }
    self.init(type: type, subpredicates: parts)
  }

  /// Reads a kept compound.
  ///
  /// Throws `DecodingError.dataCorrupted` for what is none.
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
