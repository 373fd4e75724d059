import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraForeign
package import KuraGraph
import KuraModel
import KuraPredicates
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

/// That a text is written as in another language, and what of it is not to be had here.
enum ForeignFacts: DiagnosticFacts {
  /// `SELECT * FROM Item`
  case statement(ForeignLanguage)
  /// `fetch Item where title.isEmpty`
  case phrase(ForeignLanguage)
  /// `INSERT … ON CONFLICT`
  case noCounterpart(ForeignLanguage, NoCounterpart)
  /// `SELECT titel FROM Item`: a statement of Kura, which does not fit the model
  case unfit(ForeignLanguage, translation: String, String)
  /// `SELECT title FROM Item WHERE`
  case unreadable(ForeignLanguage)
  /// `map(select(.year > 1910))`: recognized, with how to ask the same
  case recognized(ForeignLanguage, idea: String)

  var sentence: String {
    switch self {
    case .statement(.words):
      localized("a statement begins with a word such as fetch")
    case .statement(let language), .recognized(let language, _):
      localized("this is \(language.rawValue.localized)")
    case .phrase(.kura): localized("this is written otherwise here")
    case .phrase(let language): localized("this is written as in \(language.rawValue.localized)")
    case .noCounterpart(_, let missing):
      missing.sentence?.localized
        ?? localized("\(missing.construct.localized) has no counterpart here")
    case .unfit(let language, _, let problem):
      localized("this is \(language.rawValue.localized), but \(problem)")
    case .unreadable(let language):
      localized("this looks like \(language.rawValue.localized), and cannot be read from here on")
    }
  }

  var help: String? {
    switch self {
    case .noCounterpart(_, let missing): missing.instead?.localized
    case .unfit(_, let translation, _): localized("here it is \(translation)")
    case .recognized(_, let idea): idea
    case .statement, .phrase, .unreadable: nil
    }
  }
}

extension ForeignFacts {
  /// Whether a message names a language that Kura does not translate, and therefore has no fix.
  static func isOnlyRecognized(_ diagnostic: Diagnostic) -> Bool {
    if case .recognized? = diagnostic.facts as? ForeignFacts { true } else { false }
  }
}

/// A failure with what it may mean, and how far that was read.
struct ForeignExplanation {
  var diagnostic: Diagnostic
  var source: SourceText
  var end: Int
}

extension Session {
  /// Reports what is wrong with a text that is no statement, and what it may mean in another language.
  func fail(_ problem: Diagnostic, in source: SourceText, _ reader: inout StatementReader) {
    let rest = reader.rest(atMost: ForeignTranslator.longestText)
    guard let found = foreignExplanation(of: problem, in: rest, from: reader.restStart) else {
      return fail(problem, in: source)
    }
    reader.pass(to: found.end)
    fail(found.diagnostic, in: found.source)
  }

  /// The same of a statement that was read and could not be done.
  func fail(_ error: any Error, of statement: Statement, in source: SourceText) {
    var failure = Failure(error)
    let isFine = TranslationCheck(checkContextForTyping).isSound(source.text(statement.span))
    guard !isFine, failure.isInStatement, !surroundings.cancel.isRequested,
      let i = failure.diagnostics.firstIndex(where: { $0.severity == .error && $0.span != nil }),
      failure.diagnostics[i].source == nil,
      let found = foreignExplanation(
        of: failure.diagnostics[i], in: source, from: statement.span.start)
    else { return fail(error, in: source) }
    failure.diagnostics[i] = found.diagnostic
    fail(failure, in: source)
  }

  fileprivate var checkContextForTyping: CheckContext { TypingAid(self).checkContext }
}

