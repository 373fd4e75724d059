public import Foundation
import KuraBytes
import KuraChecking
public import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
public import KuraValues

/// The reasons why a store could not be opened, saved, or otherwise do what was requested.
///
///     do { try context.save() } catch StoreError.invalid(let failures) {
///       for failure in failures { print(failure) }
///     }
///
/// A request, a key or a value that does not fit the model throws a `Diagnostic` instead.
public enum StoreError: Error, Sendable {
  /// The file could not be opened, read or written.
  case file([Diagnostic])
  /// The file to create already exists.
  case exists(path: String)
  /// There is no store in a file: the data was read from plain JSON, or an operation needs a file
  /// and the store is in memory.
  case notKept
  /// The store was closed.
  case closed
  /// A save or refresh was called inside `perform`.
  case performing
  /// The store was opened read-only, or cannot be written.
  case readOnly(String)
  /// Objects break the model's rules; nothing was changed.
  case invalid([ValidationFailure])
  /// The changes conflict with saves of others; nothing was changed.
  case conflicts([MergeConflict])
  /// Objects break rules in combination with saves of others; nothing was saved.
  case invalidTogether([ValidationFailure])
  /// The model was changed here or by others; models cannot be merged.
  case modelConflict
  /// The model is inconsistent.
  case model([Diagnostic])
  /// Objects prevent the migration to another model; nothing was changed.
  case migration([Diagnostic])
  /// The model of the store differs from the program's.
  case otherModel(path: String)
  /// Swift types do not fit the model.
  case storable([Diagnostic])
  /// The request exceeded its time limit and was cancelled.
  case timedOut(Duration)
  /// The history of saves cannot answer a request.
  case history(HistoryProblem)
  /// Later changes conflict with the save to revert; nothing was changed. In each conflict, `old`
  /// is the value that the save left, and `stored` is the current value.
  case notReverted(Int64, [MergeConflict])
}

extension StoreError: CustomStringConvertible {
  /// One line per sentence, with a suggestion.
  public var description: String {
    switch self {
    case .file(let problems), .model(let problems), .migration(let problems),
      .storable(let problems):
      problems.map(\.description).joined(separator: "\n")
    case .invalid(let failures): Self.lines("the changes break the rules of the model", failures)
    case .invalidTogether(let failures):
      Self.lines(
        "combined with what others have saved, the changes break the rules of the model", failures)
    case .conflicts(let conflicts): Self.lines("the changes conflict with another save", conflicts)
    case .exists(let path): "\"\(path)\" already exists"
    case .notKept: "no store file is open; save(as:) creates one"
    case .closed: "the store is closed; open it again"
    case .performing: "this cannot be called inside perform; call it after perform has ended"
    case .readOnly(let reason): reason
    case .modelConflict:
      "another session saved the store, and Kura cannot merge model changes with that save"
    case .otherModel(let path):
      "\"\(path)\" has a different model; to migrate it, open it with migration: .automatic()"
    case .timedOut(let limit): "the request timed out after \(limit.secondsText) s"
    case .history(let problem): problem.description
    case .notReverted(let save, let conflicts):
      Self.lines("nothing was reverted: later changes conflict with save \(save)", conflicts)
    }
  }

