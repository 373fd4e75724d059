import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraRendering
import KuraValues

extension ShellFacts: DiagnosticFacts {
  package var sentence: String {
    switch self {
    case .unknownSetting(let name, _): "there is no setting \".\(name)\""
    case .wrongArguments(let synopsis): "this setting is written \(synopsis)"
    case .unknownFormat(let name): "there is no format \"\(name)\""
    case .unknownTimeZone(let name, _): "\"\(name)\" is no time zone"
    case .unknownLocale(let name, _): "\"\(name)\" is no locale"
    case .unknownTopic(let name, _): "there is no help on \"\(name)\""
    case .notOnOrOff(let word): "expected on or off, found \"\(word)\""
    case .cannotRead(let path, let reason): "cannot read \"\(path)\": \(reason)"
    case .cannotWrite(let path, let reason): "cannot write \"\(path)\": \(reason)"
    case .cannotWriteResults(let name, let reason):
      "the results cannot be written to \(name): \(reason)"
    case .cannotRun(let command, let reason): "cannot run \"\(command)\": \(reason)"
    case .readTooDeep(let limit): "scripts read each other more than \(limit) deep"
    case .entityExists(let name, _): "there is an entity \(name) already"
    case .unknownRequest(let name, _): "there is no request \"\(name)\""
    case .requestArguments(let name, let wanted, let given):
      "\(name) takes \(Report.arguments(wanted.count)), not \(given)"
    case .unknownType(let name, _): "there is no type \"\(name)\""
    case .listOfValues(let name):
      "[\(name)] is no type: brackets stand for a relationship to many objects of an entity"
    case .typeOrEntity(let name, _):
      "\(name) is no type: this is a relationship to an entity \(name), which is not defined yet"
    case .clauseOfRelationships(let word, let key):
      "\(word) is for relationships, and \"\(key)\" is an attribute"
    case .clauseOfAttributes(let word, let key):
      "\(word) is for attributes, and \"\(key)\" is a relationship"
    case .notALiteral: "expected a literal, as in = \"x\" or = 3"
    case .badCount: "expected a whole number from 0"
    case .notAnObject: "expected a JSON object, or a list of them"
    case .notASubentity(let name, let entity): "\(name) is no subentity of \(entity)"
    case .notANumberOfAnObject(let key):
      "\"\(key)\" is a relationship: expected an objectID, or a list of them"
    case .inModel(let place, let facts): "\(place): \(facts.sentence)"
    case .argumentWithoutValue(let name): "--arg wants a name and a value, and has \"\(name)\""
    case .createsNothing: "--create wants the file that is to be made"
    case .createsReadOnly: "--create and --read-only exclude each other"
    case .standardInputWithoutStatements:
      "with - the statements come as arguments or from -f"
    case .standardInputTwice: "the store and the script cannot both be standard input"
    case .statementAsStore(let text, _):
      "there is no file \"\(text)\", which reads like a statement"
    case .readOnly: "the store was opened with --read-only"
    case .savedAsPlainJSON: "this is plain JSON, which has no model to write a store by"
    case .savedNowhere: "there is no store to save to"
    case .notKept: "there is no store in a file"
    case .othersSaved: "others have saved since"
    case .notMerged(let count):
      "nothing was saved: \(counted(count, "change meets", "changes meet")) what others have saved"
    case .brokenTogether:
      "nothing was saved: others have saved since, and together this breaks the rules"
    case .unknownPolicy(let word): "\"\(word)\" is none of error, store and memory"
    case .scratchIsOpen(let statement, let name):
      "\(statement) has to wait: the scratch context \(name) is open"
    case .noScratch(let statement): "there is no scratch context to \(statement)"
    case .notAddable(let key, let sign):
      "\(sign) is for numbers and to-many relationships, and \"\(key)\" is neither"
    case .dropsObjects(let entity, let count):
      "\(entity) has \(counted(count, "object", "objects"))"
    case .dropsParent(let entity, let heirs):
      "\(heirs.joined(separator: ", ")) \(heirs.count == 1 ? "inherits" : "inherit") from \(entity)"
    case .dropsDestination(let entity, let keys):
      "\(keys.joined(separator: ", ")) \(keys.count == 1 ? "leads" : "lead") to \(entity)"
    case .savesOver(let path), .createsOver(let path): "\"\(path)\" is there already"
    case .notSaved: "nothing was saved, and the changes are still here"
    case .refusedByRules: "nothing was changed, for this breaks rules of the model"
    case .badLevels(let word): "expected a number of steps, found \"\(word)\""
    case .unsavedChanges: "there are unsaved changes"
    case .openOverChanges: "the open store has unsaved changes"
    case .stopped: "stopped"
    case .changedReadOnly: "the store was opened with --read-only, so this cannot be saved"
    case .scriptWithoutOption(let path): "\"\(path)\" is a script"
    case .unquotedStatement(let word): "\"\(word)\" is not a whole statement"
    case .unexpected(let text): text
    }
  }