extension Session {
  /// What a text may mean that failed, as another language has it; nil: nobody knows.
  ///
  /// The text begins at a byte of the source. A translation is offered only if it is read and
  /// checked here without a problem.
  func foreignExplanation(
    of problem: Diagnostic, in source: SourceText, from start: Int
  ) -> ForeignExplanation? {
    let translator = ForeignTranslator(
      context.graph.model, lastEntity: variables.lastFetch?.entity)
    let check = TranslationCheck(checkContextForTyping)
    let isOurs = isOfClauses(source.line(from: start))
    let readings = translator.readings(of: source.bytes, from: start)
      .filter { !isOurs || $0.language != .shell }
    for reading in readings {
      if let idea = reading.idea {
        let facts = ForeignFacts.recognized(reading.language, idea: idea)
        let place = reading.span.line(of: source)
        return ForeignExplanation(
          diagnostic: Diagnostic(facts, at: place), source: source.lines(to: place.end),
          end: place.end)
      }
      if reading.problem != nil, reading.kind == .statement, reading.language == .sql { break }
      let fixes = check.fixes(of: reading, in: source)
      guard !fixes.isEmpty else { continue }
      let following = check.following(reading, source, translator)
      return explanation(problem, reading, fixes, following, source, check)
    }
    guard let refused = readings.first(where: { $0.problem != nil }),
      let (missing, span) = refused.problem,
      Self.mayReplace(problem, refused)
    else { return unfit(readings, check, in: source) }
    let facts = ForeignFacts.noCounterpart(refused.language, missing)
    return ForeignExplanation(
      diagnostic: Diagnostic(facts, at: span), source: source.lines(to: span.end),
      end: refused.language == .sql ? refused.span.end : span.end)
  }

  /// Whether a line is a clause, `sort pages desc`, or a statement with a `|` before one: no shell command.
  private func isOfClauses(_ line: String) -> Bool {
    let parts = line.split(separator: "|").map { $0.drop(while: \.isWhitespace) }
    guard let first = parts.first, let entity = context.graph.model.entities.first else {
      return false
    }
    let isStatement =
      StatementCatalogue.syntax(beginning: String(first.prefix(while: \.isLetter))) != nil
    return (isStatement ? parts.dropFirst() : parts.prefix(1)).contains { part in
      let isClause = FetchWords.all.contains(part.prefix(while: \.isLetter).lowercased())
      let fetch = "fetch \(entity.name.writtenName) \(part)"
      return isClause && TypedText(fetch, in: checkContextForTyping).breakOff == nil
    }
  }

  /// Whether it is better to say what a reading misses than what was wrong before.
  private static func mayReplace(_ problem: Diagnostic, _ reading: ForeignReading) -> Bool {
    if reading.kind == .phrase { return problem.fixIts.isEmpty && problem.facts.help == nil }
    return reading.language == .sql || problem.fixIts.isEmpty
  }

  /// A reading that does not fit the model, with a fix where a near name does; or the place at which
  /// nothing could be read on.
  private func unfit(
    _ readings: [ForeignReading], _ check: TranslationCheck, in source: SourceText
  ) -> ForeignExplanation? {
    guard let reading = readings.first, reading.kind == .statement else { return nil }
    var diagnostic: Diagnostic
    if let stop = reading.stop {
      diagnostic = Diagnostic(ForeignFacts.unreadable(reading.language), at: stop)
    } else {
      // What says the same in Kura's words has been answered as such.
      guard let text = reading.translations.first,
        text.onOneLine.lowercased() != source.text(reading.span).onOneLine.lowercased(),
        let problem = check.problem(of: text)
      else { return nil }
      let facts = ForeignFacts.unfit(
        reading.language, translation: text.onOneLine, problem.facts.sentence)
      diagnostic = Diagnostic(facts, at: reading.span.line(of: source))
      let mended = problem.fixIts.map { $0.applied(to: text) }.filter(check.isSound)
      diagnostic.fixIts = mended.map { FixIt(reading.span, $0) }
    }
    let end = max(reading.span.end, diagnostic.span?.end ?? 0)
    return ForeignExplanation(diagnostic: diagnostic, source: source.lines(to: end), end: end)
  }

