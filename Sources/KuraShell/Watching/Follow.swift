import KuraBytes
import KuraDiagnostics
import KuraStore

/// Waits beside a store for what others do to it.
package struct StoreWaiting {
  package enum Moment: Sendable {
    /// Perhaps somebody has saved.
    case look
    /// Somebody asks for the end, or nobody reads any more.
    case end
  }

  package var next: () -> Moment

  package init(next: @escaping () -> Moment) { self.next = next }
}

extension Session {
  /// Stays, takes in what others save, and says at once what that means for what is watched; until
  /// somebody asks for the end, or nobody reads.
  func follow(_ name: String) throws {
    guard store.keeper != nil, let path = store.path,
      let waiting = surroundings.waitBeside(path, surroundings.isEnding)
    else { throw Failure(WatchFacts.nothingToFollow) }
    defer { watches.remove(name) }
    try handOn()
    while watches.list.contains(where: { $0.name == name }), !targets.isUnread {
      guard waiting.next() == .look, !surroundings.cancel.isRequested else { return }
      guard try takeInOthers() else { continue }
      try tellWatches()
      try handOn()
    }
  }

  /// Nothing waits for more to come.
  private func handOn() throws {
    try targets.flush()
    try targets.current.flush()
  }
}
