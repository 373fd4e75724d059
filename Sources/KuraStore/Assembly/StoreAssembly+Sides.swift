import KuraGraph
import KuraModel
import KuraValues

extension StoreAssembly {
  /// Takes in what the other side of a relationship says.
  ///
  /// A key that is there is the whole of that side, a key left out says nothing; a pair that one
  /// side has and the other, being there, has not is a contradiction.
  mutating func takeIn(
    _ other: LinkRows, _ rawOther: RawLinks, _ otherKey: RelationshipKey,
    into rows: inout LinkRows, _ raw: RawLinks, _ key: RelationshipKey,
    _ tables: (here: Table, there: Table)
  ) {
    var lists = rows.lists
    for there in 0..<other.count {
      for here in other[there] {
        let row = Int(here)
        guard !lists[row].contains(UInt32(there)) else { continue }
        let isFull = !raw.isToMany && !lists[row].isEmpty
        if raw.numbers(row) != nil || isFull {
          note(contradiction(there, otherKey, tables.there, with: tables.here, row, key))
        } else {
          lists[row].append(UInt32(there))
        }
      }
    }
    // Where both sides are kept, what is missing there is found from there.
    if model.writtenSide(of: key.key, in: key.entity) != .both {
      checkOther(other, rawOther, otherKey, lists, key, tables)
    }
    rows = LinkRows(lists: lists)
  }

  /// Every pair of the written side must be on the other side where that one is there.
  private mutating func checkOther(
    _ other: LinkRows, _ rawOther: RawLinks, _ otherKey: RelationshipKey, _ lists: [[UInt32]],
    _ key: RelationshipKey, _ tables: (here: Table, there: Table)
  ) {
    for (row, list) in lists.enumerated() {
      for there in list.map({ Int($0) }) where rawOther.numbers(there) != nil {
        guard !other[there].contains(UInt32(row)) else { continue }
        note(contradiction(there, otherKey, tables.there, with: tables.here, row, key))
      }
    }
  }

  /// A relationship that is its own inverse is on both objects.
  mutating func makeSymmetric(
    _ rows: inout LinkRows, _ raw: RawLinks, _ key: RelationshipKey, _ table: Table
  ) {
    var lists = rows.lists
    for from in 0..<rows.count {
      for to in rows[from].map({ Int($0) }) where !lists[to].contains(UInt32(from)) {
        let isFull = !raw.isToMany && !lists[to].isEmpty
        // The document writes a pair on the object with the lower number; the other may be silent,
        // or list only those that are above itself.
        if isFull || (!raw.isToMany && raw.numbers(to)?.isEmpty == true) {
          note(contradiction(to, key, table, with: table, from, key))
        } else {
          lists[to].append(UInt32(from))
        }
      }
    }
    rows = LinkRows(lists: lists)
  }

  func contradiction(
    _ there: Int, _ otherKey: RelationshipKey, _ table: Table, with here: Table, _ row: Int,
    _ key: RelationshipKey
  ) -> RowProblem {
    RowProblem(
      kind: .contradiction("\(here.objectID(row)) \(key.key)"),
      entity: table.objectID(there).entity, row: there, objectID: table.identifiers[there],
      key: otherKey.key)
  }
}
