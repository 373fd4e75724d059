import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraStore
import Synchronization

/// The watched fetches of a session, and their changes that are to be reported.
final class Watches: Sendable {
  fileprivate struct State {
    var list: [WatchedAnswer] = []
    var reported: [ReportedChange] = []
    /// The number of reported steps.
    var step = 0
    var isObserving = false
  }

  private let state = Mutex(State())
  /// The source of the objects in variables.
  private let live: LiveGraph

  init(_ live: LiveGraph) { self.live = live }
}

/// A fetch that is watched under a name.
struct WatchedAnswer: Sendable {
  var name: String
  /// The fetch as written.
  var text: String
  var fetch: WatchedFetch
  /// Whether the new result is shown instead of the events.
  var isFinal: Bool
}

/// A change of a watched result. It does not store the result, because the next step would then
/// copy it.
struct ReportedChange: Sendable {
  var name: String
  var isFinal: Bool
  var step: Int
  var change: ResultsChange
  /// The sections before and after the step.
  var sections: (before: [ResultsRun]?, after: [ResultsRun]?)
  /// The reason why the watch ended with this step; nil if it continues.
  var end: ResultsEnd?
  /// The reason why the fetch fails since this step.
  var failure: Diagnostic?
}

extension Watches {
  var list: [WatchedAnswer] { state.withLock { $0.list } }

  /// Returns whether the context must still be observed; true once.
  func beginObserving() -> Bool {
    state.withLock { state in
      defer { state.isObserving = true }
      return !state.isObserving
    }
  }

  func add(_ watch: WatchedAnswer) { state.withLock { $0.list.append(watch) } }

  /// Removes the watch of a name, or all; returns what was removed.
  @discardableResult
  func remove(_ name: String? = nil) -> [WatchedAnswer] {
    state.withLock { state in
      let gone = state.list.filter { name == nil || $0.name == name }
      state.list.removeAll { name == nil || $0.name == name }
      return gone
    }
  }

  /// Returns the changes to report, and clears the list.
  func takeReported() -> [ReportedChange] {
    state.withLock { state in
      defer { state.reported = [] }
      return state.reported
    }
  }

  /// Takes a step of the context; its changes are reported after the statement's own report.
  func take(_ step: ContextChange, _ graph: Graph) {
    let outside = live.snapshot
    live.snapshot = GraphSnapshot(graph)
    defer { live.snapshot = outside }
    state.withLock { $0.take(step, graph) }
  }
}

extension Watches.State {
  fileprivate mutating func take(_ change: ContextChange, _ graph: Graph) {
    if list.isEmpty { return }
    step += 1
    for i in list.indices {
      let (before, failed) = (list[i].fetch.sections, list[i].fetch.failure != nil)
      let events = list[i].fetch.take(change, graph)
      let failure = failed ? nil : list[i].fetch.failure
      if events.isEmpty, list[i].fetch.end == nil, failure == nil { continue }
      reported.append(
        ReportedChange(
          name: list[i].name, isFinal: list[i].isFinal, step: step, change: events,
          sections: (before, list[i].fetch.sections), end: list[i].fetch.end,
          failure: failure))
    }
    list.removeAll { $0.fetch.end != nil }
  }
}

/// Waits for changes of a store by other processes.
package struct StoreWaiting {
  package enum Moment: Sendable {
    /// The store may have been saved.
    case look
    /// The end was requested, or nothing reads any more.
    case end
  }

  package var next: () -> Moment

  package init(next: @escaping () -> Moment) { self.next = next }
}

extension Session {
  /// Waits, merges what other processes save, and reports at once what changes in watched results;
  /// ends on request, or if nothing reads.
  func follow(_ name: String) throws {
    guard store.keeper != nil, let path = store.path,
      let waiting = services.waitForChange(path, services.isEnding)
    else { throw Failure(WatchProblem.nothingToFollow) }
    defer { watches.remove(name) }
    try handOn()
    while watches.list.contains(where: { $0.name == name }), !targets.isUnread {
      guard waiting.next() == .look, !services.cancel.isRequested else { return }
      guard try mergeOtherSaves() else { continue }
      try tellWatches()
      try handOn()
    }
  }

  /// Writes everything immediately.
  private func handOn() throws {
    try targets.flush()
    try targets.current.flush()
  }
}