  package var help: String? {
    switch self {
    case .unknownSetting(let name, let known):
      didYouMean(nearNames(to: name, among: known).map { "." + $0 }) ?? ".help lists them"
    case .unknownFormat(let name):
      didYouMean(nearNames(to: name, among: OutputFormat.all.map(\.name)))
        ?? "known are \(OutputFormat.all.map(\.name).joined(separator: ", "))"
    case .unknownTimeZone(let name, let known):
      didYouMean(nearNames(to: name, among: known)) ?? "write its name, as in Asia/Tokyo"
    case .unknownLocale(let name, let known):
      didYouMean(nearNames(to: name, among: known)) ?? "write its name, as in ja_JP"
    case .unknownTopic(let name, let known):
      didYouMean(nearNames(to: name, among: known)) ?? ".help lists all topics"
    case .unknownRequest(let name, let known):
      didYouMean(nearNames(to: name, among: known))
        ?? (known.isEmpty
          ? "define it: request \(name) = fetch ENTITY …"
          : "known are \(known.joined(separator: ", "))")
    case .requestArguments(let name, let wanted, _):
      "write run \(name)\(wanted.isEmpty ? "" : "(\(wanted.joined(separator: ", ")))")"
    case .unknownType(_, let near): didYouMean(near)
    case .inModel(let place, .unknownInverse(let key, let destination, let near)):
      didYouMean(near)
        ?? "define \(key) in \(destination), with \(place) as its inverse; or take the inverse out"
    case .inModel(_, let facts): facts.help
    case .argumentWithoutValue: "write --arg NAME VALUE"
    case .statementAsStore(_, let word):
      "name the store before it: kura STORE '\(word) …'; without a store: kura \"\" '\(word) …'"
    case .readOnly: "open it without that option to save"
    case .savedAsPlainJSON, .savedNowhere: "name a file: save \"FILE\""
    case .othersSaved: ".refresh reads that"
    case .notMerged:
      ".merge store keeps what they have, .merge memory what is here; then save again"
    case .brokenTogether:
      ".refresh takes in what they saved; mend what is listed then, and save again"
    case .unknownPolicy: "write .merge error, .merge store or .merge memory"
    case .scratchIsOpen: "commit keeps what was changed in it, cancel drops it"
    case .noScratch: "begin opens one"
    case .dropsObjects(let entity, _): "to drop them too: drop entity \(entity) all"
    case .dropsParent(_, let heirs): "drop that first: drop entity \(heirs.last ?? "")"
    case .dropsDestination(_, let keys):
      keys.first.map { "drop that first: \(AlterReport.dropping($0))" }
    case .savesOver: "to replace it: save \"FILE\" replacing"
    case .createsOver: "open it without --create, or choose another name"
    case .listOfValues: "a list of values is of the type json"
    case .typeOrEntity(_, let near):
      didYouMean(near).map { "\($0) rollback takes the definition back" }
    case .entityExists(_, isUnsaved: true):
      "choose another name, or take back everything since the last save: rollback"
    case .entityExists(let name, isUnsaved: false):
      "choose another name, or change it: alter entity \(name) …"
    case .changedReadOnly: "the changes last until you leave; open it without that option to save"
    case .scriptWithoutOption(let path): "write kura STORE -f \(path)"
    case .unquotedStatement(let word): "put the statement in quotes: kura STORE '\(word) …'"
    case .notANumberOfAnObject: "an objectID in JSON is its number alone: 1, or [1, 2]"
    case .notSaved: "mend what is listed with update, or take it back: undo, rollback"
    case .refusedByRules: ".validate off leaves the rules to save"
    case .badLevels: "0 keeps all of them"
    case .unsavedChanges(true): "write save at the end, or start with --autosave"
    case .unsavedChanges(false): "write save \"FILE\" at the end"
    case .openOverChanges: "write save before .open, or rollback"
    case .notKept, .notAddable, .wrongArguments, .notOnOrOff, .cannotRead,
      .cannotWrite,
      .cannotWriteResults, .cannotRun,
      .readTooDeep,
      .clauseOfRelationships, .clauseOfAttributes, .notALiteral, .badCount, .notAnObject,
      .notASubentity, .createsNothing, .createsReadOnly,
      .standardInputWithoutStatements, .standardInputTwice, .stopped, .unexpected:
      nil
    }
  }
}

