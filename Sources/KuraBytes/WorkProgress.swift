/// The progress of long work: the work reports it, and a terminal shows it.
///
///     progress.report(.init(.loading("todo.json"), done: 88_000_000, of: 205_000_000))
///     progress.end()   // the work is done; a terminal removes its progress
///
/// A report is cheap but not free. Report where the cancel flag is checked.
package struct WorkProgress: Sendable {
  /// Reports progress. Safe to call from any thread.
  package let report: @Sendable (Moment) -> Void
  package let end: @Sendable () -> Void

  package init(
    report: @escaping @Sendable (Moment) -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.report = report
    self.end = end
  }

  /// Progress that is ignored.
  package static let none = WorkProgress(report: { _ in }, end: {})
}

extension WorkProgress {
  /// The state of some work.
  package struct Moment: Sendable, Equatable {
    package let work: Work
    /// The amount that is done, in the unit of the work.
    package let done: Int
    /// The total amount; nil if it is unknown, as for a pipe.
    package let total: Int?

    package init(_ work: Work, done: Int, of total: Int? = nil) {
      self.work = work
      self.done = done
      self.total = total
    }
  }

  /// The work and its unit.
  package enum Work: Sendable, Equatable {
    /// Loading a file or pipe by name, in bytes
    case loading(String)
    /// Fetching objects of an entity, in rows
    case fetching(String)
  }
}
