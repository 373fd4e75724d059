package import KuraDiagnostics
package import KuraGraph
package import KuraPredicates
package import KuraValues
import Synchronization

/// How the answer of a watched fetch changed with one step of the graph.
///
/// Places are as in batch updates of a table: what goes, and where a move begins, by the old answer;
/// what comes, where a move ends and what was updated by the new one. Deletions and beginnings of
/// moves in descending order, then insertions and ends of moves in ascending order, make the old
/// answer the new one.
package struct ResultsChange: Sendable, Equatable {
  package var events: [ResultsEvent] = []

  package init(_ events: [ResultsEvent] = []) { self.events = events }

  package var isEmpty: Bool { events.isEmpty }
}

/// What became of one row, or one section, of a watched fetch.
package enum ResultsEvent: Sendable, Equatable {
  case delete(ResultsRow, from: ResultsPlace)
  case sectionDelete(heading: Value, at: Int)
  case sectionInsert(heading: Value, at: Int)
  case insert(ResultsRow, at: ResultsPlace)
  /// With the keys that have other values; none where others made it move.
  case move(ResultsRow, from: ResultsPlace, to: ResultsPlace, keys: [String])
  case update(ResultsRow, at: ResultsPlace, keys: [String])
}

/// A row of a watched fetch, which tells it from the others.
package enum ResultsRow: Sendable, Hashable {
  case object(ObjectID)
  /// The row of a group: its columns by their names.
  case values(ValueDictionary)
}

/// Where a row stands, both from 0: what Cocoa calls an index path.
package struct ResultsPlace: Sendable, Hashable {
  package var section: Int
  package var row: Int

  package init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }
}

/// A section of a watched fetch.
package struct ResultsRun: Sendable, Hashable {
  package var heading: Value
  package var count: Int

  init(_ heading: Value, count: Int) {
    self.heading = heading
    self.count = count
  }
}

/// Why a watched fetch has ended.
package enum ResultsEnd: Sendable {
  /// The fetch can be asked no more.
  case failed(Diagnostic)
  /// Another store is open.
  case otherStore
}

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
