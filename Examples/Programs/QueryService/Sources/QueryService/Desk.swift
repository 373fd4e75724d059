import Dispatch
import Synchronization

/// Where questions are worked on, so many at once: who comes when all seats are taken is told so.
///
/// A fetch keeps its thread until it has an answer. Swift's tasks have a thread for each core, and on
/// those a few slow questions would keep everybody from being heard, while nobody's time runs.
final class Desk: Sendable {
  private let seats: Int
  private let taken = Mutex(0)
  private let queue = DispatchQueue(label: "questions", attributes: .concurrent)

  init(seats: Int) { self.seats = seats }

  /// What the work gives; nil where all seats are taken.
  func work<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer? {
    guard takesSeat() else { return nil }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        let result = Result { try body() }
        self.taken.withLock { $0 -= 1 }
        continuation.resume(with: result)
      }
    }
  }

  private func takesSeat() -> Bool {
    taken.withLock { taken in
      guard taken < seats else { return false }
      taken += 1
      return true
    }
  }
}
