import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraRendering
import KuraScript

extension Session {
  /// `fetch MemoDate where …`, `count MemoDate`, `exists MemoDate`
  mutating func show(_ fetch: FetchTree, in source: SourceText) throws {
    // As `read` does, of which the closure would copy the session.
    let snapshot = state.context.snapshot
    live.snapshot = snapshot
    defer { live.snapshot = nil }
    let request = try fetch.bound(to: snapshot, environment(source))
    switch fetch.result {
    case .objects:
      if case .objects(let tree) = fetch.source.kind { try checkPresent([tree], in: source) }
      state.lastFetch = try show(request)
    case .count: try write("\(try request.count())\n")
    case .exists: try write("\(try request.exists())\n")
    }
  }

  /// Writes what a request finds, and says which objects it were; behind groups are none, and `_` must
  /// not mean the objects of a fetch before.
  private func show(_ request: BoundRequest) throws -> LastFetch? {
    let answer = try request.answer()
    try write(answer.grid(zone: state.zone, forms: state.format.isNested ? recordForms : nil))
    return answer.objects.map(LastFetch.init)
  }
}
