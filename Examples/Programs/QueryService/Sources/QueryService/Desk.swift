import Dispatch
import Synchronization

/// Where questions are worked on, so many at once: who comes when all seats are taken is told so.
///
/// A fetch keeps its thread until it has an answer. Swift's tasks have a thread for each core, and on
/// those a few slow questions would keep everybody from being heard, while nobody's time runs.
final class Desk: Sendable {
  /// Serial queues: each has a thread of its own, where the blocks of a concurrent one share those of
  /// the tasks.
  private let free: Mutex<[DispatchQueue]>

  init(seats: Int) {
    free = Mutex((0..<seats).map { DispatchQueue(label: "question \($0)") })
  }

  /// What the work gives; nil where all seats are taken.
  func work<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer? {
    guard let seat = free.withLock({ $0.popLast() }) else { return nil }
    return try await withCheckedThrowingContinuation { continuation in
      seat.async {
        let result = Result { try body() }
        self.free.withLock { $0.append(seat) }
        continuation.resume(with: result)
      }
    }
  }
}
