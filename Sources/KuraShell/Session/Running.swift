import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraScript
import KuraSentences
import KuraValues

// The steps around a statement
extension Session {
  /// Runs a statement that took `reading` to parse.
  ///
  /// Returns false if it failed; the message has been reported then.
  func run(_ statement: Statement, in source: SourceText, reading: Duration) -> Bool {
    transcribe(statement, source)
    if postpones(statement, in: source) { return true }
    let succeeded = runUnread()
    guard succeeded || launch.continuesAfterErrors else { return false }
    let isDone = perform(statement, in: source, reading)
    gradeInLesson(statement, in: source, isDone: isDone)
    return isDone && succeeded
  }

  /// Performs a statement, without postponing it.
  private func perform(
    _ statement: Statement, in source: SourceText, _ reading: Duration = .zero
  ) -> Bool {
    let start = services.uptime()
    timeInPager = .zero
    defer { deadline.stop() }
    do {
      let command = try statement.command
      if command.isLimited { try limitTime() }
      try services.cancel.check()
      if !command.joinsReports { report.flush() }
      remarks.begin(statement.warnings, source)
      try command.perform(in: self, source)
      reportWarnings(in: source)
      reportNote(in: source)
      warnOfReadOnly()
      try tellWatches()
      guard command.isTimed else { return true }
      tell(of: try targets.endStatement())
    } catch {
      remarks.note = nil
      reportWarnings(in: source, besides: Failure(error).diagnostics.map(\.span))
      fail(error, of: statement, in: source)
      try? tellWatches()
      return false
    }
    if settings.isTimed {
      let time = reading + services.uptime() - start - timeInPager
      report(services.ask == nil ? Report.time(time) : Report.readableTime(time))
    }
    return true
  }

  /// Writes a typed statement to the transcript; scripts are not part of it.
  private func transcribe(_ statement: Statement, _ source: SourceText) {
    guard transcript.isOn, depth == 0,
      (statement.tree as? SettingStatement)?.name.text != "transcript"
    else { return }
    transcript.typed(source.text(statement.span))
  }

  /// Starts the time limit, if there is one.
  func limitTime() throws(Failure) {
    guard let timeout = settings.timeout, !deadline.start(timeout) else { return }
    throw Failure(StopReason.noTimer)
  }

  var reasonToStop: StopReason {
    guard deadline.isOver, let timeout = settings.timeout else { return .stopped }
    return .tookTooLong(timeout)
  }

  /// Reports why something was not done.
  func fail(_ error: any Error, in source: SourceText? = nil) {
    var failure = services.cancel.isRequested ? Failure(reasonToStop) : Failure(error)
    if status == .done { status = failure.status }
    if failure.isInStatement {
      failure.diagnostics = failure.diagnostics.map { corrected($0, in: source) }
    }
    report(failure, in: source)
  }
}

/// The warnings and the note about a statement, until they are reported.
struct StatementRemarks {
  /// Warnings about the statement's meaning.
  let warnings = WarningList()
  /// Warnings from parsing; an error at the same place replaces them.
  private var reading: (list: [Diagnostic], source: SourceText?) = ([], nil)
  /// A note, to be reported after the results.
  var note: Diagnostic?
  /// Whether the statement had a warning.
  fileprivate var hasWarned = false
  /// Whether the warning about changes under `--read-only` was given.
  fileprivate var hasWarnedOfReadOnly = false

  fileprivate mutating func begin(_ warnings: [Diagnostic], _ source: SourceText) {
    (reading, hasWarned) = ((warnings, source), false)
  }

  /// Returns the warnings with their texts, and clears the lists.
  fileprivate mutating func takeWarnings(
    _ source: SourceText?
  ) -> [(warning: Diagnostic, source: SourceText?)] {
    defer { reading = ([], nil) }
    return reading.list.map { ($0, reading.source) } + warnings.take().map { ($0, source) }
  }
}

extension Session {
  /// Reports the warnings of parsing and checking a statement, before its results.
  ///
  /// A warning is left out if an error has the same place.
  func reportWarnings(in source: SourceText? = nil, besides places: [SourceSpan?] = []) {
    for (warning, source) in remarks.takeWarnings(source) where !places.contains(warning.span) {
      report(corrected(warning, in: source), in: source)
      remarks.hasWarned = true
    }
  }

  /// Records the note that `body` returns, to be reported after the results. A statement has one
  /// note at most: at a prompt, and for a program with `--diagnostics`.
  func note(_ body: () throws -> Diagnostic?) rethrows {
    guard launch.messages != nil || isTypedByUser, remarks.note == nil else { return }
    remarks.note = try body()
  }

  /// Reports the note, unless there was a warning about the same statement.
  private func reportNote(in source: SourceText) {
    defer { remarks.note = nil }
    guard let note = remarks.note, !remarks.hasWarned else { return }
    report(corrected(note, in: source), in: source)
  }

  /// Warns at the first change that it cannot be saved, instead of at the save.
  func warnOfReadOnly() {
    guard store.isReadOnly, !remarks.hasWarnedOfReadOnly, context.hasChanges else { return }
    remarks.hasWarnedOfReadOnly = true
    report(Diagnostic(SaveProblem.changedReadOnly, severity: .warning))
  }
}

/// Queries after the reader of the results has ended.
///
/// They are performed if a change follows, because an error in one of them would have prevented it,
/// and the change can use `_`. A script of endless queries is ended.
struct UnreadQueries {
  private var waiting: [(statement: Statement, source: SourceText)] = []
  /// The number of statements and pieces of the script since the last change.
  private var idle = 0

  /// The number of queries after which a script is ended.
  static let limit = 10_000
}

extension UnreadQueries {
  var isEmpty: Bool { waiting.isEmpty }

  /// The number, if it exceeds the limit.
  var tooMany: Int? { idle >= Self.limit ? idle : nil }

  mutating func put(_ statement: Statement, _ source: SourceText) {
    waiting.append((statement, source))
    idle += 1
  }

  /// Counts a statement, or a piece of the script.
  mutating func count(_ effect: Effect) { idle = effect == .changes ? 0 : idle + 1 }

  /// Returns the postponed queries and clears the list.
  mutating func takeAll() -> [(statement: Statement, source: SourceText)] {
    defer { waiting = [] }
    return waiting
  }
}

extension Session {
  /// Postpones a query whose result nothing reads.
  func postpones(_ statement: Statement, in source: SourceText) -> Bool {
    guard targets.isUnread, services.ask == nil else { return false }
    let effect = (try? statement.command.effect) ?? .changes
    guard effect == .reads else {
      unread.count(effect)
      return false
    }
    unread.put(statement, source)
    return true
  }

  /// Performs the postponed queries; returns false if one failed.
  func runUnread() -> Bool {
    var succeeded = true
    for (statement, source) in unread.takeAll() where succeeded || launch.continuesAfterErrors {
      succeeded = perform(statement, in: source) && succeeded
    }
    return succeeded
  }

  /// Ends a script that has consisted only of unread queries for too long; returns whether it did.
  func leavesUnreadScript() -> Bool {
    guard targets.isUnread else { return false }
    unread.count(.reads)
    guard let count = unread.tooMany else { return false }
    isLeaving = true
    fail(Failure(ScriptProblem.nobodyReads(statements: count)))
    return true
  }
}
