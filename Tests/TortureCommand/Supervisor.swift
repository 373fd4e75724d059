import Foundation
import Synchronization
import Torture

/// Gives each trial its turns until the time is over; several workers run turns at once.
final class Supervisor: Sendable {
  /// The distance of seeds between slices of a trial, more than any slice has rounds.
  private static let stride: UInt64 = 100_000

  private let order: Order
  private let end: Date
  private let tally: Mutex<Tally>

  init(_ order: Order) {
    self.order = order
    end = Date(timeIntervalSinceNow: order.seconds)
    tally = Mutex(Tally(order.trials))
  }

  /// Runs everything; returns whether nothing was found.
  func run() -> Bool {
    let workers = (0..<min(order.workers, max(1, order.trials.count))).map { _ in
      let finished = DispatchSemaphore(value: 0)
      let worker = Thread {
        self.work()
        finished.signal()
      }
      worker.start()
      return finished
    }
    for worker in workers { worker.wait() }
    return tally.withLock { tally in
      tally.report()
      return tally.found == 0
    }
  }

  private func work() {
    while let (slice, place) = next() {
      let start = Date()
      do {
        let outcome = try SliceProcess(slice, patience: order.patience).run()
        let seconds = Date().timeIntervalSince(start)
        tally.withLock { $0.add(outcome, to: place, seconds: seconds) }
      } catch {
        Report.say("a slice of \(slice.trial.name) could not be started: \(error)")
        return
      }
    }
  }

  /// Returns the next turn, for the trial with the least time so far; nil at the end.
  private func next() -> (Slice, place: Int)? {
    tally.withLock { tally in
      guard let place = tally.next(limit: order.rounds, isOver: Date() >= end) else { return nil }
      let slice = Slice(
        trial: order.trials[place],
        seed: order.rounds == nil
          ? order.seed &+ UInt64(tally.counts[place].slices) &* Self.stride
          : order.seed &+ UInt64(tally.counts[place].rounds),
        rounds: order.rounds.map { $0 - tally.counts[place].rounds } ?? Int(Self.stride),
        seconds: min(turn, max(0, end.timeIntervalSinceNow)))
      tally.begin(place)
      return (slice, place)
    }
  }

  /// The length of a turn, so that each trial gets ten of them unless a process would not be
  /// worthwhile.
  private var turn: Double {
    if order.rounds != nil { return order.seconds }
    let share = order.seconds * Double(order.workers) / Double(max(1, order.trials.count))
    return min(max(share / 10, 0.5), 10)
  }
}
