package import KuraModel

/// What is wrong with what a session was asked to do.
package enum ShellFacts: Sendable {
  /// `.mod json`
  case unknownSetting(String, known: [String])
  /// `.mode json csv`
  case wrongArguments(synopsis: String)
  /// `.mode xml`, `--format xml`
  case unknownFormat(String)
  /// `.timezone Asia/Tokio`
  case unknownTimeZone(String, known: [String])
  /// `.locale xx_YY`
  case unknownLocale(String, known: [String])
  /// `.help fetsh`
  case unknownTopic(String, known: [String])
  /// `.timer maybe`
  case notOnOrOff(String)

  /// `.read FILE`, `-f FILE`
  case cannotRead(path: String, reason: String)
  /// `.output FILE`
  case cannotWrite(path: String, reason: String)
  /// A full disk behind `>`, `.output` or `.once`
  case cannotWriteResults(to: String, reason: String)
  /// `.output | COMMAND`
  case cannotRun(command: String, reason: String)
  /// `.once | false`
  case commandFailed(String, status: Int32)
  /// `.output | COMMAND` that was killed
  case commandKilled(String, signal: Int32)
  /// `yes 'count Item' | kura todo.json | head -1`
  case nobodyReads(statements: Int)
  /// `.read FILE` under `--safe`
  case unsafe(Reach)
  /// `~/.kurarc` that somebody else could have written
  case ownFileOfOthers(String, OwnFileFault)
  /// A script that reads itself.
  case readTooDeep(limit: Int)
  /// `-f /dev/zero`
  case statementTooLong(megabytes: Int)

  /// `entity Item { }` where there is one
  case entityExists(String, isUnsaved: Bool)
  /// `run Overdu`, `drop request Overdu`
  case unknownRequest(String, known: [String])
  /// `run Overdue` without its argument
  case requestArguments(String, wanted: [String], given: Int)
  /// `title: strng`
  case unknownType(String, near: [String])
  /// `tags: [string]`
  case listOfValues(String)
  /// `title: String`, where no entity is called so
  case typeOrEntity(String, near: [String])
  /// `title: string inverse items`
  case clauseOfRelationships(String, key: String)
  /// `items: [Item] matches "x"`
  case clauseOfAttributes(String, key: String)
  /// `title: string = name`
  case notALiteral
  /// `items: [Item] min -1`
  case badCount
  /// `insert Item [1, 2]`
  case notAnObject
  /// `insert Item {"entity": "Tag"}`
  case notASubentity(String, of: String)
  /// `insert Item {"items": "x"}`
  case notANumberOfAnObject(key: String)

  /// `Item.tags: …`, where the whole model is looked at
  case inModel(String, ModelFacts)
  /// `--arg who`
  case argumentWithoutValue(String)
  case badLockTimeout
  /// `ulimit -n 7`
  case tooFewFiles(limit: Int, needed: Int)
  /// `kura --create`, `kura --create -`
  case createsNothing
  /// `kura --create --read-only todo.json`
  case createsReadOnly
  /// `kura -`
  case standardInputWithoutStatements
  /// `kura - -f -`
  case standardInputTwice
  /// `kura 'count Item'`
  case statementAsStore(String, word: String)
  /// `save ""`
  case noFileName
  /// `.output` into what is open
  case outputOverInput(String)
  /// `save` under `--read-only`
  case readOnly
  /// `save` alone, where plain JSON was opened
  case savedAsPlainJSON
  /// `save` alone without a store
  case savedNowhere
  /// `.fold`, `.refresh` in memory
  case notKept
  /// `.fold` behind somebody else's save
  case othersSaved
  /// `save`, or `.refresh`, of what others have changed too
  case notMerged(count: Int, isSave: Bool)
  /// `save` of what keeps the rules here, and breaks them together with what others have saved
  case brokenTogether
  /// `.merge mine`
  case unknownPolicy(String)
  /// `save` in a scratch context
  case scratchIsOpen(String, name: String)
  /// `commit` without one
  case noScratch(String)
  /// `update Item set title += "x"`
  case notAddable(key: String, sign: String)
  /// `drop entity Item` with objects in it
  case dropsObjects(String, count: Int)
  /// `drop entity Item` where Task inherits from it
  case dropsParent(String, heirs: [String])
  /// `drop entity Item` where `Category.items` leads to it
  case dropsDestination(String, keys: [String])
  /// `save "FILE"` where that file is
  case savesOver(path: String)
  /// `--create FILE` where that file is
  case createsOver(path: String)
  /// `save` of what breaks the model
  case notSaved
  /// A statement that breaks the model, under `.validate on`
  case refusedByRules
  /// `print $home` where that object was deleted, or its insertion undone
  case gone(variable: String, [String], isOne: Bool)
  /// `.undo levels x`
  case badLevels(String)
  /// `.timeout soon`, `--timeout 0`
  case badTimeout(String)
  /// A statement took longer than `--timeout` allows.
  case tookTooLong(Duration)
  /// A script's end.
  case unsavedChanges(hasFile: Bool)
  /// `.open other.json` in a script
  case openOverChanges

  /// `insert` under `--read-only`
  case changedReadOnly
  /// `kura report.kura`, `kura todo.json report.kura`
  case scriptWithoutOption(String)
  /// `kura todo.json fetch Item where …`
  case unquotedStatement(String)
  /// Control-C
  case stopped
  case unexpected(String)
}
