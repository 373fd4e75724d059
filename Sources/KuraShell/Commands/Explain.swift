import KuraDiagnostics
import KuraFetch
import KuraPredicates
import KuraRendering
import KuraScript

extension Session {
  /// `explain fetch …`, `explain analyze count …`, `explain run Overdue(today())`
  mutating func explain(_ statement: ExplainStatement, in source: SourceText) throws {
    switch statement.subject {
    case .fetch(let fetch): try explain(fetch, statement.isAnalysis, in: source)
    case .run(let run):
      try withRequest(run, in: source) { session, fetch, text in
        try session.explain(fetch, statement.isAnalysis, in: text)
      }
    }
  }

  private func explain(_ fetch: FetchTree, _ isAnalysis: Bool, in source: SourceText) throws {
    try read(source) { snapshot, environment in
      let request = try fetch.bound(to: snapshot, environment)
      let explanation =
        isAnalysis ? try request.analysis(fetch.result) : request.explanation(fetch.result)
      try write(Grid(explanation, isAnalysis: isAnalysis, isNested: state.format.isNested))
    }
  }
}
