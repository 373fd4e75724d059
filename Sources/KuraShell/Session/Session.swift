import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraRendering
import KuraScript

/// Takes statements and writes what comes of them.
///
///     var session = try Session(launch, surroundings)
///     session.run("count MemoDate")     // 18
///
/// It knows no terminal: what it reads, writes and asks goes through its surroundings.
package struct Session {
  package var state: SessionState
  package let surroundings: Surroundings
  var targets: ResultTargets
  /// What objects in variables are read from.
  let live = LiveGraph()
  let recordForms = RecordForms()
  var unread = UnreadQueries()
  /// What a statement asks and perhaps does not mean, until it is said.
  let warnings = WarningList()
  /// Ends a statement that takes longer than `--timeout`.
  let deadline: Deadline

  package init(_ state: SessionState, _ surroundings: Surroundings) {
    self.state = state
    self.surroundings = surroundings
    targets = ResultTargets(surroundings.results)
    deadline = Deadline(surroundings.cancel)
  }
}

extension Session {
  /// Runs a statement that was read in the time `reading`.
  ///
  /// False if it failed; the message has been reported then.
  mutating func run(_ statement: Statement, in source: SourceText, reading: Duration) -> Bool {
    if postpones(statement, in: source) { return true }
    let isWell = askUnread()
    return (isWell || state.keepsGoing) && perform(statement, in: source, reading) && isWell
  }

  /// The same, now.
  mutating func perform(
    _ statement: Statement, in source: SourceText, _ reading: Duration = .zero
  ) -> Bool {
    let start = surroundings.uptime()
    if let timeout = state.timeout, !statement.isReading { deadline.start(timeout) }
    defer { deadline.stop() }
    do {
      try surroundings.cancel.check()
      for warning in statement.warnings {
        report(warning, in: source)
      }
      try perform(statement, in: source)
      reportWarnings(in: source)
      warnOfReadOnly()
      if statement.isTimed { try targets.endStatement() }
    } catch {
      reportWarnings(in: source)
      fail(error, in: source)
      return false
    }
    if state.isTimed, statement.isTimed {
      report(Report.time(reading + surroundings.uptime() - start))
    }
    return true
  }

  /// Says at the first change, and not at the save that will be refused, that it cannot be saved.
  private mutating func warnOfReadOnly() {
    guard state.store.isReadOnly, !state.isWarned, state.context.hasChanges else { return }
    state.isWarned = true
    report(Diagnostic(ShellFacts.changedReadOnly, severity: .warning))
  }

  /// Reports why something was not done.
  mutating func fail(_ error: any Error, in source: SourceText? = nil) {
    let failure = surroundings.cancel.isRequested ? Failure(reasonToStop) : Failure(error)
    if state.status == .done { state.status = failure.status }
    guard !failure.diagnostics.isEmpty else { return }
    report(rendered: failure.rendered(in: source, style: surroundings.style))
  }
}

extension Session {
  /// Writes a line to standard error, behind the results that belong before it; what names in it
  /// hide is shown.
  func report(_ text: String) { report(rendered: VisibleText.of(text)) }

  /// Writes a message that is no failure: a warning, a note.
  func report(_ diagnostic: Diagnostic, in source: SourceText? = nil) {
    report(rendered: diagnostic.rendered(in: source, style: surroundings.style))
  }

  /// Says what the check of a statement has found strange: before its results.
  private func reportWarnings(in source: SourceText? = nil) {
    for warning in warnings.take() { report(warning, in: source) }
  }

  /// Writes what has only colours and line ends that are ours.
  private func report(rendered text: String) {
    targets.standard.flushQuietly()
    surroundings.report(WrappedText(width: surroundings.reportWidth()).text(text) + "\n")
  }

  /// Writes text to the results; nobody may read them any more, and that is no failure.
  func write(_ text: String) throws {
    reportWarnings()
    do { try targets.current.append(text) } catch is ClosedOutput {}
  }

  /// Writes a grid to the results, in the session's format.
  func write(_ grid: consuming Grid) throws {
    reportWarnings()
    let target = targets.current
    var buffer = OutputBuffer { try target.append($0) }
    do {
      try grid.write(as: state.format, renderingOptions, to: &buffer)
    } catch is ClosedOutput {}
  }

  private var renderingOptions: RenderingOptions {
    RenderingOptions(
      zone: state.zone, nullText: state.nullText,
      width: targets.isStandard ? surroundings.terminalWidth() : nil,
      ambiguousIsWide: surroundings.style.ambiguousIsWide,
      isTerminal: targets.current.isTerminal, cancel: surroundings.cancel)
  }

  /// Asks the graph as it is now; nothing changes meanwhile.
  func read<Result>(
    _ source: SourceText?, _ body: (GraphSnapshot, FetchEnvironment) throws -> Result
  ) rethrows -> Result {
    let snapshot = state.context.snapshot
    live.snapshot = snapshot
    defer { live.snapshot = nil }
    return try body(snapshot, environment(source))
  }

  /// What a statement knows besides the graph.
  func environment(_ source: SourceText?) -> FetchEnvironment {
    FetchEnvironment(
      variables: state.variables, entities: state.variableEntities, lastFetch: state.lastFetch,
      now: surroundings.now(), rules: state.zone, locale: state.locale, source: source,
      warnings: warnings, cancel: surroundings.cancel, progress: surroundings.progress)
  }
}

extension Session {
  private var reasonToStop: ShellFacts {
    guard deadline.isOver, let timeout = state.timeout else { return .stopped }
    return .tookTooLong(timeout)
  }
}

extension Statement {
  /// Whether `.timer` and `.once` count it.
  fileprivate var isTimed: Bool { if case .setting = kind { false } else { true } }

  /// `.read FILE`, whose statements have their time each.
  fileprivate var isReading: Bool {
    if case .setting(let setting) = kind { setting.name.text.lowercased() == "read" } else { false }
  }
}
