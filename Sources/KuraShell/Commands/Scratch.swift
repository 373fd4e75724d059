import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences

/// The context around a scratch context.
struct ScratchContext {
  /// What `begin` called the context inside.
  var name: String
  /// The context around it, as it was at `begin`.
  var parent: ManagedObjectContext
  /// How many changes were traced before.
  var traced: Int
}

/// `begin "add a date"`: from here on statements go to a context of its own.
///
/// The two share all chunks until one of them changes: it takes no time.
extension BeginStatement: Command {
  var turn: ChangeTurn? { .begins }

  func perform(in session: Session, _ source: SourceText) {
    let name = name?.text ?? "scratch \(session.scratches.count + 1)"
    session.scratches.append(
      ScratchContext(name: name, parent: session.context, traced: session.trace.count))
    var inside = ManagedObjectContext(session.context.graph)
    inside.history.levels = session.context.history.levels
    session.context = inside
    session.report(Report.begun(name))
  }
}

/// `commit`: what was changed comes to the context around, as one step with the scratch's name.
extension CommitStatement: Command {
  var turn: ChangeTurn? { .commits }

  func perform(in session: Session, _ source: SourceText) throws {
    let (scratch, inside) = try session.endScratch("commit")
    session.context.adopt(inside, scratch.name)
    let change = Report.changed(inside, in: session.zone)
    let isToBeSaved = session.scratches.isEmpty && inside.hasChanges
    session.report(Report.committed(scratch.name, change, isToBeSaved: isToBeSaved))
  }
}

/// `cancel`: what was changed is gone.
extension CancelStatement: Command {
  var turn: ChangeTurn? { .cancels }

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
  /// Goes on in the context around, and gives the one inside.
  fileprivate func endScratch(
    _ statement: String
  ) throws(Failure) -> (scratch: ScratchContext, inside: ManagedObjectContext) {
    guard let scratch = scratches.popLast() else {
      throw Failure(ScratchFacts.noScratch(statement))
    }
    let inside = context
    context = scratch.parent
    return (scratch, inside)
  }

  /// Throws while a scratch context is open.
  func checkNoScratch(_ statement: String) throws(Failure) {
    guard let scratch = scratches.last else { return }
    throw Failure(ScratchFacts.scratchIsOpen(statement, name: scratch.name))
  }

  /// The context around all scratch contexts.
  var outermost: ManagedObjectContext { scratches.first?.parent ?? context }
}

/// What a scratch context, or that there is none, does not allow.
enum ScratchFacts: DiagnosticFacts {
  /// `save` in a scratch context
  case scratchIsOpen(String, name: String)
  /// `commit` without one
  case noScratch(String)

  var sentence: String {
    switch self {
    case .scratchIsOpen(let statement, let name):
      localized("\(statement) has to wait: the scratch context \(name) is open")
    case .noScratch(let statement): localized("there is no scratch context to \(statement)")
    }
  }

  var help: String? {
    switch self {
    case .scratchIsOpen: localized("commit keeps what was changed in it, cancel drops it")
    case .noScratch: localized("begin opens one")
    }
  }
}

extension Report {
  static func begun(_ name: String) -> String {
    localized("scratch context: \(name); commit keeps what is changed in it, cancel drops it")
  }

  static func committed(_ name: String, _ change: String, isToBeSaved: Bool) -> String {
    localized("committed: \(name): \(change)") + (isToBeSaved ? localized("; save writes it") : "")
  }

  /// `cancelled: move house; $new has no value any more`
  static func cancelled(_ name: String, variables: [String]) -> String {
    localized("cancelled: \(name)") + lost(variables)
  }
}
