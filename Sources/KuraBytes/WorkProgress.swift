/// How far long work is: who works tells it, a terminal shows it.
///
///     progress.report(.init(.loading("todo.json"), done: 88_000_000, of: 205_000_000))
///     progress.end()   // the work is done, and nothing of it stays to be seen
///
/// A report is cheap, but not free: it belongs where the flag for cancelling is looked at.
package struct WorkProgress: Sendable {
  /// May be called by any thread.
  package let report: @Sendable (Moment) -> Void
  package let end: @Sendable () -> Void

  package init(
    report: @escaping @Sendable (Moment) -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.report = report
    self.end = end
  }

  /// Nobody watches.
  package static let none = WorkProgress(report: { _ in }, end: {})
}

extension WorkProgress {
  /// A moment of some work.
  package struct Moment: Sendable, Equatable {
    package let work: Work
    /// In the unit of the work.
    package let done: Int
    /// Nil where the end is not known, as of a pipe.
    package let total: Int?

    package init(_ work: Work, done: Int, of total: Int? = nil) {
      self.work = work
      self.done = done
      self.total = total
    }
  }

  /// What goes on, and in what unit it is counted.
  package enum Work: Sendable, Equatable {
    /// a file or pipe by its name; in bytes
    case loading(String)
    /// an entity; in rows
    case fetching(String)
  }
}
