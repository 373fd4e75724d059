import Dispatch
import Synchronization

/// Runs a limited number of queries concurrently, and rejects further ones.
///
/// A fetch blocks its thread until it has a result. Swift's tasks share one thread per core, so a
/// few slow queries there would block all other tasks.
final class Desk: Sendable {
  /// The idle serial queues. Each uses a thread of its own; the blocks of a concurrent queue would
  /// share the threads of the tasks.
  private let free: Mutex<[DispatchQueue]>

  init(seats: Int) {
    free = Mutex((0..<seats).map { DispatchQueue(label: "query \($0)") })
  }

  /// Runs the work and returns its result; nil if all queues are busy.
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
