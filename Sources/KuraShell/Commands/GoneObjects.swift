import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  /// Throws if a variable that is to be changed holds an object that was deleted, in whichever
  /// context.
  func checkPresent(_ source: FetchSource) throws {
    guard case .objects(let tree) = source.kind, case .variable(let name) = tree.kind,
      let gone = state.variables[name]?.objectIDs.first(where: isGone)
    else { return }
    throw Failure(ChangeFacts.noObject(gone), at: source.span)
  }

  private func isGone(_ id: ObjectID) -> Bool { state.context.graph.find(id) == nil }
}

extension Value {
  /// The objects that it is, or holds.
  fileprivate var objectIDs: [ObjectID] {
    switch self {
    case .object(let reference): reference.id.map { [$0] } ?? []
    case .list(let values): values.flatMap(\.objectIDs)
    case .set(let values): values.elements.flatMap(\.objectIDs)
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .dictionary:
      []
    }
  }
}