/// What a session says on standard error when all is well.
enum Report {
  /// `3 inserted: Item/4, Item/5, Item/6`, and `20000 inserted: Item/1 … Item/20000`;
  /// `1 deleted: Category/1; 2 updated: Item/1, Item/2`
  static func changed(_ change: ChangeSet, in model: Model) -> String {
    func names(_ batches: [(entity: String, numbers: [Int64])]) -> [String] {
      batches.flatMap { batch in batch.numbers.map { "\(batch.entity)/\($0)" } }
    }
    let parts = [
      list(names(change.inserted.map { ($0.entity, $0.numbers) }), "inserted"),
      list(names(change.deleted.map { ($0.entity, $0.numbers) }), "deleted"),
      list(names(change.updated.map { ($0.entity, $0.numbers) }), "updated"),
    ].compactMap(\.self)
    return parts.isEmpty ? nothingChanged : parts.joined(separator: "; ")
  }

  /// Everything that was changed since the last save, or in a scratch context.
  static func changed(_ context: ManagedObjectContext) -> String {
    let entities = context.changedEntities.map { "\($0.change.rawValue): \($0.name)" }
    let objects = context.netChange
    if entities.isEmpty { return changed(objects, in: context.graph.model) }
    let parts = entities + (objects.isEmpty ? [] : [changed(objects, in: context.graph.model)])
    return parts.joined(separator: "; ")
  }

  private static func list(_ names: [String], _ verb: String) -> String? {
    guard let first = names.first, let last = names.last else { return nil }
    let shown = names.count > 10 ? "\(first) … \(last)" : names.joined(separator: ", ")
    return "\(names.count) \(verb): \(shown)"
  }

  static let nothingChanged = "nothing changed"

  static func undone(_ name: String) -> String { "undone: \(name)" }
  static func redone(_ name: String) -> String { "done again: \(name)" }
  static let nothingToUndo = "nothing to undo"
  static let nothingToRedo = "nothing to do again"

  static func begun(_ name: String) -> String {
    "scratch context: \(name); commit keeps what is changed in it, cancel drops it"
  }
  static func committed(_ name: String, _ change: String, isOutermost: Bool) -> String {
    "committed: \(name): \(change)" + (isOutermost ? "; save writes it" : "")
  }
  static func cancelled(_ name: String) -> String { "cancelled: \(name)" }

  static func defined(_ entity: String) -> String { "entity defined: \(entity)" }

  /// `0.000412`
  static func seconds(_ seconds: Double) -> String { String(format: "%.6f", seconds) }

  static func arguments(_ count: Int) -> String {
    count == 0 ? "no arguments" : count == 1 ? "one argument" : "\(count) arguments"
  }

  static func dropped(_ entity: String, objects: Int) -> String {
    "entity dropped: \(entity)"
      + (objects == 0 ? "" : ", with \(counted(objects, "object", "objects"))")
  }

  static func requestDefined(_ name: String) -> String { "request defined: \(name)" }
  static func requestDropped(_ name: String) -> String { "request dropped: \(name)" }

  static func saved(_ path: String, tookInOthers: Bool = false) -> String {
    "saved: \(path)" + (tookInOthers ? ", with what others have saved meanwhile" : "")
  }

  /// `Item/43 is now Item/44`
  static func renumbered(_ old: ObjectID, _ new: ObjectID) -> String { "\(old) is now \(new)" }

  static func wouldSave(_ path: String) -> String {
    "dry run: this would be saved to \(path); nothing was written"
  }

