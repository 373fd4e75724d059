import KuraDiagnostics
import KuraFetch
import KuraGraph
import Synchronization

/// The fetches that a session watches, and what is to be said of them.
final class Watches: Sendable {
  fileprivate struct State {
    var list: [WatchedAnswer] = []
    var told: [ToldChange] = []
    /// How many steps somebody was told of.
    var step = 0
    var isObserving = false
  }

  private let state = Mutex(State())
  /// Where the objects in variables are read from.
  private let live: LiveGraph

  init(_ live: LiveGraph) { self.live = live }
}

/// A fetch that is watched under a name.
struct WatchedAnswer: Sendable {
  var name: String
  /// As it was written.
  var text: String
  var fetch: WatchedFetch
  /// Whether the new answer is shown in place of the events.
  var isFinal: Bool
}

/// What a step meant for a watched fetch; of its answer nothing is kept, or the next step would copy
/// it.
struct ToldChange: Sendable {
  var name: String
  var isFinal: Bool
  var step: Int
  var change: ResultsChange
  /// The sections before the step, and behind it.
  var sections: (before: [ResultsRun]?, after: [ResultsRun]?)
  /// Why it ended with this step; nil: it goes on.
  var end: ResultsEnd?
  /// Why it cannot be asked since this step.
  var failure: Diagnostic?
}

extension Watches {
  var list: [WatchedAnswer] { state.withLock { $0.list } }

  /// Whether the context is still to be observed; asked once.
  func beginObserving() -> Bool {
    state.withLock { state in
      defer { state.isObserving = true }
      return !state.isObserving
    }
  }

  func add(_ watch: WatchedAnswer) { state.withLock { $0.list.append(watch) } }

  /// Those that were watched under a name, or all.
  @discardableResult
  func remove(_ name: String? = nil) -> [WatchedAnswer] {
    state.withLock { state in
      let gone = state.list.filter { name == nil || $0.name == name }
      state.list.removeAll { name == nil || $0.name == name }
      return gone
    }
  }

  /// What is to be said, which is forgotten then.
  func takeTold() -> [ToldChange] {
    state.withLock { state in
      defer { state.told = [] }
      return state.told
    }
  }
}

extension Watches {
  /// Takes a step of the context: what it means is kept until the statement has said its own.
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
      told.append(
        ToldChange(
          name: list[i].name, isFinal: list[i].isFinal, step: step, change: events,
          sections: (before, list[i].fetch.sections), end: list[i].fetch.end,
          failure: failure))
    }
    list.removeAll { $0.fetch.end != nil }
  }
}
