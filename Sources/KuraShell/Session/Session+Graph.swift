import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraStore

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
