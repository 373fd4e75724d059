package import KuraDiagnostics
package import KuraGraph
package import KuraPredicates
import Synchronization

/// A watched fetch of a context, which threads share.
///
///     let bells = try context.results(of: fetch, environment) { change in print(change.events) }
///     bells.answer.objects
package final class FetchedResults: Sendable {
  private let watched: Mutex<WatchedFetch>
  private let observer = Mutex<ContextObserver.ID?>(nil)

  init(_ watched: WatchedFetch) { self.watched = Mutex(watched) }

  /// The answer as it is now, as a value; while somebody keeps it, the next step copies it.
  package var answer: WatchedFetch { watched.withLock { $0 } }

  /// Asks the answer, which is not copied.
  package func read<Result: Sendable>(_ body: (borrowing WatchedFetch) -> Result) -> Result {
    watched.withLock { body($0) }
  }
}

extension ManagedObjectContext {
  /// Watches a fetch: `body` is told behind each act that changed its answer, and once when the fetch
  /// ends, with the reason.
  package mutating func results(
    of fetch: FetchTree, _ environment: FetchEnvironment,
    _ body: @escaping @Sendable (ResultsChange, ResultsEnd?) -> Void
  ) throws(Diagnostic) -> FetchedResults {
    let results = FetchedResults(try WatchedFetch(fetch, in: graph, environment))
    let observer = observe { [weak results] step, graph in
      guard let (change, end) = results?.take(step, graph) else { return }
      if !change.isEmpty || end != nil { body(change, end) }
    }
    results.observed(by: observer)
    return results
  }

  /// Watches no more.
  package mutating func stop(_ results: FetchedResults) {
    if let observer = results.observed(by: nil) { removeObserver(observer) }
  }
}

extension FetchedResults {
  /// The change, and the end where this step is it.
  fileprivate func take(_ step: ContextChange, _ graph: Graph) -> (ResultsChange, ResultsEnd?) {
    watched.withLock { watched in
      let wasOver = watched.end != nil
      let change = watched.take(step, graph)
      return (change, wasOver ? nil : watched.end)
    }
  }

  @discardableResult
  fileprivate func observed(by id: ContextObserver.ID?) -> ContextObserver.ID? {
    observer.withLock { known in
      defer { known = id }
      return known
    }
  }
}
