import KuraBytes
import Synchronization

/// How many rows of a scan have been asked; any thread may add some.
final class ScanProgress: Sendable {
  private let progress: WorkProgress
  private let entity: String
  private let rows: Int
  private let done = Atomic<Int>(0)

  init(_ progress: WorkProgress, _ entity: String, rows: Int) {
    self.progress = progress
    self.entity = entity
    self.rows = rows
  }

  func add(_ count: Int) {
    let done = done.add(count, ordering: .relaxed).newValue
    progress.report(WorkProgress.Moment(.fetching(entity), done: done, of: rows))
  }
}
