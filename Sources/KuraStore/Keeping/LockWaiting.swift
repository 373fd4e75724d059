package import KuraBytes
package import KuraDiagnostics

/// The handling of a wait while another process saves: report it, and possibly give up.
package struct LockWaiting {
  /// Called when the waiting begins, and again after ten seconds.
  package var report: (Diagnostic) -> Void = { _ in }
  /// Ends the waiting.
  package var cancel: CancelFlag?
  /// The time since an arbitrary moment, to measure the waiting.
  var now: () -> Duration = WaitingReports.clock

  package init(report: @escaping (Diagnostic) -> Void = { _ in }, cancel: CancelFlag? = nil) {
    self.report = report
    self.cancel = cancel
  }
}

extension LockWaiting {
  /// Returns a function to call repeatedly while waiting; it throws when the waiting is to end.
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

/// The reports while another process has the lock: one at once, and one with advice after ten seconds.
struct WaitingReports {
  let path: String
  let now: () -> Duration
  private var start: Duration?
  private var isSaidAgain = false

  init(path: String, now: @escaping () -> Duration) {
    self.path = path
    self.now = now
  }

  /// The time since the waiting began.
  var time: Duration { start.map { now() - $0 } ?? .zero }

  /// Returns the report that is due now, or nil.
  mutating func next(_ holder: LockHolder?) -> KeepingMessage? {
    guard let start else {
      start = now()
      return KeepingMessage(.waiting(holder), path: path)
    }
    guard !isSaidAgain, now() - start >= .seconds(10) else { return nil }
    isSaidAgain = true
    return KeepingMessage(.stillWaiting(holder), path: path)
  }

  /// A clock that counts from an arbitrary moment.
  static var clock: () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }
}
