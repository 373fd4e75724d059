import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

/// `history`, `history of Item/3`: lists the saves, the newest first.
extension HistoryStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    let chain = try session.saveChain()
    defer { session.warn(of: chain.gaps) }
    let saves = chain.saves.reversed()
    switch self {
    case .saves: try session.write(Grid(saves: Array(saves)))
    case .object(let tree):
      let object = try session.identity(tree, source)
      let listing = session.changeListing
      let changes = try saves.compactMap { save -> (save: SaveEntry, change: ChangeSet)? in
        try session.services.cancel.check()
        guard let change = save.change?.alone(object, in: session.context.graph.model) else {
          return nil
        }
        return (save, change)
      }
      try session.write(
        Grid(
          columns: [GridColumn].save + [GridColumn].change,
          rows: changes.flatMap { save, change in
            try listing.rows(change, save.types).map { save.cells + $0 }
          }))
    }
  }
}

extension Grid {
  fileprivate init(saves: [SaveEntry]) {
    self.init(
      columns: [GridColumn].save
        + [
          GridColumn(localized("program")), GridColumn(localized("actions"), isOwnText: true),
          GridColumn(localized("inserted"), isNumeric: true),
          GridColumn(localized("updated"), isNumeric: true),
          GridColumn(localized("deleted"), isNumeric: true),
        ],
      rows: saves.map { $0.cells + $0.work })
  }
}

extension SaveEntry {
  fileprivate var cells: [Value] {
    let second = Timestamp(microseconds: time.microseconds / 1_000_000 * 1_000_000)
    return [.integer(number), .date(second), .string(author)]
  }

  /// The program, the steps, and the number of objects; a change of the model has no numbers.
  fileprivate var work: [Value] {
    let texts: [Value] = [.string(program), .string(actions.joined(separator: ", "))]
    guard let counts = change?.counts else { return texts + [.null, .null, .null] }
    return texts
      + [counts.inserted, counts.updated, counts.deleted].map { Value.integer(Int64($0)) }
  }
}

extension [GridColumn] {
  fileprivate static var save: [GridColumn] {
    [
      GridColumn(localized("save"), isNumeric: true), GridColumn(localized("time")),
      GridColumn(localized("author")),
    ]
  }
}

extension Session {
  /// Returns the identity of the object that an expression names, whether or not it still exists.
  fileprivate func identity(_ tree: ExpressionTree, _ source: SourceText) throws -> ObjectID {
    let model = context.graph.model
    if case .objectOrQuotient(let entity, let number) = tree.kind, model[entity] != nil {
      return ObjectID(entity: entity, root: model.root(of: entity), number: number)
    }
    let value = try read(source) { snapshot, environment in
      try tree.value(in: snapshot, environment)
    }
    guard let id = value.objectIDs.first else {
      throw Failure(HistoryCommandProblem.noObject, at: tree.span)
    }
    return id
  }
}

/// `diff 3 12`, `diff "OTHER.json"`
extension DiffStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    switch self {
    case .saves(let from, let to): try session.show(change: session.change(from, to))
    case .store(let file): try session.show(change: session.change(from: file))
    }
  }
}

extension Session {
  /// Returns what the saves after one did, up to another.
  fileprivate func change(_ from: SaveNumber, _ to: SaveNumber) throws -> ChangeSet {
    if from.number > to.number { return try change(to, from).inverted }
    let chain = try saveChain()
    return try located(at: to.span) { () throws(SaveChain.Break) in
      try chain.change(from.number, to.number, in: context.graph.model)
    }
  }

  /// Returns the change that leads from another store to this one.
  fileprivate func change(from file: Name) throws -> ChangeSet {
    try checkSafe(.opening, at: file.span)
    let other = try services.openStore(.file(file.text), keeping, services.progress).store
    guard other.graph.model.entities == context.graph.model.entities else {
      throw Failure(HistoryCommandProblem.otherModel(file.text), at: file.span)
    }
    return other.graph.difference(to: context.graph, services.cancel)
  }

  /// Returns what the saves after one did, including unsaved changes.
  func changes(since save: SaveNumber) throws -> ChangeSet {
    let before = try graph(after: save)
    return before.difference(to: context.graph, services.cancel)
  }

  /// Returns the store as it was after a save.
  fileprivate func graph(after save: SaveNumber) throws -> Graph {
    let chain = try saveChain()
    let graph = try located(at: save.span) { () throws(SaveChain.Break) in
      try chain.graph(after: save.number, from: outermost.savedGraph)
    }
    // If it was cancelled, the graph is incomplete.
    try services.cancel.check()
    return graph
  }

  fileprivate func located<Result>(
    at span: SourceSpan, _ body: () throws(SaveChain.Break) -> Result
  ) throws(Failure) -> Result {
    do throws(SaveChain.Break) { return try body() } catch {
      throw Failure(HistoryCommandProblem.broken(error), at: span)
    }
  }

  /// Warns of saves that a gap in the history follows.
  fileprivate func warn(of gaps: [Int64]) {
    guard !gaps.isEmpty else { return }
    report(Diagnostic(HistoryCommandProblem.gaps(gaps), severity: .warning))
  }

