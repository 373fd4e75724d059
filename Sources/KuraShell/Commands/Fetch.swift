import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraRendering
import KuraScript

extension Session {
  /// `fetch MemoDate where …`
  func show(_ fetch: FetchStatement, in source: SourceText) throws {
    try read(source) { snapshot, environment in
      let result = try fetch.request.bound(to: snapshot, environment).run()
      try write(Grid(result, zone: state.zone))
    }
  }
}

extension FetchStatement {
  var request: FetchRequest {
    FetchRequest(
      entity: entity.text, entitySpan: entity.span, predicate: predicate, sort: sort,
      offset: offset, limit: limit)
  }
}
