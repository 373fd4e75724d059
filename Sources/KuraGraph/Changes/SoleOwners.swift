/// Who leads to each object where only one may, kept while a change is made.
///
/// The inverse of a column is made once for it, and not anew after each link.
package struct SoleOwners {
  private var owners: [LinkColumn: [UInt32]] = [:]
  /// How many inverses were made.
  package private(set) var inversesMade = 0

  package init() {}
}

/// A relationship's column by the table that holds it.
struct LinkColumn: Hashable {
  var table: Int
  var column: Int
}

extension SoleOwners {
  /// The row that leads to `target`, if there is one.
  mutating func owner(of target: Int, _ place: LinkColumn, in graph: Graph) -> Int? {
    if owners[place] == nil {
      owners[place] = graph.inverse(source: place.table, column: place.column).soleOwners
      inversesMade += 1
    }
    guard let owner = owners[place]?[safe: target], owner != noRow else { return nil }
    return Int(owner)
  }

  /// A link was made.
  mutating func add(_ owner: Int, to target: Int, _ place: LinkColumn) {
    set(UInt32(truncatingIfNeeded: owner), target, place)
  }

  /// A link was taken away; another object's link to the target stays.
  mutating func remove(_ owner: Int, from target: Int, _ place: LinkColumn) {
    guard owners[place]?[safe: target] == UInt32(truncatingIfNeeded: owner) else { return }
    set(noRow, target, place)
  }

  private mutating func set(_ owner: UInt32, _ target: Int, _ place: LinkColumn) {
    guard owners[place]?.indices.contains(target) == true else { return }
    owners[place]?[target] = owner
  }
}

extension InverseIndex {
  /// For each row of the destination the first that leads to it, or `noRow`.
  fileprivate var soleOwners: [UInt32] { ends.indices.map { self[$0].first ?? noRow } }
}
