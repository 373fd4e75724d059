import KuraBytes
package import KuraDiagnostics
import KuraSentences
package import KuraStore

/// The exit status of the process.
package enum ExitStatus: Int32, Sendable {
  case done = 0
  /// A statement failed.
  case statementFailed = 1
  /// The store could not be opened, read or written.
  case storeFailed = 2
  /// The session ended with unsaved changes.
  case unsavedChanges = 3
  case wrongCommandLine = 64
}

/// The reason why a statement was not performed, or a store not opened.
package struct Failure: Error {
  package var diagnostics: [Diagnostic]
  package var status: ExitStatus
  /// Whether spans refer to the statement's text, and not to a document that cannot be shown.
  var isInStatement = true

  package init(_ diagnostics: [Diagnostic], status: ExitStatus = .statementFailed) {
    self.diagnostics = diagnostics
    self.status = status
  }

  package init(
    _ facts: some DiagnosticFacts, at span: SourceSpan? = nil,
    status: ExitStatus = .statementFailed
  ) {
    self.init([Diagnostic(facts, at: span)], status: status)
  }

  /// Returns the failure of writing a file that exists, with `facts` about how to continue; other
  /// problems unchanged.
  static func writing(
    _ problems: StoreProblems, over facts: some DiagnosticFacts, at span: SourceSpan? = nil
  ) -> Failure {
    guard problems.isFileThere else { return Failure(problems) }
    return Failure([Diagnostic(facts, at: span)], status: .storeFailed)
  }

  /// Returns a failure that has been reported already, such as the errors of a script that `.read`
  /// ran.
  static func reported(_ status: ExitStatus) -> Failure { Failure([], status: status) }
}

extension Failure {
  /// Converts any error of a statement.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let diagnostic as Diagnostic: self.init([diagnostic])
    case let problems as StoreProblems: self.init(problems)
    default: self.init(UnexpectedProblem(sentence: String(describing: error)))
    }
  }

  package init(_ problems: StoreProblems) {
    self.init(problems.diagnostics, status: .storeFailed)
    isInStatement = false
  }

  /// Returns the messages, each in lines of its own.
  package func rendered(in source: SourceText?, style: DiagnosticStyle) -> String {
    diagnostics.map { $0.rendered(in: isInStatement ? source : nil, style: style) }
      .joined(separator: "\n")
  }

  static func placed(_ diagnostic: Diagnostic, at span: SourceSpan?) -> Diagnostic {
    var placed = diagnostic
    placed.span = diagnostic.span ?? span
    return placed
  }

  /// The sentences alone, for the usage of a command.
  package var message: String {
    diagnostics.map { diagnostic in
      [diagnostic.facts.sentence, diagnostic.facts.help].compactMap(\.self).sentences
    }.joined(separator: "\n")
  }
}

/// Adds a place to a diagnostic that `body` throws without one.
func located<Result>(
  at span: SourceSpan?, _ body: () throws(Diagnostic) -> Result
) throws(Diagnostic) -> Result {
  do {
    return try body()
  } catch {
    throw Failure.placed(error, at: span)
  }
}

/// The reasons why a statement was stopped.
enum StopReason: DiagnosticFacts {
  /// Control-C
  case stopped
  /// A statement that took longer than `--timeout` allows.
  case tookTooLong(Duration)
  /// The system provides neither a thread nor a timer.
  case noTimer

  var sentence: String {
    switch self {
    case .stopped: localized("stopped")
    case .tookTooLong(let time):
      localized("timed out after \(time.secondsText) s")
    case .noTimer: localized("no system timer is available, so the time limit cannot be enforced")
    }
  }

  var help: String? {
    switch self {
    case .stopped: nil
    case .noTimer: localized("to run it without a limit: .timeout off")
    case .tookTooLong:
      localized("to allow more time: --timeout SECONDS, .timeout SECONDS or .timeout off")
    }
  }
}

/// An error that has no message of its own.
struct UnexpectedProblem: DiagnosticFacts {
  let sentence: String
}
