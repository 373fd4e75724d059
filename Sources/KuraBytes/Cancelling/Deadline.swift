import CThreads
@preconcurrency import Dispatch
import Synchronization

/// A time limit for work: requests a stop when the time is over.
///
///     deadline.start(.seconds(5))
///     work()              // checks the flag, which is raised after five seconds
///     deadline.stop()     // true if the time was over; the flag is then reset
package final class Deadline: Sendable {
  private struct Clock {
    var end: ContinuousClock.Instant?
    var isOver = false
  }

  private let flag: CancelFlag
  private let clock = Mutex(Clock())
  /// The timer, shared by all work so that a million uses leak nothing. It is created on first use,
  /// because it needs a thread, which may be unavailable.
  private let bell = Mutex<Bell?>(nil)
  private let needsNoThread: Bool

  /// Creates a deadline. If `needsNoThread` is true, a signal replaces the thread.
  package init(_ flag: CancelFlag, needsNoThread: Bool = false) {
    (self.flag, self.needsNoThread) = (flag, needsNoThread)
  }

  deinit { bell.withLock { $0?.end() } }
}

extension Deadline {
  /// The source of the timer event.
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

  /// Schedules the timer; returns false if the system provides none.
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
    // A separate queue has a thread even if the work occupies all cores.
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "deadline"))
    timer.setEventHandler { [weak self] in self?.ring() }
    timer.activate()
    return timer
  }

  /// Whether the running work was asked to stop.
  package var isOver: Bool { clock.withLock { $0.isOver } }

  /// Starts the time limit for some work. Returns false if the system provides no timer, so that
  /// nothing will end the work.
  @discardableResult
  package func start(_ time: Duration) -> Bool {
    clock.withLock { $0 = Clock(end: .now + time) }
    return schedule(in: time)
  }

  /// Stops the time limit, and returns whether the time was over.
  ///
  /// In that case the flag is reset, so that it does not stop the next work.
  @discardableResult
  package func stop() -> Bool {
    clock.withLock { clock in
      defer { clock = Clock() }
      if clock.isOver { flag.reset() }
      return clock.isOver
    }
  }

  /// Stops the time limit while the user is asked; returns whether it was running.
  package func pause() -> Bool {
    let isCounting = clock.withLock { $0.end != nil }
    stop()
    return isCounting
  }

  private func ring() {
    let rest = clock.withLock { clock in hear(&clock) }
    if let rest { _ = schedule(in: rest) }
  }

  /// Handles the signal of the timer. If the interrupted thread holds the lock, the timer fires
  /// again.
  private func ringInHandler() {
    let isHeard = clock.withLockIfAvailable { clock in hear(&clock) } != nil
    guard !isHeard else { return }
    bell.withLockIfAvailable { $0?.ring(in: .milliseconds(1)) }
  }

  /// Requests a stop if the time is over. Returns the remaining time if the event belongs to
  /// earlier work and new work has started.
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
  /// The duration in seconds, to the nanosecond: `5`, `0.5`, `0.00001`.
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

  /// The duration in nanoseconds, at least one because a timer cannot fire after zero.
  fileprivate var inNanoseconds: Int64 { Int64(min(max(1, inSeconds * 1e9), 9e18)) }
}

/// A request to stop running work. The requester raises the flag; the work checks it regularly.
///
///     CancelFlag.current.request()       // Control-C
///     CancelFlag.current.isRequested     // true
///     CancelFlag.current.reset()         // before the next piece of work
package final class CancelFlag: Sendable {
  /// The flag of this process, which signal handlers can access.
  package static let current = CancelFlag()

  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether a stop was requested. Reading it is cheap enough for a loop over values.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Requests a stop. Safe to call in a signal handler.
  package func request() { flag.store(true, ordering: .relaxed) }

  package func reset() { flag.store(false, ordering: .relaxed) }
}

extension CancelFlag {
  /// Throws `Stopped` if a stop was requested.
  package func check() throws(Stopped) {
    if isRequested { throw Stopped() }
  }
}

/// The work was stopped before its end, without a result.
package struct Stopped: Error {
  package init() {}
}
