package import KuraPredicates

/// `explain fetch …`, `explain analyze run Overdue(today())`
package struct ExplainStatement: Sendable {
  /// Whether it is run, and what came of each node is shown.
  package var isAnalysis: Bool
  package var subject: Subject

  package enum Subject: Sendable {
    /// `fetch Item where done == NO`, `count Item`
    case fetch(FetchTree)
    /// `run Overdue(today())`
    case run(RunStatement)
  }

  package init(isAnalysis: Bool, _ subject: Subject) {
    self.isAnalysis = isAnalysis
    self.subject = subject
  }
}
