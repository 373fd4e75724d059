package import KuraDiagnostics
package import KuraGraph
import KuraModel
package import KuraPredicates
import KuraValues

extension FetchTree {
  /// The request with its names and literals checked.
  ///
  /// Throws at the first place that does not fit the model.
  package func bound(
    to snapshot: GraphSnapshot, _ environment: consuming FetchEnvironment
  ) throws(Diagnostic) -> BoundRequest {
    environment.snapshot = snapshot
    return try Binder(snapshot, entity: nil, SharedEnvironment(environment)).bound(self)
  }
}

extension Binder {
  /// A fetch; what variables around it stand for is known to it.
  func bound(_ fetch: FetchTree) throws(Diagnostic) -> BoundRequest {
    let source = try source(fetch.source)
    guard let place = snapshot.graph.place(of: source.entity) else {
      throw unknownEntity(source.entity, fetch.source.span)
    }
    var inside = self
    inside.entity = source.entity
    let shape = try inside.shape(of: fetch)
    let limit = try inside.count(fetch.limit, "limit")
    _ = try inside.count(fetch.batch, "batch")
    return BoundRequest(
      snapshot: snapshot, entity: source.entity, place: place, rows: source.rows,
      includesSubentities: fetch.includesSubentities,
      predicate: try inside.bound(fetch.predicate), sort: shape.sort,
      offset: try inside.count(fetch.offset, "offset") ?? 0, limit: limit == 0 ? nil : limit,
      selection: shape.selection, section: shape.section, shared: shared)
  }

  func unknownEntity(_ name: String, _ span: SourceSpan) -> Diagnostic {
    let known = model.entities.map(\.name)
    let near = nearNames(to: name, among: known)
    return Diagnostic(
      BindFacts.unknownEntity(name, known: known), at: span,
      fixIt: near.count == 1 ? FixIt(span, near[0]) : nil)
  }
}
