import KuraBytes
import KuraDiagnostics
import KuraFetch
package import KuraGraph
import KuraScript
import KuraSentences
import KuraStore
package import KuraValues

/// Takes statements and writes what comes of them.
///
///     let session = try Session(launch, surroundings)
///     session.run("count MemoDate")     // 18
///
/// It knows no terminal: what it reads, writes and asks goes through its surroundings.
package final class Session {
  package let surroundings: Surroundings
  /// What the command line said.
  let launch: Launch
  /// What settings such as `.mode` have said.
  package var settings: SessionSettings
  var store: CurrentStore
  /// The graph with its changes; in a scratch context that one's.
  package var context = ManagedObjectContext(Graph())
  /// The contexts around the present one, with the names of those that `begin` opened in them.
  var scratches: [ScratchContext] = []
  /// Which statements of scripts have changed what since the last save.
  var trace = ChangeTrace()
  var variables: Variables
  /// Where results go.
  var targets: ResultTargets
  /// What `.transcript` writes.
  let transcript = TranscriptWriter()
  /// Says what is no result.
  let report: Reporter
  let recordForms = RecordForms()
  /// What the objects that were inserted last have in common.
  var insertForm: InsertForm?
  /// The same of the objects that were updated one by one.
  var updateForm: UpdateForm?
  /// What `.again` shows.
  var lastResult: ShownResult?
  /// How long the present statement's results were read in a pager.
  var timeInPager = Duration.zero
  var unread = UnreadQueries()
  /// The fetches that are watched.
  let watches: Watches
  /// What a statement asks and perhaps does not mean, until it is said.
  let warnings = WarningList()
  /// What reading the statement has found strange; where an error stands in its place, nobody is told.
  /// Whether the statement that runs had a warning.
  var hasWarned = false
  var readingWarnings: (list: [Diagnostic], source: SourceText?) = ([], nil)
  /// What is to be said of the statement after its results.
  var statementNote: Diagnostic?
  /// Ends a statement that takes longer than `--timeout`.
  let deadline: Deadline
  /// Whether what was typed is a whole statement.
  let completeness = CompletenessCheck()
  /// How many scripts are reading each other.
  var depth = 0
  /// `.quit` was read, or nobody reads the results any more.
  package var isLeaving = false
  /// A store was opened of which saves could not be read: what was asked of it is not the whole.
  var lacksSaves = false
  /// What was typed last, and what the next line begins with.
  var lastTyped = ""
  var draft = ""
  /// The statement that failed last with the fix that was offered first; nil if none was.
  var mended: String?
  /// What was typed and failed: nobody is offered it again.
  var failedTexts: Set<String> = []
  /// The question of unsaved changes met the end of input, and nothing was typed since.
  var gotNoAnswer = false
  /// What earlier sessions had kept and was taken in, until it is saved.
  var takenRecoveries: [RecoveryFile] = []
  /// The lesson, or the quiz, that the person is in.
  var lesson: LessonRun?
  var quiz: QuizRun?
  /// What the person has solved.
  let progress: LearnerProgress
  /// Whether the person has never talked with Kura before.
  var isFirstTime = false
  /// It was said that what is changed under `--read-only` cannot be saved.
  private var isWarned = false
  /// Whether the last `fetch`, `count` or `exists` found something; nil before the first.
  var hasFound: Bool?
  /// The first failure's.
  package var status = ExitStatus.done

  /// A session with an empty graph in memory.
  init(_ launch: Launch, in surroundings: Surroundings) {
    self.surroundings = surroundings
    self.launch = launch
    settings = SessionSettings(
      launch, locale: surroundings.systemLocale(), language: surroundings.systemLanguage())
    store = CurrentStore(inMemory: surroundings.systemTimeZone())
    store.isReadOnly = launch.isReadOnly
    variables = Variables(launch.arguments.mapValues { .string($0) })
    watches = Watches(variables.live)
    targets = ResultTargets(surroundings.results)
    report = Reporter(behind: surroundings.results, surroundings, transcript)
    deadline = Deadline(surroundings.cancel)
    progress = LearnerProgress(surroundings.progressFile)
  }

  /// Literals are read and dates printed in it.
  package var zone: ZoneRules { settings.chosenZone ?? store.zone }

  /// Does something in the language that `.language` says.
  func speaking<Result>(_ body: () -> Result) -> Result { settings.language.speaks(body) }
}

