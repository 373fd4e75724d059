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
