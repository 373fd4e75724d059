import KuraDiagnostics
import KuraModel
import KuraRendering

/// The way on.
extension ShellFacts {
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
    case .tooFewFiles: "give more: ulimit -n 256"
    case .badLockTimeout: "write --lock-timeout 30"
    case .argumentWithoutValue: "write --arg NAME VALUE"
    case .statementAsStore(_, let word):
      "name the store before it: kura STORE '\(word) …'; without a store: kura \"\" '\(word) …'"
    case .noFileName: "write save \"FILE\", or save alone"
    case .outputOverInput: "write the results into another file"
    case .readOnly: "open it without that option to save"
    case .savedAsPlainJSON, .savedNowhere: "name a file: save \"FILE\""
    case .othersSaved: ".refresh reads that"
    case .notMerged(_, let isSave):
      ".merge store keeps what they have, .merge memory what is here; then "
        + (isSave ? "save again" : ".refresh again")
        + "; or take back what meets it: undo, rollback"
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
    case .gone(_, let objects, _):
      "undo or redo may bring \(objects.count == 1 ? "it" : "them") back"
    case .badLevels: "0 keeps all of them"
    case .badTimeout: "as in 0.5; .timeout off lets statements take as long as they like"
    case .tookTooLong: "to let it: --timeout SECONDS, .timeout SECONDS or .timeout off"
    case .unsavedChanges(true): "write save at the end, or start with --autosave"
    case .unsavedChanges(false): "write save \"FILE\" at the end"
    case .unsafe: "whoever trusts the script runs it without --safe"
    case .ownFileOfOthers(let path, .isWritable): "take that right away: chmod go-w \(path)"
    case .ownFileOfOthers: "--no-init leaves it unread"
    case .openOverChanges: "write save before .open, or rollback"
    case .notKept, .notAddable, .wrongArguments, .notOnOrOff, .cannotRead,
      .cannotWrite,
      .cannotWriteResults, .cannotRun, .commandFailed, .commandKilled, .nobodyReads,
      .readTooDeep, .statementTooLong,
      .clauseOfRelationships, .clauseOfAttributes, .notALiteral, .badCount, .notAnObject,
      .notASubentity, .createsNothing, .createsReadOnly,
      .standardInputWithoutStatements, .standardInputTwice, .stopped, .unexpected:
      nil
    }
  }
}
