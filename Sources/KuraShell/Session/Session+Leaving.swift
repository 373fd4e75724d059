import KuraDiagnostics
import KuraGraph

extension Session {
  /// Ends a script: what is unsaved is saved under `--autosave`, else it is an error.
  ///
  /// A script that failed saves nothing. One that read less than was saved has not failed, and its
  /// status says so at its end.
  package mutating func leaveScript() -> ExitStatus {
    let status = endScript()
    return status == .done && state.lacksSaves ? .storeFailed : status
  }

  private mutating func endScript() -> ExitStatus {
    defer { closeStore() }
    if state.isDryRun, state.status == .done {
      do { try showUnsavedInDryRun() } catch { fail(error) }
    }
    do { try targets.close() } catch { fail(error) }
    guard state.hasUnsaved else { return state.status }
    guard state.status == .done else {
      // A dry run would have lost nothing.
      if state.savesAtEnd || !state.isDryRun { reportLoss() }
      return state.status
    }
    guard state.savesAtEnd, state.scratches.isEmpty else {
      fail(Failure([Diagnostic(unsaved)], status: .unsavedChanges))
      return state.status
    }
    do { try save(to: nil, replaces: false) } catch { fail(error) }
    return state.status
  }

  private func reportLoss() {
    let lost = unsavedChanges
    if !lost.phrase.isEmpty { report(Report.leftUnsaved(lost)) }
  }

  /// What would be lost, in scratch contexts too.
  private var unsavedChanges: UnsavedChanges {
    state.scratches.reduce(into: state.context.unsaved) {
      $0.objects += $1.parent.unsaved.objects
      $0.entities += $1.parent.unsaved.entities
      $0.requests += $1.parent.unsaved.requests
    }
  }

  private var unsaved: ShellFacts {
    if let scratch = state.scratches.last { return .scratchIsOpen("the end", name: scratch.name) }
    if case .file = state.store.home { return .unsavedChanges(hasFile: state.store.canBeSaved) }
    return .unsavedChanges(hasFile: false)
  }

  /// Asks what becomes of unsaved changes; nil: the person wants to stay.
  mutating func leaveConversation() -> ExitStatus? {
    guard state.hasUnsaved else { return .done }
    guard state.scratches.isEmpty else { return leavingWithoutSaving() }
    if state.savesAtEnd { return savingAtEnd() }
    guard case .file(let path) = state.store.home, state.store.canBeSaved else {
      return leavingWithoutSaving()
    }
    switch answer(to: Question.save(to: path))?.firstLetter {
    case "y": return savingAtEnd()
    case "n": return .done
    case .some:
      report(Report.notLeft)
      return nil
    case nil: return leavingUnanswered()
    }
  }

  private mutating func leavingWithoutSaving() -> ExitStatus? {
    let question =
      state.scratches.last.map { Question.leaveScratch($0.name) } ?? Question.leaveWithoutSaving
    switch isAgreed(question) {
    case true?: return .done
    case false?: return nil
    case nil: return leavingUnanswered()
    }
  }

  /// The end of input is no answer: a person who pressed Control-D once too often stays.
  ///
  /// A terminal that is gone gives nothing but ends, so the second one in a row counts.
  private mutating func leavingUnanswered() -> ExitStatus? {
    defer { state.gotNoAnswer = true }
    guard state.gotNoAnswer else {
      report(Report.notLeft)
      return nil
    }
    reportLoss()
    return .unsavedChanges
  }

  private mutating func savingAtEnd() -> ExitStatus? {
    do {
      try save(to: nil, replaces: false)
      return .done
    } catch {
      fail(error)
      return nil
    }
  }

  /// Whether the person says yes; nil if there is nobody to ask any more.
  func isAgreed(_ question: String) -> Bool? {
    answer(to: question).map { $0.firstLetter == "y" }
  }

  private func answer(to question: String) -> String? {
    surroundings.ask?(VisibleText.of(question))
  }
}

extension String {
  /// The first letter of an answer, small; a blank for an empty one.
  fileprivate var firstLetter: Character {
    lowercased().first { !$0.isWhitespace } ?? " "
  }
}
