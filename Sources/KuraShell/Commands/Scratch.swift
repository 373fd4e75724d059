import KuraDiagnostics
import KuraGraph
import KuraScript

/// The context around a scratch context.
package struct ScratchContext {
  /// What `begin` called the context inside.
  var name: String
  /// The context around it, as it was at `begin`.
  var parent: ManagedObjectContext
  /// How many changes were traced before.
  var traced: Int
}

extension Session {
  /// `begin "add a date"`: from here on statements go to a context of its own.
  ///
  /// The two share all chunks until one of them changes: it takes no time.
  mutating func begin(_ name: Name?) {
    let name = name?.text ?? "scratch \(state.scratches.count + 1)"
    state.scratches.append(
      ScratchContext(name: name, parent: state.context, traced: state.trace.count))
    var inside = ManagedObjectContext(state.context.graph)
    inside.history.levels = state.context.history.levels
    state.context = inside
    report(Report.begun(name))
  }

  /// `commit`: what was changed comes to the context around, as one step with the scratch's name.
  mutating func commit() throws {
    guard let scratch = state.scratches.popLast() else {
      throw Failure(ShellFacts.noScratch("commit"))
    }
    let inside = state.context
    state.context = scratch.parent
    state.context.adopt(inside, scratch.name)
    let change = Report.changed(inside, in: state.zone)
    let isToBeSaved = state.scratches.isEmpty && inside.hasChanges
    report(Report.committed(scratch.name, change, isToBeSaved: isToBeSaved))
  }

  /// `cancel`: what was changed is gone.
  mutating func cancel() throws {
    guard let scratch = state.scratches.popLast() else {
      throw Failure(ShellFacts.noScratch("cancel"))
    }
    let inside = state.context
    state.context = scratch.parent
    state.context.abandon(inside)
    state.trace.keepFirst(scratch.traced)
    state.followBack(inside.changedEntities)
    report(Report.cancelled(scratch.name, variables: forgetDroppedObjects(since: inside.graph)))
  }

  /// Throws while a scratch context is open.
  func checkNoScratch(_ statement: String) throws(Failure) {
    guard let scratch = state.scratches.last else { return }
    throw Failure(ShellFacts.scratchIsOpen(statement, name: scratch.name))
  }
}

extension SessionState {
  /// Whether something would be lost: unsaved changes, or an open scratch context.
  var hasUnsaved: Bool { !scratches.isEmpty || context.hasChanges }
}
