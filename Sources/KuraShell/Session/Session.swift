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

/// Runs statements and writes their results.
///
///     let session = try Session(launch, services)
///     session.run("count MemoDate")     // 18
///
/// It does not access the terminal: it reads, writes and asks through its services.
package final class Session {
  package let services: SystemServices
  /// The options of the command line.
  let launch: Launch
  /// The values of settings such as `.mode`.
  package var settings: SessionSettings
  var store: CurrentStore
  /// The graph with its changes; inside a scratch context, the scratch context.
  package var context = ManagedObjectContext(Graph())
  /// The enclosing contexts, with the names of the scratch contexts that `begin` opened in them.
  var scratches: [ScratchContext] = []
  /// The statements of scripts that have changed objects since the last save.
  var trace = ChangeTrace()
  var variables: Variables
  /// The destination of results.
  var targets: ResultTargets
  /// The writer of `.transcript`.
  let transcript = TranscriptWriter()
  /// Writes messages.
  let report: Reporter
  let recordForms = RecordForms()
  /// The prepared edits of the last statements with literals, the last first.
  var preparedEdits: [PreparedEdit] = []
  /// The result that `.again` shows.
  var lastResult: ShownResult?
  /// The time that the user spent in a pager with the current statement's results.
  var timeInPager = Duration.zero
  var unread = UnreadQueries()
  /// The fetches that are watched.
  let watches: Watches
  /// Warnings about the current statement's meaning, until they are reported.
  let warnings = WarningList()
  /// The tables for `fetch Category.items`.
  let elementTables = ElementTables { json in try StoreReader(json).read().graph }
  /// Whether the current statement had a warning.
  var hasWarned = false
  /// Warnings from parsing a statement; an error at the same place replaces them.
  var readingWarnings: (list: [Diagnostic], source: SourceText?) = ([], nil)
  /// A note about the statement, to be reported after its results.
  var statementNote: Diagnostic?
  /// Ends a statement that takes longer than `--timeout`.
  let deadline: Deadline
  /// Checks whether typed text is a complete statement.
  let completeness = CompletenessCheck()
  /// The depth of nested scripts.
  var depth = 0
  /// Whether `.quit` was run, or nothing reads the results any more.
  package var isLeaving = false
  /// Whether the open store lacks saves that could not be read: query results are incomplete.
  var lacksSaves = false
  /// The text that was typed last, and the beginning of the next line.
  var lastTyped = ""
  var draft = ""
  /// The last failed statement with its first fix; nil if there was no fix.
  var corrected: String?
  /// The words of other languages that a statement was run for, and that were explained.
  var explainedWords: Set<Respelling> = []
  /// Typed texts that failed, which are not suggested again.
  var failedTexts: Set<String> = []
  /// Whether the question about unsaved changes met the end of input, and nothing was typed since.
  var questionMetEndOfInput = false
  /// Recovery files whose changes were taken in, until those are saved.
  var takenRecoveries: [RecoveryFile] = []
  /// The open lesson or quiz.
  var lesson: LessonRun?
  var quiz: QuizRun?
  /// The tasks that the learner has solved.
  let progress: LearnerProgress
  /// Whether the user has never had a conversation before.
  var isFirstTime = false
  /// Whether the warning about changes under `--read-only` was given.
  private var isWarned = false
  /// Whether the last `fetch`, `count` or `exists` found anything; nil before the first.
  var lastFetchFoundAny: Bool?
  /// The status of the first failure.
  package var status = ExitStatus.done

  /// Creates a session with an empty graph in memory.
  init(_ launch: Launch, in services: SystemServices) {
    self.services = services
    self.launch = launch
    settings = SessionSettings(
      launch, locale: services.systemLocale(), language: services.systemLanguage())
    store = CurrentStore(inMemory: services.systemTimeZone())
    store.isReadOnly = launch.isReadOnly
    variables = Variables(launch.arguments.mapValues { .string($0) })
    watches = Watches(variables.live)
    targets = ResultTargets(services.results)
    report = Reporter(after: services.results, services, transcript)
    deadline = Deadline(services.cancel)
    progress = LearnerProgress(services.progressFile)
  }

  /// The zone in which literals are read and dates printed.
  package var zone: ZoneRules { settings.chosenZone ?? store.zone }

  /// Performs `body` in the language of `.language`.
  func speaking<Result>(_ body: () -> Result) -> Result { settings.language.speaks(body) }
}

