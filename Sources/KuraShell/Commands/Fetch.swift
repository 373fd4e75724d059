import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraRendering
import KuraScript

/// `fetch MemoDate where …`, `count MemoDate`, `exists MemoDate`
extension FetchTree: Command {
  var effect: Effect { .asks }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.read(source) { snapshot, environment in
      let request = try bound(to: snapshot, environment)
      switch result {
      case .objects:
        if case .objects(let tree) = self.source.kind {
          try session.checkPresent([tree], in: source)
        }
        session.variables.lastFetch = try session.show(request)
      case .count: try session.write("\(try request.count())\n")
      case .exists: try session.write("\(try request.exists())\n")
      }
    }
  }
}

extension Session {
  /// Writes what a request finds, and says which objects it were; behind groups are none, and `_` must
  /// not mean the objects of a fetch before.
  fileprivate func show(_ request: BoundRequest) throws -> LastFetch? {
    let answer = try request.answer()
    try write(answer.grid(zone: zone, forms: settings.format.isNested ? recordForms : nil))
    return answer.objects.map(LastFetch.init)
  }
}
