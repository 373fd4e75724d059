import KuraBytes
import KuraDiagnostics
import KuraStore

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