extension Session {
  /// Runs a statement that was read in the time `reading`.
  ///
  /// False if it failed; the message has been reported then.
  func run(_ statement: Statement, in source: SourceText, reading: Duration) -> Bool {
    if postpones(statement, in: source) { return true }
    let isWell = askUnread()
    guard isWell || launch.keepsGoing else { return false }
    let isDone = perform(statement, in: source, reading)
    gradeInLesson(statement, in: source, isDone: isDone)
    return isDone && isWell
  }

  /// The same, now.
  func perform(
    _ statement: Statement, in source: SourceText, _ reading: Duration = .zero
  ) -> Bool {
    let start = surroundings.uptime()
    timeInPager = .zero
    defer { deadline.stop() }
    do {
      let command = try statement.command
      if let timeout = settings.timeout, command.isLimited { try limit(to: timeout) }
      try surroundings.cancel.check()
      if !command.tellsTogether { report.flush() }
      readingWarnings = (statement.warnings, source)
      hasWarned = false
      try command.perform(in: self, source)
      reportWarnings(in: source)
      reportNote(in: source)
      warnOfReadOnly()
      try tellWatches()
      guard command.isTimed else { return true }
      tell(of: try targets.endStatement())
    } catch {
      statementNote = nil
      reportWarnings(in: source, besides: Failure(error).diagnostics.map(\.span))
      fail(error, of: statement, in: source)
      try? tellWatches()
      return false
    }
    if settings.isTimed { say(reading + surroundings.uptime() - start - timeInPager) }
    return true
  }

  /// A person is told in units that can be read, a script in seconds that can be added up.
  private func say(_ time: Duration) {
    report(surroundings.ask == nil ? Report.time(time) : Report.readableTime(time))
  }

  /// Says at the first change, and not at the save that will be refused, that it cannot be saved.
  func warnOfReadOnly() {
    guard store.isReadOnly, !isWarned, context.hasChanges else { return }
    isWarned = true
    report(Diagnostic(SaveFacts.changedReadOnly, severity: .warning))
  }

  /// Reports why something was not done.
  func fail(_ error: any Error, in source: SourceText? = nil) {
    var failure = surroundings.cancel.isRequested ? Failure(reasonToStop) : Failure(error)
    if status == .done { status = failure.status }
    if failure.isInStatement {
      failure.diagnostics = failure.diagnostics.map { mended($0, in: source) }
    }
    report(failure, in: source)
  }

  /// Gives what follows its time.
  func limit(to timeout: Duration) throws(Failure) {
    guard deadline.start(timeout) else { throw Failure(StopFacts.noTimer) }
  }

  var reasonToStop: StopFacts {
    guard deadline.isOver, let timeout = settings.timeout else { return .stopped }
    return .tookTooLong(timeout)
  }
}

extension Session {
  /// Says what reading and checking a statement has found strange: before its results.
  ///
  /// What an error says of the same place needs no warning.
  func reportWarnings(
    in source: SourceText? = nil, besides places: [SourceSpan?] = []
  ) {
    let read = readingWarnings
    readingWarnings = ([], nil)
    let found = read.list.map { ($0, read.source) } + warnings.take().map { ($0, source) }
    let told = found.filter { !places.contains($0.0.span) }
    for (warning, source) in told { report(mended(warning, in: source), in: source) }
    if !told.isEmpty { hasWarned = true }
  }
}
