@preconcurrency import Dispatch
import Synchronization

/// Asks work to stop when its time is over.
///
///     deadline.start(.seconds(5))
///     work()              // looks at the flag, which is raised after five seconds
///     deadline.stop()     // true, and the flag is down again, if that was so
package final class Deadline: Sendable {
  private struct Clock {
    var end: ContinuousClock.Instant?
    var isOver = false
  }

  private let flag: CancelFlag
  private let clock = Mutex(Clock())
  /// One for all pieces of work: a million of them, one after the other, leave nothing behind. Made
  /// when it is wanted: it costs a thread, which is not always to be had.
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  package init(_ flag: CancelFlag) {
    self.flag = flag
  }

  deinit { timer.withLock { $0?.cancel() } }
}

extension Deadline {
  private func schedule(in time: Duration) {
    timer.withLock { timer in
      let known = timer ?? makeTimer()
      known.schedule(deadline: .now() + time.inSeconds)
      if timer == nil { known.activate() }
      timer = known
    }
  }

  private func makeTimer() -> any DispatchSourceTimer {
    // A queue of its own has a thread also when the work has all cores.
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "deadline"))
    timer.setEventHandler { [weak self] in self?.ring() }
    return timer
  }
}

extension Deadline {
  /// Whether the work that is going on was asked to stop.
  package var isOver: Bool { clock.withLock { $0.isOver } }

  /// Gives a piece of work its time.
  package func start(_ time: Duration) {
    clock.withLock { $0 = Clock(end: .now + time) }
    schedule(in: time)
  }

  /// Ends the counting; whether the time was over.
  ///
  /// Then the flag is taken back, so that the next piece of work is not stopped by it.
  @discardableResult
  package func stop() -> Bool {
    let wasOver = clock.withLock { clock in
      defer { clock = Clock() }
      if clock.isOver { flag.reset() }
      return clock.isOver
    }
    return wasOver
  }

  /// Ends the counting while a person is asked; whether there was time left.
  package func pause() -> Bool {
    let isCounting = clock.withLock { $0.end != nil }
    stop()
    return isCounting
  }

  private func ring() {
    clock.withLock { clock in
      guard let end = clock.end else { return }
      // It may ring for a piece that is done, when another has begun.
      let rest = ContinuousClock.now.duration(to: end)
      guard rest <= .zero else { return schedule(in: rest) }
      clock.isOver = true
      flag.request()
    }
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
