import KuraGraph

/// Where the rows of a table come from.
struct RowOrigin {
  /// The builders whose rows stand one behind the other.
  var parts: [Int]
  /// For each row of the table its place among those; nil: the same.
  var order: [Int]?
}

extension StoreAssembly {
  /// The entity under which the document has the object of a problem, and its place in that list.
  func origin(of problem: RowProblem) -> (entity: String, row: Int)? {
    switch problem.kind {
    case .unknownKey, .mismatch, .notAnObject, .missing, .duplicateObjectID, .abstract:
      return (problem.entity, problem.row)
    case .dangling, .contradiction, .twice:
      guard let table = layout.places[problem.entity]?.table, origins.indices.contains(table)
      else { return nil }
      let origin = origins[table]
      let place = place(of: origin.order?[problem.row] ?? problem.row, in: origin.parts)
      return (builders[place.part].name, place.row)
    }
  }
}