  fileprivate func saveChain() throws -> SaveChain {
    guard let keeper = store.keeper else { throw Failure(StoreFileProblem.notKept) }
    let contents = try HistoryCommandProblem.convertingErrors { () throws(SidecarProblem) in
      try keeper.history.read()
    }
    guard let contents else { throw Failure(HistoryCommandProblem.notKept) }
    return SaveChain(contents, now: keeper.state, services.cancel)
  }
}

/// `as of 3: fetch Item where done == NO`
extension AsOfStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    let graph = try session.graph(after: save)
    try session.read(source, in: GraphSnapshot(graph)) { snapshot, environment in
      _ = try session.show(try fetch.bound(to: snapshot, environment), fetch.result)
    }
  }
}

/// `revert 12`
extension RevertStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    let chain = try session.saveChain()
    let model = session.context.graph.model
    let change = try session.located(at: save.span) { () throws(SaveChain.Break) in
      try chain.change(of: save.number, in: model)
    }
    try session.revert(change, save.number, at: StatementPlace(save.span, in: source))
  }
}

extension Session {
  fileprivate func revert(
    _ change: ChangeSet, _ number: Int64, at place: StatementPlace
  ) throws {
    let graph = context.graph
    let given = AssignedNumbers(
      before: graph.assignedNumbers, next: graph.assignedNumbers, objects: [])
    let merged = try graph.merging(
      change.inverted, of: graph, policy: .error, given: given, in: evaluation)
    guard merged.conflicts.isEmpty else {
      throw Failure(
        merged.conflicts.map {
          Diagnostic(HistoryCommandProblem.meets($0.facts(in: graph.model, zone)), at: place.span)
        } + [Diagnostic(HistoryCommandProblem.notReverted(number), severity: .note)])
    }
    context.recover(merged, "revert \(number)")
    note(merged.change, at: place)
    let counts = merged.change.counts
    report(
      localized(
        "reverted: save \(number): \(counts.inserted) inserted, \(counts.updated) updated, \(counts.deleted) deleted; save writes it"
      ))
  }
}

extension HistoryCommandProblem {
  /// Converts an error of the history to a failure.
  static func convertingErrors<Result>(
    _ body: () throws(SidecarProblem) -> Result
  ) throws(Failure) -> Result {
    do throws(SidecarProblem) { return try body() } catch {
      throw Failure(HistoryCommandProblem.refused(error.reason))
    }
  }
}

/// A problem with the history of a store.
enum HistoryCommandProblem: DiagnosticFacts {
  case notKept
  case refused(String)
  case notNoted(String)
  case broken(SaveChain.Break)
  /// `history`: the saves that a gap follows
  case gaps([Int64])
  /// `diff "OTHER.json"`
  case otherModel(String)
  /// `history of 3`
  case noObject
  /// An object or value that exists now but did not after the save.
  case meets(ChangeProblem)
  case notReverted(Int64)
  /// `.history keep x`
  case unknownSetting

  var sentence: String {
    switch self {
    case .notKept: localized("history is off for this store")
    case .refused(let reason): localized("cannot read or write the history: \(reason)")
    case .notNoted(let reason): localized("saved, but not recorded in the history: \(reason)")
    case .broken(.unknown(let number, _)): localized("the history has no save \(number)")
    case .broken(.model(let number)):
      localized("save \(number) changed the model: Kura cannot go back to earlier saves")
    case .broken(.otherType(let number, let entity, let key)):
      localized("save \(number) has values of \(entity).\(key), whose type has changed since")
    case .broken(.refused(let number, let refusal)):
      localized("save \(number) does not fit the model: \(refusal.sentence)")
    case .broken(.gap(let number)):
      localized(
        "after save \(number), there was a save that is not in the history"
      )
    case .gaps(let numbers):
      localized(
        "the store changed after save \(numbers.map { "\($0)" }.list), and the history does not record how"
      )
    case .otherModel(let path): localized("\"\(path)\" has a different model")
    case .noObject: localized("expected an object")
    case .meets(.conflict(let conflict, let old, _, let present)):
      conflict.sentenceOfReversal(old: old, present: present)
    case .meets(let facts): facts.sentence
    case .notReverted(let number):
      localized("nothing was reverted: later changes conflict with save \(number)")
    case .unknownSetting: localized("expected keep and a number of saves, or forget")
    }
  }

  var help: String? {
    switch self {
    case .notKept: localized("turn it on with .history keep 1000 saves")
    case .broken(.unknown(_, let available)):
      available.map { localized("the history has saves \($0.lowerBound) to \($0.upperBound)") }
        ?? localized("the history has no saves yet")
    case .broken(.gap): localized("another session may have saved: .refresh reads its changes")
    case .gaps: localized("a line is damaged, a save was not recorded, or the document was edited")
    case .noObject: localized("for example history of Item/3")
    case .unknownSetting: localized("for example .history keep 1000 saves")
    case .refused, .notNoted, .broken(.model), .broken(.otherType), .broken(.refused), .otherModel,
      .meets, .notReverted:
      nil
    }
  }
}
