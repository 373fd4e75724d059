import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraLearning
import KuraPredicates
import KuraScript

/// The environment of a statement that analyzes a fetch.
struct AnalysisContext {
  let fetch: FetchTree
  let snapshot: GraphSnapshot
  let environment: FetchEnvironment
  /// Prints parts of the fetch as they were written.
  let texts: PartTexts
}

extension AnalysisContext {
  func bound() throws(Diagnostic) -> BoundRequest { try fetch.bound(to: snapshot, environment) }
}

extension AnalyzedFetch {
  /// Calls the body with the fetch and the current graph. The parameters of a saved request have
  /// values during the call.
  func look(
    in session: Session, _ source: SourceText, _ body: (AnalysisContext) throws -> Void
  ) throws {
    switch self {
    case .fetch(let fetch): try session.look(into: fetch, source, body)
    case .run(let run):
      try run.withRequest(in: session, source) { fetch, text in
        try session.look(into: fetch, text, body)
      }
    }
  }
}

extension Session {
  fileprivate func look(
    into fetch: FetchTree, _ source: SourceText, _ body: (AnalysisContext) throws -> Void
  ) throws {
    if case .objects(let tree) = fetch.source.kind { try checkPresent([tree], in: source) }
    try read(source) { snapshot, environment in
      let look = AnalysisContext(
        fetch: fetch, snapshot: snapshot, environment: environment, texts: PartTexts(source, zone))
      try DeepStack.runOnItsOwn { try body(look) }
    }
  }
}
