public import Foundation
import KuraBytes
import KuraChecking
public import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
public import KuraValues

/// Why a store could not be opened or saved, or did not do what was asked.
///
///     do { try context.save() } catch StoreError.invalid(let failures) {
///       for failure in failures { print(failure) }
///     }
///
/// A request, a key or a value that does not fit the model throws a `Diagnostic` instead.
public enum StoreError: Error, Sendable {
  /// The file could not be opened, read or written.
  case file([Diagnostic])
  /// There is a file already where one was to be made.
  case exists(path: String)
  /// There is no store in a file to save to: it was read from plain JSON, or the history of a store in
  /// memory was asked for.
  case notKept
  /// The store was closed.
  case closed
  /// A save or a refresh has to wait until `perform` is done, in which it stands.
  case performing
  /// The store was opened to be read only, or cannot be written.
  case readOnly(String)
  /// Objects break the model's rules; nothing was done.
  case invalid([ValidationFailure])
  /// Others have saved changes that these meet; nothing was done.
  case conflicts([MergeConflict])
  /// Objects keep the rules here, and break them with what others have saved; nothing was saved.
  case invalidTogether([ValidationFailure])
  /// The model was changed here or by others, and is not merged.
  case modelConflict
  /// The model does not hold together.
  case model([Diagnostic])
  /// Objects stand in the way of another model; nothing was changed.
  case migration([Diagnostic])
  /// The store has another model than the one that a program was written for.
  case otherModel(path: String)
  /// Types of Swift do not fit the model.
  case storable([Diagnostic])
  /// The request took longer than its limit, and was ended.
  case timedOut(Duration)
  /// The history of saves does not say what was asked of it.
  case history(HistoryProblem)
  /// Later changes meet what a save did that was to be taken back; nothing was done. Of each conflict
  /// `old` is what the save left, `stored` what is there.
  case notReverted(Int64, [MergeConflict])
}

extension StoreError: CustomStringConvertible {
  /// Each sentence on a line, with its way on.
  public var description: String {
    switch self {
    case .file(let problems), .model(let problems), .migration(let problems),
      .storable(let problems):
      problems.map(\.description).joined(separator: "\n")
    case .invalid(let failures): Self.lines("the rules of the model are broken", failures)
    case .invalidTogether(let failures):
      Self.lines("with what others have saved, the rules of the model are broken", failures)
    case .conflicts(let conflicts): Self.lines("others have changed the same", conflicts)
    case .exists(let path): "\"\(path)\" is there already"
    case .notKept: "there is no store in a file; save(as:) makes one"
    case .closed: "the store is closed; open it again"
    case .performing: "this has to wait until perform is done"
    case .readOnly(let reason): reason
    case .modelConflict:
      "others have saved, and changes of the model are not merged with that"
    case .otherModel(let path):
      "\"\(path)\" has another model; open it with migration .automatic() to change that"
    case .timedOut(let limit): "the request took longer than \(limit.secondsText) s, and was ended"
    case .history(let problem): problem.description
    case .notReverted(let save, let conflicts):
      Self.lines("later changes meet what save \(save) did", conflicts)
    }
  }

