import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraSentences
import KuraStore
import KuraValues

// A session that is ended from outside keeps its unsaved changes for the next one.
extension Session {
  /// Leaves because of a signal or a closed terminal, without a question.
  func leaveFromOutside() -> ExitStatus {
    guard hasUnsaved else { return .done }
    writeRecovery()
    return .unsavedChanges
  }

  /// Writes unsaved changes to a recovery file, or reports their loss.
  func writeRecovery() {
    guard let files = recoveryFiles, let recovery = unsavedAsRecovery else { return reportLoss() }
    let isNextTo = !store.isReadOnly && store.keeper?.readOnly == nil
    guard let path = files.keep(recovery, besideStore: isNextTo) else { return reportLoss() }
    // This file includes what was taken from an earlier one.
    dropTaken()
    report(
      localized(
        "unsaved changes (\(recovery.header.phrase)) are kept in \(path); the next session offers to recover them"
      ))
  }

  /// The recovery files; nil under `--safe`, which only accesses the store, and in a dry run.
  private var recoveryFiles: RecoveryFiles? {
    launch.isDryRun ? nil : services.recoveryFiles
  }

  /// All unsaved changes, including those of scratch contexts.
  private var unsavedAsRecovery: Recovery? {
    let whole = outermost.adopting(
      (scratches.dropFirst().map(\.parent) + [context]).suffix(scratches.count),
      names: scratches.map(\.name))
    guard whole.hasChanges else { return nil }
    let header = Recovery.Header(
      store: store.source.map(RecoveryFiles.resolvingSymlinks), base: store.keeper?.stateMark ?? "",
      moment: services.now().inSeconds.documentText(in: zone), phrase: whole.unsaved.phrase)
    guard store.keeper != nil, !whole.hasModelChanges else {
      return Recovery(header, .document(contents(of: whole.graph)))
    }
    let given = AssignedNumbers(before: whole.savedNumbers, next: whole.graph.assignedNumbers)
    let change = whole.netChange
    return Recovery(header, .change(change, given, KeyTypes(change, in: whole.graph.model)))
  }

  /// Removes the files whose changes were taken in and then saved or discarded. Under
  /// `--read-only`, the files stay, because the changes were at most saved to another file.
  func dropTaken() {
    if !launch.isReadOnly { for file in takenRecoveries { file.remove() } }
    takenRecoveries = []
  }

  private typealias FoundRecovery = (
    file: RecoveryFile, recovery: Result<Recovery, SidecarProblem>
  )

  /// The recovery files of the open store, and the content of each.
  private var recoveries: [FoundRecovery] {
    guard let files = recoveryFiles else { return [] }
    return files.find(for: store.source).map { file in
      (file, Result { () throws(SidecarProblem) in try file.read(services.cancel) })
    }
  }

  /// Returns the message about a file before it is used.
  private func facts(of found: FoundRecovery) -> RecoveryMessage {
    switch found.recovery {
    case .success(let recovery): .waits(recovery.header, found.file.path)
    case .failure(let strange): .damaged(path: found.file.path, reason: strange.reason)
    }
  }

  /// Asks the user whether to take in what an earlier session has kept.
  func offerRecovered() {
    for found in recoveries {
      let file = found.file
      guard case .success(let recovery) = found.recovery else {
        report(Diagnostic(facts(of: found), severity: .warning))
        continue
      }
      guard !hasUnsaved else {
        report(Diagnostic(facts(of: found), severity: .note))
        continue
      }
      let question = localized(
        "A session that ended at \(recovery.header.moment) left unsaved changes: \(recovery.header.phrase). Recover them? [y]es, [n]o and delete them, [l]ater: "
      )
      switch answer(to: question).flatMap(Answer.init) {
      case .yes?: do { try take(recovery, file) } catch { fail(error) }
      case .no? where !store.isReadOnly && !launch.isDryRun:
        file.remove()
        report(Report.dropped(recovery.header))
      default:
        report(
          localized(
            "the changes stay in \(file.path); .recover restores them, .recover drop deletes them"))
      }
    }
    // A failure before the first statement does not count for the session's status.
    status = .done
  }

  /// Warns a script that there are recovery files.
  func warnOfRecovered() {
    guard store.source != nil else { return }
    for found in recoveries { report(Diagnostic(facts(of: found), severity: .warning)) }
  }

  /// Performs `.recover`.
  func recover() throws {
    let found = recoveries
    guard !found.isEmpty else {
      return report(localized("there are no unsaved changes from an earlier session"))
    }
    for found in found {
      guard case .success(let recovery) = found.recovery else { throw Failure(facts(of: found)) }
      try take(recovery, found.file)
    }
  }

  /// Performs `.recover drop`.
  func dropRecovered() throws {
    let found = recoveries
    guard !found.isEmpty else {
      return report(localized("there are no unsaved changes from an earlier session"))
    }
    for (file, recovery) in found {
      file.remove()
      let header = try? recovery.get().header
      report(header.map { Report.dropped($0) } ?? Report.dropped(file.path))
    }
  }

