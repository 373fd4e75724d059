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
