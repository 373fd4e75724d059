import KuraDiagnostics
import KuraGraph
import KuraSentences

/// The facts about a session that decide how it ends.
struct SessionEnding {
  /// Whether the open store lacks saves that could not be read: query results are incomplete.
  var lacksSaves = false
  /// Whether the last `fetch`, `count` or `exists` found anything; nil before the first.
  var lastFetchFoundAny: Bool?
  /// Whether the question about unsaved changes met the end of input, and nothing was typed since.
  var questionMetEndOfInput = false
}

extension Session {
  /// Whether data would be lost: unsaved changes, or an open scratch context. A lesson uses a copy.
  var hasUnsaved: Bool { learning.lesson == nil && (!scratches.isEmpty || context.hasChanges) }

  /// Ends a script: unsaved changes are saved under `--autosave`, otherwise they are an error.
  ///
  /// A failed script saves nothing. The exit status at the end reports if the store lacked saves
  /// when it was read, or if the last query found nothing under `--exit-status`.
  package func leaveScript() -> ExitStatus {
    let status = speaking { endScript() }
    guard status == .done else { return status }
    if ending.lacksSaves { return .storeFailed }
    return launch.statusTellsFound && ending.lastFetchFoundAny == false ? .statementFailed : .done
  }

  private func endScript() -> ExitStatus {
    defer { closeStore() }
    if launch.isDryRun, status == .done {
      do { try showUnsavedInDryRun() } catch { fail(error) }
    }
    try? transcript.end()
    do { try targets.close() } catch { fail(error) }
    guard hasUnsaved else { return status }
    guard status == .done else {
      // A dry run would not have lost anything.
      if launch.savesAtEnd || !launch.isDryRun { reportLoss() }
      return status
    }
    guard launch.savesAtEnd, scratches.isEmpty else {
      fail(Failure([Diagnostic(unsaved)], status: .unsavedChanges))
      return status
    }
    do { try save(to: nil, replaces: false) } catch { fail(error) }
    return status
  }

  func reportLoss() {
    let lost = unsavedChanges
    if !lost.phrase.isEmpty { report(localized("quit without saving: \(lost.phrase)")) }
  }

  /// The changes that would be lost, including those in scratch contexts.
  private var unsavedChanges: UnsavedChanges {
    scratches.reduce(into: context.unsaved) {
      $0.objects += $1.parent.unsaved.objects
      $0.entities += $1.parent.unsaved.entities
      $0.requests += $1.parent.unsaved.requests
    }
  }

  private var unsaved: any DiagnosticFacts {
    if let scratch = scratches.last {
      return ScratchProblem.endInScratch(name: scratch.name)
    }
    return ChangesLeft(hasFile: store.path != nil && store.canBeSaved)
  }

  /// Asks what to do with unsaved changes; nil if the user stays.
  func leaveConversation() -> ExitStatus? {
    guard hasUnsaved else { return .done }
    guard scratches.isEmpty else { return leavingWithoutSaving() }
    if launch.savesAtEnd { return savingAtEnd() }
    guard case .file(let path) = store.home, store.canBeSaved else {
      return leavingWithoutSaving()
    }
    let question = localized("Save the changes to \(path)? [y]es, [n]o, [c]ancel: ")
    guard let text = answer(to: question) else { return leavingUnanswered() }
    switch Answer(text) {
    case .yes?: return savingAtEnd()
    case .no?:
      dropTaken()
      return .done
    case .cancel?, .later?, nil:
      report(localized("not quitting: there are unsaved changes; save or rollback first"))
      return nil
    }
  }

  private func leavingWithoutSaving() -> ExitStatus? {
    let question =
      scratches.last.map {
        localized(
          "The scratch context \($0.name) is still open; commit or cancel closes it. Leave and lose its changes? [y/N]: "
        )
      }
      ?? localized(
        "There are changes that are not saved in any file. Leave without saving? [y/N]: ")
    switch isAgreed(question) {
    case true?:
      dropTaken()
      return .done
    case false?: return nil
    case nil: return leavingUnanswered()
    }
  }

  /// Handles the end of input instead of an answer. The user stays, because Control-D may have been
  /// pressed once too often.
  ///
  /// A closed terminal returns only ends, so the second one in a row ends the session.
  private func leavingUnanswered() -> ExitStatus? {
    defer { ending.questionMetEndOfInput = true }
    guard ending.questionMetEndOfInput else {
      report(localized("not quitting: there are unsaved changes; save or rollback first"))
      return nil
    }
    writeRecovery()
    return .unsavedChanges
  }

  private func savingAtEnd() -> ExitStatus? {
    do {
      try save(to: nil, replaces: false)
      return .done
    } catch {
      fail(error)
      return nil
    }
  }
}

/// Unsaved changes at the end of a script.
private struct ChangesLeft: DiagnosticFacts {
  /// Whether a save needs no name.
  let hasFile: Bool

  var sentence: String { localized("there are unsaved changes") }

  var help: String? {
    hasFile
      ? localized("write save at the end, or start with --autosave")
      : localized("write save \"FILE\" at the end")
  }
}

extension UnsavedChanges {
  /// `3 objects and 1 entity`; `1 object, 1 entity and 1 request`
  var phrase: String {
    let parts = [
      objects > 0 ? counted(objects, "object", "objects") : nil,
      entities > 0 ? counted(entities, "entity", "entities") : nil,
      requests > 0 ? counted(requests, "request", "requests") : nil,
    ].compactMap(\.self)
    return parts.conjunction
  }
}