  /// Takes in what was kept, as one undo group; the file stays until that is saved.
  private func take(_ recovery: Recovery, _ file: RecoveryFile) throws {
    try checkNoScratch(".recover")
    if let misfit = recovery.misfit(with: context.graph.model) {
      throw Failure(RecoveryMessage.misfit(misfit, path: file.path))
    }
    switch recovery.content {
    case .change(let change, let given, _): try take(change, given)
    case .document(let contents): try take(contents, recovery.header)
    }
    takenRecoveries.append(file)
    report(recovery.report)
  }

  private func take(_ change: ChangeSet, _ given: AssignedNumbers) throws {
    // The graph of the change is gone, so no link counts as added later.
    let merged = try context.graph.merging(
      change, of: context.graph, policy: settings.mergePolicy, given: given, in: evaluation)
    guard merged.conflicts.isEmpty else {
      throw Failure(
        merged.conflicts.map { Diagnostic($0.facts(in: context.graph.model, zone)) }
          + [Diagnostic(RecoveryMessage.meets(count: merged.conflicts.count), severity: .note)])
    }
    context.recover(merged, "recover")
  }

  /// Replaces the open store with a document if no process has saved since; otherwise opens the
  /// document on its own.
  private func take(_ contents: StoreContents, _ header: Recovery.Header) throws {
    guard !context.hasChanges else { throw Failure(RecoveryMessage.overChanges) }
    let isSame = (store.keeper?.stateMark ?? "") == header.base
    if !isSame || store.keeper == nil {
      if !isSame { report(Diagnostic(RecoveryMessage.alone, severity: .warning)) }
      closeStore()
      context.open(Graph())
      variables.forgetObjects()
      store = CurrentStore(contents, from: .standardInput)
    }
    context.changeModel("recover", to: contents.graph)
  }

  /// The conversation that a bug of the program would end.
  nonisolated(unsafe) static private(set) weak var current: Session?

  /// Registers the session, so that its unsaved changes survive a bug of the program.
  func becomeCurrent() { Session.current = self }

  /// Writes unsaved changes, in a forked copy of a process that is about to end, so that a failure
  /// does no further harm.
  package static func rescue() {
    guard let session = current, session.hasUnsaved else { return }
    session.writeRecovery()
  }
}

extension Recovery {
  /// The report after it was taken in. `changes` does not list the objects of a whole document.
  fileprivate var report: String {
    switch content {
    case .change:
      localized(
        "recovered: \(header.phrase); for details: changes; to keep: save; to discard: undo")
    case .document: localized("recovered: \(header.phrase); to keep: save; to discard: undo")
    }
  }
}

/// A message about changes that an earlier session has kept.
private enum RecoveryMessage: DiagnosticFacts {
  case waits(Recovery.Header, String)
  case damaged(path: String, reason: String)
  case misfit(Recovery.Misfit, path: String)
  case meets(count: Int)
  /// `.recover` of a complete document when there are other changes
  case overChanges
  /// The store has been saved since, and the kept changes include the model.
  case alone

  var sentence: String {
    switch self {
    case .waits(let header, let path):
      localized(
        "a session that ended at \(header.moment) left unsaved changes (\(header.phrase)) in \(path)"
      )
    case .damaged(let path, let reason):
      localized("the unsaved changes in \"\(path)\" cannot be read: \(reason)")
    case .misfit(.key(let key, let entity), let path):
      localized(
        "the changes in \"\(path)\" do not fit the current model: \(entity).\(key) has a different type"
      )
    case .misfit(.refused(let refusal), let path):
      localized("the changes in \"\(path)\" cannot be recovered: \(refusal.sentence)")
    case .meets(let count):
      localized(
        "nothing was recovered: \(counted(count, "change conflicts with", "changes conflict with")) a later save"
      )
    case .overChanges: localized("there are unsaved changes")
    case .alone:
      localized(
        "the changes include model changes, and the store was saved later, so Kura opened the changes as a separate store"
      )
    }
  }

  var help: String? {
    switch self {
    case .waits: localized(".recover restores the changes, .recover drop deletes them")
    case .damaged: localized("move the file away, or delete all recovery files: .recover drop")
    case .misfit(.key, _):
      localized("restore the earlier model, or delete the changes: .recover drop")
    case .misfit(.refused, _): localized(".recover drop deletes the changes")
    case .meets:
      localized(
        ".merge store keeps the saved values, .merge memory the unsaved ones; then .recover again")
    case .overChanges: localized("save or rollback, then .recover again")
    case .alone: localized("save \"FILE\" writes them to a new store")
    }
  }
}

extension Timestamp {
  fileprivate var inSeconds: Timestamp {
    Timestamp(microseconds: microseconds - microseconds % 1_000_000)
  }
}

extension Report {
  static func dropped(_ header: Recovery.Header) -> String {
    localized("deleted: the unsaved changes from \(header.moment) (\(header.phrase))")
  }

  static func dropped(_ path: String) -> String { localized("deleted: \(path)") }

}