  private func explanation(
    _ problem: Diagnostic, _ reading: ForeignReading, _ fixes: [TextEdit], _ following: [TextEdit],
    _ source: SourceText, _ check: TranslationCheck
  ) -> ForeignExplanation {
    var diagnostic = problem
    let isStatement = reading.kind == .statement
    let offered = fixes.map { FixIt(edits: [$0] + following) }
    let isOurs = problem.fixIts.isEmpty && (reading.isMarked || problem.facts.help == nil)
    if isStatement || isOurs {
      let place =
        isStatement
        ? reading.span.line(of: source) : reading.isMarked ? reading.place : fixes[0].span
      let facts =
        isStatement
        ? ForeignFacts.statement(reading.language) : .phrase(reading.language)
      diagnostic = Diagnostic(facts, at: place)
      diagnostic.fixIts = offered
    } else {
      // What mends the whole comes before what mends a part of it.
      let whole = problem.fixIts.filter {
        check.isSound($0.applied(to: source.text(SourceSpan(0, source.bytes.count))))
      }
      let rest = problem.fixIts.filter { !whole.contains($0) }
      // A function of another language may have a namesake here that does something else.
      let isCertain = problem.isOfUnknownFunction || problem.isOfBareValue && reading.isMarked
      diagnostic.fixIts = (isCertain ? offered + whole : whole + offered) + rest
    }
    let end = (following.last ?? fixes[0]).span.end
    return ForeignExplanation(
      diagnostic: diagnostic, source: source.lines(to: end), end: max(end, reading.span.end))
  }
}

extension Diagnostic {
  fileprivate var isOfUnknownFunction: Bool {
    if case .unknownFunction? = facts as? PredicateSyntaxFacts { true } else { false }
  }

  fileprivate var isOfBareValue: Bool {
    if case .bareValue? = facts as? PredicateSyntaxFacts { true } else { false }
  }
}

extension SourceText {
  fileprivate func line(from start: Int) -> String {
    String(decoding: bytes[min(start, bytes.count)...].prefix { $0 != 10 }, as: UTF8.self)
  }

  /// The text up to the end of the line of a place.
  fileprivate func lines(to place: Int) -> SourceText {
    let newline = bytes[min(place, bytes.count)...].firstIndex(of: UInt8(ascii: "\n"))
    return SourceText(
      bytes: Array(bytes[..<(newline ?? bytes.count)]), name: name, firstLine: firstLine)
  }
}

extension SourceSpan {
  /// What of the span stands on its first line.
  fileprivate func line(of source: SourceText) -> SourceSpan {
    let newline = source.bytes[start..<end].firstIndex(of: UInt8(ascii: "\n"))
    return SourceSpan(start, newline ?? end)
  }
}

// Asking
extension Session {
  /// Asks the graph as it is now; nothing changes meanwhile.
  func read<Result>(
    _ source: SourceText?, _ body: (GraphSnapshot, FetchEnvironment) throws -> Result
  ) rethrows -> Result {
    try read(source, in: context.snapshot, body)
  }

  /// Asks another state of the graph.
  func read<Result>(
    _ source: SourceText?, in snapshot: GraphSnapshot,
    _ body: (GraphSnapshot, FetchEnvironment) throws -> Result
  ) rethrows -> Result {
    variables.live.snapshot = snapshot
    defer { variables.live.snapshot = nil }
    return try body(snapshot, environment(source))
  }

  /// What a statement knows besides the graph.
  private func environment(_ source: SourceText?) -> FetchEnvironment {
    var environment = FetchEnvironment(
      variables: variables.values, entities: variables.entities, lastFetch: variables.lastFetch,
      now: surroundings.now(), rules: zone, locale: settings.locale, source: source,
      warnings: warnings, cancel: surroundings.cancel, progress: surroundings.progress)
    environment.writtenLocale = settings.chosenLocale
    environment.predicates = variables.predicates
    return environment
  }