  /// What became of a change of one's own that met another's.
  static func settled(
    _ sentence: String, _ policy: MergePolicy, _ kind: ChangeConflict.Kind
  ) -> String {
    let isKept: Bool =
      switch (policy, kind) {
      case (.memory, .value), (.memory, .changed): true
      default: false
      }
    return "\(sentence): \(isKept ? "what is here was kept" : "what is in the store was kept")"
  }

  static let historyEnds =
    "others have changed the model: what was done before can no longer be undone"
  static let refreshed = "read what others have saved"
  static let nothingNew = "nobody has saved since"
  static let folded = "the journal is folded into the document"
  static let nothingToFold = "there is no journal to fold"

  static func made(_ path: String) -> String { "made: \(path), an empty store" }

  static let nothingToSave = "nothing to save"

  static let valid = "all objects keep the rules"
  static let notLeft = "not left, for there are unsaved changes: save, or rollback"

  static func leftUnsaved(_ changes: UnsavedChanges) -> String {
    "left without saving: \(changes.phrase)"
  }

  static let nothingToRollBack = "nothing to roll back"

  /// `rolled back: 2 objects; $home has no value any more`
  static func rolledBack(_ changes: UnsavedChanges, variables: [String]) -> String {
    let names = variables.map { "$" + $0 }.joined(separator: ", ")
    let loss = variables.count == 1 ? "has no value any more" : "have no values any more"
    return "rolled back: \(changes.phrase)" + (variables.isEmpty ? "" : "; \(names) \(loss)")
  }

  static func leftOut(_ keys: [String]) -> String {
    "left out, for they hold no lists of objects: \(keys.joined(separator: ", "))"
  }

  /// `time: 0.000412345 s`
  static func time(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let digits = String(attoseconds / 1_000_000_000)
    return "time: \(seconds).\(String(repeating: "0", count: max(0, 9 - digits.count)))\(digits) s"
  }

  static func setting(_ name: String, _ value: String) -> String { ".\(name) \(value)" }
}

/// What a terminal shows while something takes long.
enum ProgressText {
  static func verb(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: "loading"
    case .fetching: "fetching"
    }
  }

  /// `43 %, 88 of 205 MB`; of a pipe `88 MB`
  static func measure(_ moment: WorkProgress.Moment) -> String {
    let done = amount(moment.done, moment.work)
    guard let total = moment.total, total > 0 else { return "\(done) \(unit(moment.work))" }
    let percent = min(100, Int(Double(moment.done) / Double(total) * 100))
    return "\(percent) %, \(done) of \(amount(total, moment.work)) \(unit(moment.work))"
  }

  private static func amount(_ count: Int, _ work: WorkProgress.Work) -> Int {
    switch work {
    case .loading: count / 1_000_000
    case .fetching: count
    }
  }

  private static func unit(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: "MB"
    case .fetching: "rows"
    }
  }
}

/// What a session asks on a terminal.
enum Question {
  static func save(to path: String) -> String {
    "Save the changes to \(path)? [y]es, [n]o, [c]ancel: "
  }

  static func leaveScratch(_ name: String) -> String {
    "The scratch context \(name) is open: commit or cancel ends it. Leave and lose it? [y/N]: "
  }

  static let leaveWithoutSaving = "There are changes that no file has. Leave without them? [y/N]: "

  /// `Delete all 3 objects of Item? [y/N]: `
  static func all(_ verb: String, _ count: Int, of entity: String) -> String {
    "\(verb) all \(counted(count, "object", "objects")) of \(entity)? [y/N]: "
  }

  static let openWithoutSaving = "There are unsaved changes. Open without them? [y/N]: "
}

/// The line with which a session at a terminal begins.
enum Greeting {
  static func text(_ opened: String) -> String {
    "Kura \(Version.current), \(opened). Type .help for help."
  }

  /// `todo.json: 3 entities, 120 objects`
  static func opened(_ name: String, entities: Int, objects: Int) -> String {
    "\(name): \(counted(entities, "entity", "entities")), \(counted(objects, "object", "objects"))"
  }

}

extension UnsavedChanges {
  /// `3 objects and 1 entity`
  var phrase: String {
    let parts = [
      objects > 0 ? counted(objects, "object", "objects") : nil,
      entities > 0 ? counted(entities, "entity", "entities") : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " and ")
  }
}

private func counted(_ count: Int, _ one: String, _ many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}