extension Session {
  /// Runs a statement that took `reading` to parse.
  ///
  /// Returns false if it failed; the message has been reported then.
  func run(_ statement: Statement, in source: SourceText, reading: Duration) -> Bool {
    if postpones(statement, in: source) { return true }
    let succeeded = askUnread()
    guard succeeded || launch.continuesAfterErrors else { return false }
    let isDone = perform(statement, in: source, reading)
    gradeInLesson(statement, in: source, isDone: isDone)
    return isDone && succeeded
  }

  /// Performs a statement, without postponing it.
  func perform(
    _ statement: Statement, in source: SourceText, _ reading: Duration = .zero
  ) -> Bool {
    let start = services.uptime()
    timeInPager = .zero
    defer { deadline.stop() }
    do {
      let command = try statement.command
      if let timeout = settings.timeout, command.isLimited { try limit(to: timeout) }
      try services.cancel.check()
      if !command.joinsReports { report.flush() }
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
    if settings.isTimed { say(reading + services.uptime() - start - timeInPager) }
    return true
  }

  /// Reports a time: for a user in readable units, for a script in seconds that can be added up.
  private func say(_ time: Duration) {
    report(services.ask == nil ? Report.time(time) : Report.readableTime(time))
  }

  /// Warns at the first change that it cannot be saved, instead of at the save.
  func warnOfReadOnly() {
    guard store.isReadOnly, !isWarned, context.hasChanges else { return }
    isWarned = true
    report(Diagnostic(SaveProblem.changedReadOnly, severity: .warning))
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

  /// Starts the time limit.
  func limit(to timeout: Duration) throws(Failure) {
    guard deadline.start(timeout) else { throw Failure(StopReason.noTimer) }
  }

  var reasonToStop: StopReason {
    guard deadline.isOver, let timeout = settings.timeout else { return .stopped }
    return .tookTooLong(timeout)
  }
}

extension Session {
  /// Reports the warnings of parsing and checking a statement, before its results.
  ///
  /// A warning is left out if an error has the same place.
  func reportWarnings(
    in source: SourceText? = nil, besides places: [SourceSpan?] = []
  ) {
    let read = readingWarnings
    readingWarnings = ([], nil)
    let found = read.list.map { ($0, read.source) } + warnings.take().map { ($0, source) }
    let told = found.filter { !places.contains($0.0.span) }
    for (warning, source) in told { report(corrected(warning, in: source), in: source) }
    if !told.isEmpty { hasWarned = true }
  }
}

/// A text in another language, and the parts of it that are not available in Kura.
enum ForeignTextProblem: DiagnosticFacts {
  /// `SELECT * FROM Item`
  case statement(ForeignLanguage)
  /// `fetch Item where title.isEmpty`
  case phrase(ForeignLanguage)
  /// `INSERT … ON CONFLICT`
  case noCounterpart(ForeignLanguage, UnsupportedConstruct)
  /// `SELECT titel FROM Item`: its translation does not fit the model
  case unfit(ForeignLanguage, translation: String, String)
  /// `SELECT title FROM Item WHERE`
  case unreadable(ForeignLanguage)
  /// `map(select(.year > 1910))`: recognized, with an equivalent in Kura
  case recognized(ForeignLanguage, idea: String)

  var sentence: String {
    switch self {
    case .statement(.words):
      localized("a statement begins with a word such as fetch")
    case .statement(let language), .recognized(let language, _):
      localized("this is \(language.rawValue.localized)")
    case .phrase(.kura): localized("Kura writes this differently")
    case .phrase(let language): localized("this part is \(language.rawValue.localized)")
    case .noCounterpart(_, let missing):
      missing.sentence?.localized
        ?? localized("\(missing.construct.localized) has no equivalent in Kura")
    case .unfit(let language, _, let problem):
      localized("this is \(language.rawValue.localized), but \(problem)")
    case .unreadable(let language):
      localized("this looks like \(language.rawValue.localized), but cannot be read from here on")
    }
  }

  var help: String? {
    switch self {
    case .noCounterpart(_, let missing): missing.instead?.localized
    case .unfit(_, let translation, _): localized("in Kura: \(translation)")
    case .recognized(_, let idea): idea
    case .statement, .phrase, .unreadable: nil
    }
  }
}

extension ForeignTextProblem {
  /// Returns whether a message names a language that Kura does not translate, and therefore has no
  /// fix.
  static func isOnlyRecognized(_ diagnostic: Diagnostic) -> Bool {
    if case .recognized? = diagnostic.facts as? ForeignTextProblem { true } else { false }
  }
}

/// A failure with its probable meaning, and the place up to which it was read.
struct ForeignExplanation {
  var diagnostic: Diagnostic
  var source: SourceText
  var end: Int
}

extension Session {
  /// Returns the problem of a text that is not a statement, or its possible meaning in another
  /// language.
  func explanation(
    of problem: Diagnostic, in source: SourceText, _ reader: inout StatementReader
  ) -> (diagnostic: Diagnostic, source: SourceText) {
    let rest = reader.rest(atMost: ForeignTranslator.longestText)
    guard let found = foreignExplanation(of: problem, in: rest, from: reader.restStart) else {
      return (problem, source)
    }
    reader.pass(to: found.end)
    return (found.diagnostic, found.source)
  }

  /// Reports the failure of a statement that was parsed, and its possible meaning in another
  /// language.
  func fail(_ error: any Error, of statement: Statement, in source: SourceText) {
    var failure = Failure(error)
    let isFine = TranslationCheck(checkContextForTyping).isSound(source.text(statement.span))
    guard !isFine, failure.isInStatement, !services.cancel.isRequested,
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
  /// Returns the possible meaning of a failed text in another language; nil if there is none.
  ///
  /// The text begins at a byte of the source. A translation is offered only if it is valid here.
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
        let facts = ForeignTextProblem.recognized(reading.language, idea: idea)
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
    let facts = ForeignTextProblem.noCounterpart(refused.language, missing)
    return ForeignExplanation(
      diagnostic: Diagnostic(facts, at: span), source: source.lines(to: span.end),
      end: refused.language == .sql ? refused.span.end : span.end)
  }

  /// Returns whether a line is a clause, `sort pages desc`, or a statement with a `|` before one;
  /// not a shell command.
  private func isOfClauses(_ line: String) -> Bool {
    let parts = line.split(separator: "|").map { $0.drop(while: \.isWhitespace) }
    guard let first = parts.first, let entity = context.graph.model.entities.first else {
      return false
    }
    let isStatement =
      StatementCatalog.syntax(beginning: String(first.prefix(while: \.isLetter))) != nil
    return (isStatement ? parts.dropFirst() : parts.prefix(1)).contains { part in
      let isClause = FetchWords.all.contains(part.prefix(while: \.isLetter).lowercased())
      let fetch = "fetch \(entity.name.writtenName) \(part)"
      return isClause && TypedText(fetch, in: checkContextForTyping).missingAtEnd == nil
    }
  }

  /// Returns whether the problem of a reading is more useful than the original one.
  private static func mayReplace(_ problem: Diagnostic, _ reading: ForeignReading) -> Bool {
    if reading.kind == .phrase { return problem.fixIts.isEmpty && problem.facts.help == nil }
    return reading.language == .sql || problem.fixIts.isEmpty
  }

  /// Returns a reading that does not fit the model, with a fix if there is a similar name; or the
  /// place at which reading stopped.
  private func unfit(
    _ readings: [ForeignReading], _ check: TranslationCheck, in source: SourceText
  ) -> ForeignExplanation? {
    guard let reading = readings.first, reading.kind == .statement else { return nil }
    var diagnostic: Diagnostic
    if let stop = reading.stop {
      diagnostic = Diagnostic(ForeignTextProblem.unreadable(reading.language), at: stop)
    } else {
      // A statement of Kura in other spelling has been answered as such.
      guard let text = reading.translations.first,
        text.onOneLine.lowercased() != source.text(reading.span).onOneLine.lowercased(),
        let problem = check.problem(of: text)
      else { return nil }
      let facts = ForeignTextProblem.unfit(
        reading.language, translation: text.onOneLine, problem.facts.sentence)
      diagnostic = Diagnostic(facts, at: reading.span.line(of: source))
      let corrected = problem.fixIts.map { $0.applied(to: text) }.filter(check.isSound)
      diagnostic.fixIts = corrected.map { FixIt(reading.span, $0) }
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
    var offered = fixes.map { FixIt(edits: [$0] + following) }
    if reading.language == .sql, isStatement, following.isEmpty, reading.translations.count == 1 {
      offered[0].respellings = [.statement(fixes[0].replacement)]
    }
    let isOurs = problem.fixIts.isEmpty && (reading.isMarked || problem.facts.help == nil)
    if isStatement || isOurs {
      let place =
        isStatement
        ? reading.span.line(of: source) : reading.isMarked ? reading.place : fixes[0].span
      let facts =
        isStatement
        ? ForeignTextProblem.statement(reading.language) : .phrase(reading.language)
      diagnostic = Diagnostic(facts, at: place)
      diagnostic.fixIts = offered
    } else {
      // A fix of the whole text precedes a fix of a part.
      let whole = problem.fixIts.filter {
        check.isSound($0.applied(to: source.text(SourceSpan(0, source.bytes.count))))
      }
      let rest = problem.fixIts.filter { !whole.contains($0) }
      // A function of another language may have the name of a different one here.
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
    if case .unknownFunction? = facts as? PredicateSyntaxProblem { true } else { false }
  }

  fileprivate var isOfBareValue: Bool {
    if case .bareValue? = facts as? PredicateSyntaxProblem { true } else { false }
  }
}

extension SourceText {
  fileprivate func line(from start: Int) -> String {
    String(decoding: bytes[min(start, bytes.count)...].prefix { $0 != 10 }, as: UTF8.self)
  }

  /// Returns the text up to the end of the line of a place.
  fileprivate func lines(to place: Int) -> SourceText {
    let newline = bytes[min(place, bytes.count)...].firstIndex(of: UInt8(ascii: "\n"))
    return SourceText(
      bytes: Array(bytes[..<(newline ?? bytes.count)]), name: name, firstLine: firstLine)
  }
}

extension SourceSpan {
  /// Returns the part of the span on its first line.
  fileprivate func line(of source: SourceText) -> SourceSpan {
    let newline = source.bytes[start..<end].firstIndex(of: UInt8(ascii: "\n"))
    return SourceSpan(start, newline ?? end)
  }
}

// Reading
extension Session {
  /// Reads the current graph, which does not change meanwhile.
  func read<Result>(
    _ source: SourceText?, _ body: (GraphSnapshot, FetchEnvironment) throws -> Result
  ) rethrows -> Result {
    try read(source, in: context.snapshot, body)
  }

  /// Reads another state of the graph.
  func read<Result>(
    _ source: SourceText?, in snapshot: GraphSnapshot,
    _ body: (GraphSnapshot, FetchEnvironment) throws -> Result
  ) rethrows -> Result {
    variables.live.snapshot = snapshot
    defer { variables.live.snapshot = nil }
    return try body(snapshot, environment(source))
  }

  /// Returns the environment of a statement, in addition to the graph.
  private func environment(_ source: SourceText?) -> FetchEnvironment {
    var environment = FetchEnvironment(
      variables: variables.values, entities: variables.entities, lastFetch: variables.lastFetch,
      now: services.now(), rules: zone, locale: settings.locale, source: source,
      warnings: warnings, cancel: services.cancel, progress: services.progress)
    environment.writtenLocale = settings.chosenLocale
    environment.predicates = variables.predicates
    environment.elements = elementTables
    return environment
  }

  /// The evaluation context while a statement is being typed.
  var typingEvaluation: EvaluationContext {
    var evaluation = self.evaluation
    evaluation.variables = variables.values
    evaluation.lenientOrdering = true
    return evaluation
  }

  /// Throws if the model does not have the entity.
  func checkEntity(_ name: Name) throws(Diagnostic) {
    let model = context.graph.model
    guard model[name.text] == nil else { return }
    throw Diagnostic(
      ChangeProblem.unknownEntity(name.text, known: model.entities.map(\.name)), at: name.span)
  }
}

// Changing
extension Session {
  /// The evaluation context for rules of the model: the time, and the zone of dates.
  var evaluation: EvaluationContext {
    EvaluationContext(
      now: services.now(), zone: zone, locale: settings.locale, nilArithmeticIsNil: true,
      cancel: services.cancel)
  }

  /// Changes objects as one undo group: completely or, with an error, not at all.
  ///
  /// An error without a place of its own is shown at `place`.
  func change<Result>(
    _ name: String, at place: StatementPlace, _ edit: (inout GraphEditor) throws -> Result
  ) throws -> Performed<Result> {
    try change(at: place) { context, evaluation, accept in
      try context.perform(name, in: evaluation, accept: accept, edit)
    }
  }

  /// Prepares for the first save, which needs the document's name, and the cache for changes.
  func beginChange() {
    guard context.isUntouched else { return }
    store.keeper?.prepareToSave()
    store.cache?.beginChanges()
  }

  /// Changes objects through `body`, which receives the context and a function that accepts a
  /// change.
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
      // The change is done: it must not time out any more.
      deadline.stop()
      note(done.change, at: place)
      return done
    } catch let diagnostic as Diagnostic {
      throw Failure.placed(diagnostic, at: place.span)
    }
  }
}

extension Session {
  /// Notes that a statement has changed something.
  func note(_ change: ChangeSet, at place: StatementPlace) {
    trace.add(change, at: place)
    trace.prune(after: scratches.last?.traced ?? 0, in: context.graph)
  }
}

extension Graph {
  /// Throws under `.validate on` if the change breaks a rule.
  fileprivate func checkRules(
    after change: ChangeSet, in evaluation: EvaluationContext, at span: SourceSpan
  ) throws {
    let failures = validationFailures(after: change, in: evaluation)
    try evaluation.cancel.check()
    guard !failures.isEmpty else { return }
    throw Failure(
      [Diagnostic(RefusedByRules(), at: span)]
        + failures.map { Diagnostic(ChangeProblem.invalid($0), severity: .note) })
  }
}

/// A statement may have one note: at a prompt, and for a program with `--diagnostics`.
extension Session {
  var givesNotes: Bool { launch.messages != nil || isTypedByUser }

  /// Records a note about a request, to be reported after its results. `isEmpty` returns whether
  /// the result is empty.
  func note(_ request: BoundRequest, isEmpty: () throws -> Bool) rethrows {
    guard givesNotes, statementNote == nil else { return }
    statementNote = try request.note(isEmpty: isEmpty)
  }

  /// Reports the note, unless there was a warning about the same statement.
  func reportNote(in source: SourceText) {
    defer { statementNote = nil }
    guard let note = statementNote, !hasWarned else { return }
    report(corrected(note, in: source), in: source)
  }
}
