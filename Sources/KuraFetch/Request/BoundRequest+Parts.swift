package import KuraDiagnostics
package import KuraGraph
package import KuraPredicates
package import KuraValues

// What is asked of a part of the predicate, or of one of the objects.
extension BoundRequest {
  /// The rows that the predicate is asked of, a bitmap for each chunk of the entity's table.
  package var candidates: [Bitmap] {
    let (table, codes) = (snapshot.graph.tables[place.table], wantedCodes)
    return (0..<table.chunkCount).map { chunk in
      var candidates = table.candidates(inChunk: chunk, codes)
      if let rows { candidates.formIntersection(Bitmap(table.rows(inChunk: chunk), of: rows)) }
      return candidates
    }
  }

  /// The rows among some for which a part of the predicate holds, or another question of its keys.
  ///
  /// Throws where one of them makes it fail.
  package func passing(
    _ part: PredicateTree, among candidates: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    if case .constant(let answer) = part.kind {
      return answer ? candidates : candidates.map { Bitmap(count: $0.count) }
    }
    let pass = RowPass(asking(part), among: candidates)
    guard case .object(let row) = pass.plan.access else { return try pass.chunks() }
    var result = candidates.map { Bitmap(count: $0.count) }
    guard let row, candidates[row >> ColumnChunk.shift][row & ColumnChunk.mask] else {
      return result
    }
    for row in try pass.look(at: row) {
      result[Int(row) >> ColumnChunk.shift][Int(row) & ColumnChunk.mask] = true
    }
    return result
  }

  /// The same without the rows for which it fails.
  package func passingWhereSure(
    _ part: PredicateTree, among candidates: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    try RowPass(asking(part), among: candidates).sureChunks()
  }

  /// A request of all objects of another entity, to ask them what their keys say.
  package func asking(of entity: String) -> BoundRequest? {
    guard let place = snapshot.graph.place(of: entity) else { return nil }
    return BoundRequest(
      snapshot: snapshot, entity: entity, place: place, rows: nil, includesSubentities: true,
      predicate: nil, sort: [], offset: 0, limit: nil, selection: nil, section: nil,
      shared: shared)
  }

  /// The rows at the other end of a relationship, in the table of its destination.
  package func linkedRows(_ key: String, _ row: Int) -> [Int] {
    let table = snapshot.graph.tables[place.table]
    guard let slot = table.layout.slots[table.entityCode(row)][key] else { return [] }
    return snapshot.graph.rows(slot, place.table, row)
  }

  private func asking(_ part: PredicateTree) -> BoundRequest {
    BoundRequest(
      snapshot: snapshot, entity: entity, place: place, rows: rows,
      includesSubentities: includesSubentities, predicate: part, sort: [], offset: 0, limit: nil,
      selection: nil, section: nil, shared: shared)
  }

  /// The row of an object in the table that is asked; nil if it is in no such.
  package func row(of object: ObjectID) -> Int? {
    guard let found = snapshot.graph.find(object), found.table == place.table else { return nil }
    return found.row
  }

  /// The object at a row of the table that is asked.
  package func object(atRow row: Int) -> GraphObject {
    snapshot.object(table: place.table, row: row)
  }

  /// What came of each node of a predicate for the object at a row, by the reference evaluator.
  ///
  /// Throws where it fails, and names the object.
  package func trace(
    _ predicate: PredicateTree, _ row: Int
  ) throws(Diagnostic) -> PredicateTrace {
    let object = object(atRow: row)
    do {
      return try predicate.trace(
        on: .object(ObjectReference(object)), in: environment.evaluation)
    } catch {
      var located = error
      located.facts = RowFailure(object: object.objectID, facts: error.facts)
      throw located
    }
  }
}
