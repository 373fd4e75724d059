package import KuraBytes
package import KuraDiagnostics

/// What is done while somebody else saves: it is said, and one may give up.
package struct LockWaiting {
  /// Told when the waiting begins, and again when it takes long.
  package var report: (Diagnostic) -> Void = { _ in }
  /// Ends it.
  package var cancel: CancelFlag?
  /// How long it lasts, by a clock that begins anywhere.
  var now: () -> Duration = WaitingReports.clock

  package init(report: @escaping (Diagnostic) -> Void = { _ in }, cancel: CancelFlag? = nil) {
    self.report = report
    self.cancel = cancel
  }
}

extension LockWaiting {
  /// What is to be called again and again; throws when it is enough.
  func steps(path: String, _ limit: Duration?) -> (LockHolder?) throws -> Void {
    var reports = WaitingReports(path: path, now: now)
    return { [report, cancel] holder in
      try cancel?.check()
      if let facts = reports.next(holder) { report(Diagnostic(facts, severity: .note)) }
      if let limit, reports.time >= limit {
        throw KeepingFailure.lockTimedOut(holder, after: limit)
      }
    }
  }
}

/// What is said while somebody else has the lock: at once, and after some time how not to wait.
struct WaitingReports {
  let path: String
  let now: () -> Duration
  private var start: Duration?
  private var isSaidAgain = false

  init(path: String, now: @escaping () -> Duration) {
    self.path = path
    self.now = now
  }

  /// How long it has lasted.
  var time: Duration { start.map { now() - $0 } ?? .zero }

  /// What is to be said now, if anything.
  mutating func next(_ holder: LockHolder?) -> KeepingFacts? {
    guard let start else {
      start = now()
      return .waiting(holder, path: path)
    }
    guard !isSaidAgain, now() - start >= .seconds(10) else { return nil }
    isSaidAgain = true
    return .stillWaiting(holder, path: path)
  }

  /// Time since some moment.
  static var clock: () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }
}
