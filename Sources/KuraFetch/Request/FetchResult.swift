package import KuraGraph
package import KuraValues

/// The objects that a fetch found, in their order.
package struct FetchResult: Sendable {
  package let snapshot: GraphSnapshot
  package let entity: String
  /// The table of all of them.
  package let table: Int
  /// Their rows in it.
  package let rows: [UInt32]

  package var count: Int { rows.count }

  package func object(_ i: Int) -> GraphObject {
    snapshot.object(table: table, row: Int(rows[i]))
  }

  /// The objects as a list.
  package var value: Value {
    .list(rows.indices.map { .object(ObjectReference(object($0))) })
  }
}