  private static func lines(_ head: String, _ rest: [some CustomStringConvertible]) -> String {
    ([head + ":"] + rest.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension StoreError: LocalizedError {
  /// What `description` says, of a file or a model without the ways on: for alerts and logs.
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
  /// What `description` says: for alerts and logs.
  public var errorDescription: String? { description }
}

extension StoreError {
  /// Does what may throw an error of the modules below, and throws one of these.
  static func saying<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let problems as StoreProblems {
      throw StoreError.file(problems.diagnostics.forPrograms)
    }
  }
}

/// A change of one's own that meets one by somebody else.
public struct MergeConflict: Error, Sendable, CustomStringConvertible {
  /// The object that both changed.
  public let object: ObjectID
  /// The key, where it is about one.
  public let key: String?
  /// What it was before both.
  public let old: Value
  /// What it is here.
  public let new: Value
  /// What it is in the store.
  public let stored: Value
  /// A sentence with all of it.
  public let description: String
}

extension MergeConflict {
  /// Of taking back a save, or of two changes of one object.
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

extension ChangeValue {
  /// The value as programs have it, of a property of the model.
  func value(of property: Property?, in model: Model) -> Value {
    switch property {
    case .attribute(let attribute)?: return cell.value(as: attribute.type)
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

/// What a store says, with a way on that a program has: no command of the shell's.
struct ProgramFacts: DiagnosticFacts {
  let facts: any DiagnosticFacts

  var sentence: String { facts.sentence }
  var isIncomplete: Bool { facts.isIncomplete }
  var kind: Diagnostic.Kind { facts.kind }

  var help: String? {
    switch facts {
    case let facts as StoreFacts: facts.programHelp
    case let facts as KeepingFacts: facts.programHelp
    case let facts as CheckFacts: facts.programHelp
    case let facts as ChangeFacts: facts.programHelp
    case let facts as MigrationFacts: facts.programHelp
    default: facts.help
    }
  }
}

extension Diagnostic {
  /// The same with a way on for programs.
  var forPrograms: Diagnostic {
    var result = self
    result.facts = ProgramFacts(facts: facts)
    return result
  }
}

extension [Diagnostic] {
  /// The same with ways on for programs.
  var forPrograms: [Diagnostic] { map(\.forPrograms) }
}

extension MigrationFacts {
  fileprivate var programHelp: String? {
    guard case .invalid(let failure) = self, failure.rule == .missing else { return help }
    return "give it a default, or let it be optional until each object has a value"
  }
}

extension ChangeFacts {
  fileprivate var programHelp: String? {
    guard case .notObjects(_, let destination, let isToMany) = self else { return help }
    let object = "context.object(\"\(destination)\", 1)"
    return isToMany
      ? "give it objects or their identities: [\(object)]"
      : "give it an object or its identity: \(object)"
  }
}

extension CheckFacts {
  fileprivate var programHelp: String? {
    guard case .unboundVariable(let name, let known) = self,
      nearNames(to: name, among: known).isEmpty
    else { return help }
    return "give it one: with([\"\(name)\": …])"
  }
}

extension StoreFacts {
  fileprivate var programHelp: String? {
    switch self {
    case .cannotOpen(_, ENOENT):
      "Store.create makes a new store, Store.openOrCreate where there is none"
    case .noFolder: "make it first: FileManager.createDirectory"
    case .empty: "an empty list is written [], and a new store is made by Store.create"
    default: help
    }
  }
}

extension KeepingFacts {
  fileprivate var programHelp: String? {
    switch self {
    case .refused: "what was not saved is still in the context: save(as:) writes it elsewhere"
    case .readOnly(let reason, let path): reason.programHelp(path)
    case .notTakenIn:
      "nothing was taken in, and the context is whole: save(as:) writes it elsewhere"
    case .journalTakenAway(_, isWrittenAnew: false): "save() writes them anew"
    case .documentGone: "bring it back and it goes on; or save(as:) writes it anew"
    case .ownerNotKept(let owner, _):
      "let \(owner) do it; or save(as:) writes a copy that is yours"
    case .ownerLockedOut(let owner, _):
      "let \(owner) be in its group; or save(as:) writes a copy that is yours"
    case .notReadBack: "nothing that was saved before is lost; please report it with the changes"
    case .lockTimedOut: "try again; StoreOptions.lockTimeout says how long a save waits"
    case .stillWaiting: nil
    default: help
    }
  }
}

extension ReadOnlyReason {
  fileprivate func programHelp(_ path: String) -> String {
    switch self {
    case .folderNotWritable, .documentNotWritable: "save(as:) writes it elsewhere"
    case .noLocks: "StoreOptions.takesLock = false, where nobody else opens it"
    case .damagedJournal(_, isLast: true):
      "bring the journal back from a backup; the command kura --drop-damaged-save gives up that save"
    case .damagedJournal(_, isLast: false):
      "save(as:) keeps what is here; or bring the journal back from a backup"
    case .anotherJournal:
      "nothing was taken in, and the context is whole: save(as:) writes it elsewhere"
    case .hardLinks, .journalLinks, .changedBesideJournal: help(path)
    }
  }
}