  /// What is known while a statement is being typed.
  var typingEvaluation: EvaluationContext {
    var evaluation = self.evaluation
    evaluation.variables = variables.values
    evaluation.lenientOrdering = true
    return evaluation
  }

  /// Throws where the model has no such entity.
  func checkEntity(_ name: Name) throws(Diagnostic) {
    let model = context.graph.model
    guard model[name.text] == nil else { return }
    throw Diagnostic(
      ChangeFacts.unknownEntity(name.text, known: model.entities.map(\.name)), at: name.span)
  }
}

// Changing
extension Session {
  /// What rules of the model are told: the moment, and where dates have a day.
  var evaluation: EvaluationContext {
    EvaluationContext(
      now: surroundings.now(), zone: zone, locale: settings.locale, nilArithmeticIsNil: true,
      cancel: surroundings.cancel)
  }

  /// Changes objects as one undo group: all of it or, with an error, nothing.
  ///
  /// An error without a place of its own is shown at `place`.
  func change<Result>(
    _ name: String, at place: StatementPlace, _ edit: (inout GraphEditor) throws -> Result
  ) throws -> Performed<Result> {
    try change(at: place) { context, evaluation, accept in
      try context.perform(name, in: evaluation, accept: accept, edit)
    }
  }

  /// The first save wants the document's name: it is worked out meanwhile.
  func beginChange() {
    guard context.isUntouched else { return }
    store.keeper?.prepareToSave()
    store.cache?.beginChanges()
  }

  /// The same with what is handed over to the context; it is told who accepts a change.
  func change<Result>(
    at place: StatementPlace,
    _ body: (
      inout ManagedObjectContext, EvaluationContext, ((Graph, ChangeSet) throws -> Void)?
    ) throws -> Performed<Result>
  ) throws -> Performed<Result> {
    let (evaluation, isValidating) = (evaluation, settings.isValidating)
    beginChange()
    do {
      let done = try body(
        &context, evaluation,
        isValidating ? { try $0.checkRules(after: $1, in: evaluation, at: place.span) } : nil)
      // It is done: nothing may say that it took too long.
      deadline.stop()
      note(done.change, at: place)
      return done
    } catch let diagnostic as Diagnostic {
      throw Failure.placed(diagnostic, at: place.span)
    }
  }
}

extension Session {
  /// A statement has changed something.
  func note(_ change: ChangeSet, at place: StatementPlace) {
    trace.add(change, at: place)
    trace.prune(behind: scratches.last?.traced ?? 0, in: context.graph)
  }
}

extension Graph {
  /// Under `.validate on` what breaks a rule is not done at all.
  fileprivate func checkRules(
    after change: ChangeSet, in evaluation: EvaluationContext, at span: SourceSpan
  ) throws {
    let failures = validationFailures(after: change, in: evaluation)
    try evaluation.cancel.check()
    guard !failures.isEmpty else { return }
    throw Failure(
      [Diagnostic(RefusedByRules(), at: span)]
        + failures.map { Diagnostic(ChangeFacts.invalid($0), severity: .note) })
  }
}

/// The one note that a statement may have: a person reads it at a prompt, and a program asks for it with
/// `--diagnostics`.
extension Session {
  var givesNotes: Bool { launch.messages != nil || asksPeople }

  /// Keeps what is to be said of a request after its results. `isEmpty` says whether it found nothing.
  func note(_ request: BoundRequest, isEmpty: () throws -> Bool) rethrows {
    guard givesNotes, statementNote == nil else { return }
    statementNote = try request.note(isEmpty: isEmpty)
  }

  /// Says it, unless a warning was given for the same statement.
  func reportNote(in source: SourceText) {
    defer { statementNote = nil }
    guard let note = statementNote, !hasWarned else { return }
    report(mended(note, in: source), in: source)
  }
}
