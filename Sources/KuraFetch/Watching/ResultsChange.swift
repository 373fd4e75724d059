package import KuraDiagnostics
package import KuraGraph
package import KuraPredicates
package import KuraValues
import Synchronization

/// The change of a watched fetch's answer by a step of the graph.
///
/// Places are as in batch updates of a table: deletions and starts of moves refer to the old answer; insertions, ends
/// of moves and updates to the new one. Deletions and starts of moves in descending order, then insertions and ends of
/// moves in ascending order, transform the old answer into the new one.
package struct ResultsChange: Sendable, Equatable {
  package var events: [ResultsEvent] = []

  package init(_ events: [ResultsEvent] = []) { self.events = events }

  package var isEmpty: Bool { events.isEmpty }
}

/// An event of a row, or a section, of a watched fetch.
package enum ResultsEvent: Sendable, Equatable {
  case delete(ResultsRow, from: ResultsPlace)
  case sectionDelete(heading: Value, at: Int)
  case sectionInsert(heading: Value, at: Int)
  case insert(ResultsRow, at: ResultsPlace)
  /// With the changed keys; empty if other rows caused the move.
  case move(ResultsRow, from: ResultsPlace, to: ResultsPlace, keys: [String])
  case update(ResultsRow, at: ResultsPlace, keys: [String])
}

/// The identity of a row of a watched fetch.
package enum ResultsRow: Sendable, Hashable {
  case object(ObjectID)
  /// The row of a group, with its columns by name.
  case values(ValueDictionary)
}

/// The place of a row, both from 0; an index path in Cocoa.
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

/// The reason why a watched fetch ended.
package enum ResultsEnd: Sendable {
  /// The fetch became invalid.
  case failed(Diagnostic)
  /// Another store was opened.
  case otherStore
}

/// A watched fetch of a context, shared by threads.
///
///     let bells = try context.results(of: fetch, environment) { change in print(change.events) }
///     bells.answer.objects
package final class FetchedResults: Sendable {
  private let watched: Mutex<WatchedFetch>
  private let observer = Mutex<ContextObserver.ID?>(nil)

  init(_ watched: WatchedFetch) { self.watched = Mutex(watched) }

  /// The current answer, as a value; while a copy exists, the next step copies it.
  package var answer: WatchedFetch { watched.withLock { $0 } }

  /// Reads the answer without copying it.
  package func read<Result: Sendable>(_ body: (borrowing WatchedFetch) -> Result) -> Result {
    watched.withLock { body($0) }
  }
}

extension GraphContext {
  /// Watches a fetch: calls `body` after each act that changes its answer, and once when the fetch ends, with the
  /// reason.
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

  package mutating func stop(_ results: FetchedResults) {
    if let observer = results.observed(by: nil) { removeObserver(observer) }
  }
}

extension FetchedResults {
  /// Returns the change, and the reason if this step ends the fetch.
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
