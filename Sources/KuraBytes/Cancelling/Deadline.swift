import CThreads
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
  private let bell = Mutex<Bell?>(nil)
  private let needsNoThread: Bool

  /// With `needsNoThread` as where the system gives none.
  package init(_ flag: CancelFlag, needsNoThread: Bool = false) {
    (self.flag, self.needsNoThread) = (flag, needsNoThread)
  }

  deinit { bell.withLock { $0?.end() } }
}

extension Deadline {
  /// What rings when a time is over.
  private enum Bell {
    case timer(any DispatchSourceTimer)
    case signal(OpaquePointer)

    func ring(in time: Duration) {
      switch self {
      case .timer(let timer): timer.schedule(deadline: .now() + time.inSeconds)
      case .signal(let bell): kura_bell_set(bell, time.inNanoseconds)
      }
    }

    func end() {
      switch self {
      case .timer(let timer): timer.cancel()
      case .signal(let bell): kura_bell_give_back(bell)
      }
    }
  }

  /// False where the system has nothing that rings.
  private func schedule(in time: Duration) -> Bool {
    bell.withLock { bell in
      bell = bell ?? makeBell()
      bell?.ring(in: time)
      return bell != nil
    }
  }

  private func makeBell() -> Bell? {
    guard needsNoThread || !kura_has_threads() else { return .timer(makeTimer()) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    let bell = kura_bell_take(
      { Unmanaged<Deadline>.fromOpaque($0).takeUnretainedValue().ringInHandler() }, context)
    return bell.map { .signal($0) }
  }

  private func makeTimer() -> any DispatchSourceTimer {
    // A queue of its own has a thread also when the work has all cores.
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "deadline"))
    timer.setEventHandler { [weak self] in self?.ring() }
    timer.activate()
    return timer
  }
}

extension Deadline {
  /// Whether the work that is going on was asked to stop.
  package var isOver: Bool { clock.withLock { $0.isOver } }

  /// Gives a piece of work its time; false where the system gives no timer, and nothing will end it.
  @discardableResult
  package func start(_ time: Duration) -> Bool {
    clock.withLock { $0 = Clock(end: .now + time) }
    return schedule(in: time)
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
    let rest = clock.withLock { clock in hear(&clock) }
    if let rest { _ = schedule(in: rest) }
  }

  /// Who has the clock may be who was interrupted: then it rings once more.
  private func ringInHandler() {
    let isHeard = clock.withLockIfAvailable { clock in hear(&clock) } != nil
    guard !isHeard else { return }
    bell.withLockIfAvailable { $0?.ring(in: .milliseconds(1)) }
  }

  /// Asks to stop if the time is over; how long it still is, if it rang for a piece that is done,
  /// when another has begun.
  private func hear(_ clock: inout Clock) -> Duration? {
    guard let end = clock.end else { return nil }
    let rest = ContinuousClock.now.duration(to: end)
    guard rest <= .zero else { return rest }
    clock.isOver = true
    flag.request()
    return nil
  }
}

extension Duration {
  /// `5`, `0.5`, `0.00001`: seconds, to the nanosecond.
  package var secondsText: String {
    let nanoseconds = min((components.attoseconds + 500_000_000) / 1_000_000_000, 999_999_999)
    guard nanoseconds > 0 else { return "\(components.seconds)" }
    let digits = String(nanoseconds)
    let fraction = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    let end = fraction.lastIndex { $0 != "0" } ?? fraction.startIndex
    return "\(components.seconds).\(fraction[...end])"
  }

  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// At least one: nothing rings in none.
  fileprivate var inNanoseconds: Int64 { Int64(min(max(1, inSeconds * 1e9), 9e18)) }
}