  private static func lines(_ head: String, _ rest: [some CustomStringConvertible]) -> String {
    ([head + ":"] + rest.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension StoreError: LocalizedError {
  /// The `description`, but without suggestions for problems of a file or model; for alerts and
  /// logs.
  public var errorDescription: String? {
    switch self {
    case .file(let problems), .model(let problems), .migration(let problems),
      .storable(let problems):
      problems.map(\.localizedDescription).joined(separator: "\n")
    default: description
    }
  }
}

extension MergeConflict: LocalizedError {
  /// The `description`, for alerts and logs.
  public var errorDescription: String? { description }
}

extension StoreError {
  /// Calls a closure, and throws errors of lower modules as a `StoreError`.
  static func convertingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let problems as StoreProblems {
      throw StoreError.file(problems.diagnostics.forPrograms)
    }
  }
}

/// A conflict between a change in this context and a change of others.
public struct MergeConflict: Error, Sendable, CustomStringConvertible {
  /// The object that both changed.
  public let object: ObjectID
  /// The key, if the conflict concerns one key.
  public let key: String?
  /// The value before both changes.
  public let old: Value
  /// The value in this context.
  public let new: Value
  /// The value in the store.
  public let stored: Value
  /// The conflict as a sentence.
  public let description: String
}

extension MergeConflict {
  /// Creates a conflict of two changes, or of the reversal of a save.
  init(
    _ conflict: ChangeConflict, ofReversal isReversal: Bool = false, in model: Model,
    _ zone: ZoneRules
  ) {
    (object, key) = (conflict.object, conflict.key)
    let property = conflict.key.flatMap { model.property(named: $0, of: conflict.object.entity) }
    old = conflict.old.value(of: property, in: model)
    new = conflict.new.value(of: property, in: model)
    stored = conflict.present.value(of: property, in: model)
    let facts = conflict.facts(in: model, zone)
    if isReversal, case .conflict(_, let old, _, let present) = facts {
      description = conflict.sentenceOfReversal(old: old, present: present)
    } else {
      description = facts.sentence
    }
  }
}

extension StoredCell {
  /// Returns the value in its public form, as the type of a property of the model.
  func value(of property: Property?, in model: Model) -> Value {
    switch property {
    case .attribute(let attribute)?: return value(as: attribute.type)
    case .relationship(let relationship)?:
      let root = model.root(of: relationship.destination)
      let objects = numbers.map { number in
        ObjectID(entity: relationship.destination, root: root, number: number).predicateValue
      }
      return relationship.isToMany ? .list(objects) : objects.first ?? .null
    case nil: return .null
    }
  }
}

/// A store's problem with a suggestion for programs instead of a command of the shell.
struct ProgramProblem: DiagnosticFacts {
  let facts: any DiagnosticFacts

  var sentence: String { facts.sentence }
  var isIncomplete: Bool { facts.isIncomplete }
  var kind: Diagnostic.Kind { facts.kind }

  var help: String? {
    switch facts {
    case let facts as StoreProblem: facts.programHelp
    case let facts as KeepingMessage: facts.programHelp
    case let facts as CheckProblem: facts.programHelp
    case let facts as ChangeProblem: facts.programHelp
    case let facts as MigrationProblem: facts.programHelp
    default: facts.help
    }
  }
}

extension Diagnostic {
  /// The diagnostic with a suggestion for programs.
  var forPrograms: Diagnostic {
    var result = self
    result.facts = ProgramProblem(facts: facts)
    return result
  }
}

extension [Diagnostic] {
  /// The diagnostics with suggestions for programs.
  var forPrograms: [Diagnostic] { map(\.forPrograms) }
}

extension MigrationProblem {
  fileprivate var programHelp: String? {
    guard case .invalid(let failure) = self, failure.rule == .missing else { return help }
    return "give it a default, or make it optional until every object has a value"
  }
}

extension ChangeProblem {
  fileprivate var programHelp: String? {
    guard case .notObjects(_, let destination, let isToMany) = self else { return help }
    let object = "context.object(\"\(destination)\", 1)"
    return isToMany
      ? "pass objects or their identities: [\(object)]"
      : "pass an object or its identity: \(object)"
  }
}

extension CheckProblem {
  fileprivate var programHelp: String? {
    guard case .unboundVariable(let name, let known) = self,
      nearNames(to: name, among: known).isEmpty
    else { return help }
    return "give it a value: with([\"\(name)\": …])"
  }
}

extension StoreProblem {
  fileprivate var programHelp: String? {
    switch self {
    case .cannotOpen(_, ENOENT):
      "to create a new store: Store.create, or Store.openOrCreate"
    case .noFolder: "create it first: FileManager.createDirectory"
    case .empty: "write [] for an empty list, or create a store with Store.create"
    default: help
    }
  }
}

extension KeepingMessage {
  fileprivate var programHelp: String? {
    switch event {
    case .failure(.file):
      "the unsaved changes are still in the context: save(as:) writes them to another file"
    case .readOnly(let reason): reason.programHelp(path)
    case .failure(.readOnly):
      "nothing was read, and the context is complete: save(as:) writes it to another file"
    case .failure(.journalTakenAway): "save() writes them again"
    case .failure(.documentGone): "restore it, or write it again: save(as:)"
    case .failure(.ownerNotPreserved(let owner)):
      "ask \(owner) to save it; or write your own copy: save(as:)"
    case .failure(.ownerLockedOut(let owner)):
      "add \(owner) to the file's group; or write your own copy: save(as:)"
    case .failure(.notReadBack): "earlier saves are not lost; please report this with your changes"
    case .failure(.lockTimedOut):
      "try again; StoreOptions.lockTimeout sets how long a save waits"
    case .stillWaiting: nil
    default: help
    }
  }
}

extension ReadOnlyReason {
  fileprivate func programHelp(_ path: String) -> String {
    switch self {
    case .folderNotWritable, .documentNotWritable: "save(as:) writes the store to another file"
    case .noLocks: "if nobody else opens it, set StoreOptions.takesLock to false"
    case .damagedJournal(record: 0, isLast: true):
      "restore the journal from a backup; or discard its saves: kura --drop-damaged-save"
    case .damagedJournal(_, isLast: true):
      "restore the journal from a backup; or discard that save: kura --drop-damaged-save"
    case .damagedJournal(_, isLast: false):
      "restore the journal from a backup; or keep what was read: save(as:)"
    case .anotherJournal:
      "nothing was read, and the context is complete: save(as:) writes it to another file"
    case .hardLinks, .journalLinks, .journalOfOtherDocument: help(path)
    }
  }
}
