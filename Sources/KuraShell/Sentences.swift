import KuraDiagnostics
import KuraModel

/// What is wrong.
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
    case .commandFailed(let command, let status):
      "the command \"\(command)\" failed, with the exit status \(status)"
    case .commandKilled(let command, let signal):
      "the command \"\(command)\" was ended by the signal \(signal)"
    case .nobodyReads(let statements):
      "nobody reads the results any more, and \(statements) statements have changed nothing: the rest was not run"
    case .unsafe(let reach): reach.sentence
    case .ownFileOfOthers(let path, let why): "\"\(path)\" was not run: \(why.sentence)"
    case .statementTooLong(let limit):
      "this has no end of a statement in \(limit) MB, and is no script"
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
    case .tooFewFiles(let limit, let needed):
      "\(needed) more files could not be opened; the limit is \(limit) at once"
    case .badLockTimeout: "--lock-timeout wants seconds, 0 or more"
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
    case .notMerged(let count, let isSave):
      "nothing was \(isSave ? "saved" : "read"): \(counted(count, "change meets", "changes meet")) what others have saved"
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
    case .noFileName: "a file name is wanted"
    case .outputOverInput(let path): "\"\(path)\" is open here, or belongs to what is"
    case .notSaved: "nothing was saved, and the changes are still here"
    case .refusedByRules: "nothing was changed, for this breaks rules of the model"
    case .gone(let name, let objects, isOne: true):
      "$\(name) is \(objects.joined()), which is gone"
    case .gone(let name, let objects, isOne: false):
      "$\(name) has \(AlterReport.list(objects)), which \(objects.count == 1 ? "is" : "are") gone"
    case .badLevels(let word): "expected a number of steps, found \"\(word)\""
    case .unsavedChanges: "there are unsaved changes"
    case .openOverChanges: "the open store has unsaved changes"
    case .stopped: "stopped"
    case .badTimeout(let word): "expected a number of seconds, found \"\(word)\""
    case .tookTooLong(let time): "this takes longer than \(time.secondsText) s, and was ended"
    case .changedReadOnly: "the store was opened with --read-only, so this cannot be saved"
    case .scriptWithoutOption(let path): "\"\(path)\" is a script"
    case .unquotedStatement(let word): "\"\(word)\" is not a whole statement"
    case .unexpected(let text): text
    }
  }
}

extension Reach {
  /// What `--safe` refuses.
  var sentence: String {
    switch self {
    case .reading: "--safe reads no other files"
    case .opening: "--safe opens no other stores"
    case .saving: "--safe saves to the store alone"
    case .writing: "--safe writes results to standard output alone"
    case .running: "--safe runs no commands"
    }
  }
}

extension OwnFileFault {
  var sentence: String {
    switch self {
    case .isOthers: "it belongs to somebody else"
    case .isWritable: "others can write it"
    case .isNoFile: "it is no file"
    }
  }
}
