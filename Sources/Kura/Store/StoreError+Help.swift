import Foundation
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraStore

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
