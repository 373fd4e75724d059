import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences

/// A context that is suspended while a scratch context is open.
struct ScratchContext {
  /// The name that `begin` gave to the scratch context.
  var name: String
  /// The suspended context, as it was at `begin`.
  var parent: GraphContext
  /// The number of changes that were traced before.
  var traced: Int
}

/// `begin "add a date"`: directs the following statements to a new scratch context.
///
/// The two contexts share all chunks until one of them changes, so it takes no time.
extension BeginStatement: Command {
  var turn: ChangeTransition? { .begins }

  func perform(in session: Session, _ source: SourceText) {
    let name = name?.text ?? "scratch \(session.scratches.count + 1)"
    session.scratches.append(
      ScratchContext(name: name, parent: session.context, traced: session.trace.count))
    var inside = GraphContext(session.context.graph)
    inside.history.levels = session.context.history.levels
    session.context = inside
    session.report(
      localized("scratch context: \(name); commit keeps its changes, cancel discards them"))
  }
}

/// `commit`: adopts the changes as one step with the scratch context's name.
extension CommitStatement: Command {
  var turn: ChangeTransition? { .commits }

  func perform(in session: Session, _ source: SourceText) throws {
    let (scratch, inside) = try session.endScratch("commit")
    session.context.adopt(inside, scratch.name)
    let change = Report.changed(inside, in: session.zone)
    let isToBeSaved = session.scratches.isEmpty && inside.hasChanges
    session.report(Report.committed(scratch.name, change, isToBeSaved: isToBeSaved))
  }
}

/// `cancel`: discards the changes.
extension CancelStatement: Command {
  var turn: ChangeTransition? { .cancels }

  func perform(in session: Session, _ source: SourceText) throws {
    let (scratch, inside) = try session.endScratch("cancel")
    session.context.abandon(inside)
    session.trace.keepFirst(scratch.traced)
    session.variables.follow(back: inside.changedEntities, to: session.context.graph.model)
    let lost = session.forgetDroppedObjects(since: inside.graph)
    session.report(Report.cancelled(scratch.name, variables: lost))
  }
}

extension Session {
  /// Returns to the enclosing context; returns the scratch context's entry and its context.
  fileprivate func endScratch(
    _ statement: String
  ) throws(Failure) -> (scratch: ScratchContext, inside: GraphContext) {
    guard let scratch = scratches.popLast() else {
      throw Failure(ScratchProblem.noScratch(statement))
    }
    let inside = context
    context = scratch.parent
    return (scratch, inside)
  }

  /// Throws while a scratch context is open.
  func checkNoScratch(_ statement: String) throws(Failure) {
    guard let scratch = scratches.last else { return }
    throw Failure(ScratchProblem.scratchIsOpen(statement, name: scratch.name))
  }

  /// The context outside all scratch contexts.
  var outermost: GraphContext { scratches.first?.parent ?? context }
}

/// A statement that needs a scratch context, or is not allowed in one.
enum ScratchProblem: DiagnosticFacts {
  /// `save` in a scratch context
  case scratchIsOpen(String, name: String)
  /// The end of the input, or of a lesson's attempt, in a scratch context
  case endInScratch(name: String)
  /// `commit` without one
  case noScratch(String)

  var sentence: String {
    switch self {
    case .scratchIsOpen(let statement, let name):
      localized("\(statement) is not possible while the scratch context \(name) is open")
    case .endInScratch(let name):
      localized("the input ended with the scratch context \(name) open")
    case .noScratch(let statement): localized("nothing to \(statement): no scratch context is open")
    }
  }

  var help: String? {
    switch self {
    case .scratchIsOpen, .endInScratch:
      localized("commit keeps its changes, cancel discards them")
    case .noScratch("commit"):
      localized("begin opens a scratch context; save writes to the store")
    case .noScratch: localized("begin opens a scratch context; rollback discards all changes")
    }
  }
}

extension Report {
  static func committed(_ name: String, _ change: String, isToBeSaved: Bool) -> String {
    localized("committed: \(name): \(change)")
      + (isToBeSaved ? localized("; save writes the changes") : "")
  }

  /// Returns `cancelled: move house; $new no longer has a value`.
  static func cancelled(_ name: String, variables: [String]) -> String {
    localized("cancelled: \(name)") + lost(variables)
  }
}
