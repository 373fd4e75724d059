import Foundation
import KuraBytes
import KuraDiagnostics
import KuraFetch
package import KuraGraph
import KuraModel
import KuraPredicates
package import KuraRendering
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
  package var context = GraphContext(Graph())
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
  /// The warnings and the note about the current statement.
  var remarks = StatementRemarks()
  /// The tables for `fetch Category.items`.
  let elementTables = ElementTables { json in try StoreReader(json).read().graph }
  /// Ends a statement that takes longer than `--timeout`.
  let deadline: Deadline
  /// The depth of nested scripts.
  var depth = 0
  /// Whether `.quit` was run, or nothing reads the results any more.
  package var isLeaving = false
  /// The facts about the end of the session.
  var ending = SessionEnding()
  /// The texts that the user typed, and what resulted from them.
  var typing = TypingState()
  /// Recovery files whose changes were taken in, until those are saved.
  var takenRecoveries: [RecoveryFile] = []
  /// The open lesson or quiz, and the learner's progress.
  var learning: LearningState
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
    report = Reporter(
      results: services.results, services: services, transcript: transcript)
    deadline = Deadline(services.cancel)
    learning = LearningState(progress: LearnerProgress(services.progressFile))
  }

  /// The zone in which literals are read and dates printed.
  package var zone: ZoneRules { settings.chosenZone ?? store.zone }

  /// Performs `body` in the language of `.language`.
  func speaking<Result>(_ body: () -> Result) -> Result { settings.language.speaks(body) }
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
      warnings: remarks.warnings, cancel: services.cancel, progress: services.progress)
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
      inout GraphContext, EvaluationContext, ((Graph, ChangeSet) throws -> Void)?
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

/// The values of the settings.
package struct SessionSettings {
  /// `.mode`
  package var format: OutputFormat
  /// `.null`
  var nullText = "NULL"
  /// `.booleans`
  var booleans = BooleanStyle.yesno
  /// `.theme`
  var theme = Theme.auto
  /// `.pager`
  var pager = PagerChoice.auto
  /// `.timer`
  var isTimed = false
  /// The time limit of a statement; nil for none.
  var timeout: Duration?
  /// Whether each change must keep the rules of the model.
  var isValidating = false
  /// The zone of `.timezone` or `--timezone`.
  package var chosenZone: ZoneRules?
  /// The locale of `.locale` or `--locale`, in which values are shown; nil for no localized values.
  var chosenLocale: Locale?
  /// The length of dates in it.
  var dateLength = DateStyle.Length.long
  private let systemLocale: Locale
  /// `.language`
  var language: Language
  /// `.hints`, `.highlight`, `.completion`
  var hints = true
  var highlights = true
  var completes = true
  /// `.prompt`
  var prompt = PromptPattern.standard
  /// The policy for changes that conflict with those of other processes.
  var mergePolicy = MergePolicy.error
  /// `.cache`, `--no-cache`
  var caches: Bool

  init(_ launch: Launch, locale: Locale, language: Language) {
    format = launch.format
    timeout = launch.timeout
    chosenZone = launch.zone
    systemLocale = locale
    self.language = launch.language ?? language
    chosenLocale = launch.locale
    caches = launch.caches
  }

  /// The locale whose order `[l]` uses.
  var locale: Locale { chosenLocale ?? systemLocale }
}

extension Session {
  /// Returns a session on a graph that it may change, without access to anything outside; `output`
  /// receives its output.
  static func quiet(
    on graph: Graph, zone: ZoneRules, timeout: Duration, width: Int? = nil,
    now: (() -> Timestamp)? = nil, output: @escaping (String) -> Void = { _ in }
  ) -> Session {
    var launch = Launch()
    launch.isSafe = true
    launch.zone = zone
    launch.timeout = timeout
    launch.language = .current
    var services = SystemServices.live(style: .plain).safe(for: launch)
    services.results = ResultStream(
      isTerminal: width != nil, write: { output(String(decoding: $0, as: UTF8.self)) })
    services.report = output
    services.terminalWidth = { width }
    services.readInput = { () throws(Failure) in nil }
    if let now { services.now = now }
    let session = Session(launch, in: services)
    session.context = GraphContext(graph)
    return session
  }
}

/// A quiet session whose output is collected.
struct CapturedSession {
  let session: Session
  private let output = Output()

  private final class Output { var text = "" }

  init(
    on graph: Graph, zone: ZoneRules, timeout: Duration, width: Int? = nil,
    now: (() -> Timestamp)? = nil
  ) {
    session = Session.quiet(
      on: graph, zone: zone, timeout: timeout, width: width, now: now,
      output: { [output] in output.text += $0 })
  }

  /// Runs statements; returns whether they succeeded, and their output.
  func run(_ text: String) -> (succeeded: Bool, output: String) {
    output.text = ""
    let succeeded = session.run(text)
    let isWritten = (try? session.targets.flush()) != nil
    return (succeeded && isWritten, output.text)
  }
}
