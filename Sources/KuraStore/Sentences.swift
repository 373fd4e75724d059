import Foundation
package import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraModel
import KuraSentences
import KuraValues

extension StoreProblem: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .file }

  package var sentence: String {
    switch self {
    case .cannotOpen(let path, let number): localized("cannot open \"\(path)\": \(reason(number))")
    case .noFolder(let path, let folder):
      localized("there is no folder \"\(folder)\" for \"\(path)\"")
    case .cannotRead(let path, let number): localized("cannot read \"\(path)\": \(reason(number))")
    case .cannotWrite(let path, let number):
      localized("cannot write \"\(path)\": \(reason(number))")
    case .isDirectory(let path): localized("\"\(path)\" is a folder, not a file")
    case .exists(let path): localized("\"\(path)\" already exists")
    case .nameOfStoreFile(let path, let store):
      localized("\"\(path)\" is reserved for Kura's own files next to \"\(store)\"")
    case .otherFormat(let path, let format):
      localized(
        "\"\(path)\" is a file name for \(format.name), but a store is written as JSON")
    case .empty: localized("the input is empty; expected a store or JSON")
    case .notUTF8(let encoding): localized("this is \(encoding), not JSON in UTF-8")
    case .syntax(let error): error.isNoJSON ? localized("this is not JSON") : error.kind.sentence
    case .almostJSON(let error, let first, _):
      first.kind.sentence(first.text) ?? StoreProblem.syntax(error).sentence
    case .nothingToRepair: localized("no line of the input is JSON")
    case .lenientStore(let path):
      localized(
        "\(path.map(quoted) ?? localized("the input")) is a store, and --lenient reads only plain JSON"
      )
    case .storeAmongFiles(let path):
      localized(
        "\(path.map(quoted) ?? localized("the input")) is a store, and several files must be plain JSON"
      )
    case .unknownFormat(let found):
      localized("the format is \(found), but this Kura reads \"kura/1\"")
    case .unknownTimeZone(let found): localized("\(found) is not a time zone")
    case .unknownKey(let key): localized("a store has no key \"\(key)\"")
    case .notAnObject(let key): localized("the value of \"\(key)\" has the wrong type")
    case .badNextObjectID(let entity):
      localized("the next objectID of \"\(entity)\" is not a positive integer")
    case .unknownEntity(let entity, _): localized("the model has no entity \"\(entity)\"")
    case .noModel: localized("the store has no \"model\"")
    case .modelAfterObjects:
      localized("in a pipe, \"format\" and \"model\" must come before \"objects\"")
    case .row(let fault): fault.sentence
    case .moreProblems(let count): localized("and \(count) more like these")
    }
  }

  package var help: String? {
    switch self {
    case .cannotOpen(let path, ENOENT):
      didYouMean(SimilarFiles.paths(near: path))
        ?? localized("to create a new store: kura --create \"\(path)\"")
    case .noFolder(_, let folder): localized("create it first: mkdir -p \"\(folder)\"")
    case .cannotWrite(let path, ENOENT):
      localized(
        "there is no folder \"\(URL(fileURLWithPath: path).deletingLastPathComponent().path)\": create it first"
      )
    case .cannotOpen(_, let number), .cannotRead(_, let number), .cannotWrite(_, let number):
      number == EACCES ? localized("ask its owner for access") : nil
    case .isDirectory: localized("write the name of a file in the folder")
    case .nameOfStoreFile: localized("choose another name")
    case .otherFormat(_, let format): localized("name it \"\(format.jsonPath)\"")
    case .empty: localized("write [] for an empty list, or create a store with kura --create")
    case .notUTF8(let encoding):
      encoding == "gzip"
        ? localized("unpack it: gzip -dc") : localized("convert it: iconv -f \(encoding) -t UTF-8")
    case .syntax(let error): error.isNoJSON ? error.kind.otherKind : error.kind.help
    case .almostJSON(let error, let first, let path):
      first.help(error, path)
    case .nothingToRepair: localized("Kura reads JSON only; convert CSV first")
    case .lenientStore: localized("open it without --lenient")
    case .storeAmongFiles: localized("open the store alone: kura STORE 'fetch …'")
    case .unknownFormat: localized("a newer Kura may read it")
    case .unknownTimeZone: localized("write a name like \"Asia/Tokyo\"")
    case .unknownKey(let key):
      didYouMean(nearNames(to: key, among: StoreProblem.keys))
        ?? localized("its keys are \(StoreProblem.keys.joined(separator: ", "))")
    case .notAnObject(let key):
      StoreProblem.form(of: key)
    case .unknownEntity(let entity, let known):
      entityHelp(for: entity, among: known)
    case .row(let fault): fault.help
    case .noModel: localized("an empty model is {\"entities\": {}}")
    case .modelAfterObjects: localized("or write it to a file first: in a file, any order works")
    case .exists, .badNextObjectID, .moreProblems: nil
    }
  }

  private static let keys = [
    "format", "timezone", "model", "nextObjectID", "objects", "userInfo",
  ]

  private static func form(of key: String) -> String {
    switch key {
    case "objects": localized("it must be an object: {\"Entity\": [{…}, {…}]}")
    case "nextObjectID": localized("it must be an object: {\"Entity\": 18}")
    default: localized("its rows must be in a list: [{…}, {…}]")
    }
  }
}

extension RowFault {
  /// `Item/5`, or `row 3 of Item` if the object has no number.
  private var owner: String {
    objectID.map { "\(entity)/\($0)" } ?? localized("row \(row) of \(entity)")
  }

  var sentence: String {
    let key = key.map(quoted) ?? ""
    return switch kind {
    case .unknownKey: localized("\(entity) has no key \(key) (in \(owner))")
    case .mismatch(let type, let found):
      localized("\(owner): \(key) must be \(type), not \(found)")
    case .notAnObject: localized("row \(row) of \(entity) is not an object")
    case .missing: localized("\(owner) has no value for \(key), which is not optional")
    case .duplicateObjectID: localized("the objectID of \(owner) is used twice")
    case .dangling(let number, let destination):
      localized("\(owner): \(key) refers to \(destination)/\(number), which does not exist")
    case .contradiction(let other): localized("\(owner): \(key) contradicts \(other), its inverse")
    case .abstract: localized("\(entity) is abstract and has no objects of its own")
    case .twice(let number, let destination):
      localized("\(owner): \(key) contains \(destination)/\(number) twice")
    case .repeatedKey(0): localized("\(owner) has the key \(key) twice; the last value counts")
    case .repeatedKey(let others):
      localized(
        "\(owner) has the key \(key) twice (the first of \(others + 1) places); the last value counts"
      )
    }
  }

  var help: String? {
    switch kind {
    case .unknownKey(let known): key.flatMap { didYouMean(nearNames(to: $0, among: known)) }
    case .missing: localized("give it a value, or make the attribute optional in the model")
    case .notAnObject: localized("a row is an object: {\"key\": value}")
    case .duplicateObjectID:
      localized("leave out one of the two; that object then gets a free number")
    case .contradiction: localized("write only one side, and leave out the key of the other")
    case .abstract: localized("move the objects to one of its subentities")
    case .mismatch(AttributeType.date.phrase, let found): dateProblem(in: found)
    case .mismatch, .dangling, .twice, .repeatedKey: nil
    }
  }
}

/// Returns the problem of a JSON string that looks like a date but names a day that does not exist.
private func dateProblem(in json: String) -> String? {
  guard json.count > 2, json.hasPrefix("\""), json.hasSuffix("\"") else { return nil }
  do {
    _ = try Timestamp(String(json.dropFirst().dropLast()), in: .utc)
    return nil
  } catch {
    return error.sentence
  }
}

extension JSONSyntaxError {
  /// Whether even the first byte is not JSON: the input is another format, not damaged JSON.
  fileprivate var isNoJSON: Bool {
    guard offset == 0 else { return false }
    switch kind {
    case .unexpectedByte, .invalidUTF8, .controlCharacter, .badNumber: return true
    case .unexpectedEnd, .unclosedString, .badEscape, .loneSurrogate, .numberTooLarge,
      .tooManyDigits,
      .duplicateKey, .tooManyKeys, .tooDeep, .trailing:
      return false
    }
  }
}

extension JSONSyntaxError.Kind {
  /// The kind of file that the first byte suggests, and what to do with it.
  fileprivate var otherKind: String {
    switch self {
    case .unexpectedByte(UInt8(ascii: "<"), _):
      localized("it begins like HTML or XML: was a web page saved instead of the data?")
    case .unexpectedByte(let byte, _) where byte >= 0x20 && byte < 0x7F:
      localized("Kura reads JSON only; convert CSV first, and run scripts with -f FILE")
    default: localized("it is not text; it may be an archive or a picture")
    }
  }

  var sentence: String {
    switch self {
    case .unexpectedEnd: localized("the JSON ends too early")
    case .unexpectedByte(let byte, let expected):
      localized("expected \(expected.name), found \(name(byte))")
    case .unclosedString: localized("the string is not closed")
    case .controlCharacter(let byte): localized("\(name(byte)) must be escaped in a string")
    case .invalidUTF8: localized("these bytes are not UTF-8")
    case .badEscape: localized("JSON does not have this escape")
    case .loneSurrogate: localized("half of a surrogate pair is not a character")
    case .badNumber: localized("this is not a JSON number")
    case .numberTooLarge: localized("the number does not fit in 64 bits")
    case .tooManyDigits: localized("an integer has at most 38 digits")
    case .duplicateKey(let key): localized("the key \"\(key)\" occurs twice")
    case .tooManyKeys(let limit): localized("there are more than \(limit) different keys")
    case .tooDeep(let limit): localized("brackets are nested more than \(limit) deep")
    case .trailing: localized("unexpected text after the end of the JSON")
    }
  }

  var help: String? {
    switch self {
    case .unexpectedEnd: localized("the file may be truncated: get it again")
    case .invalidUTF8: localized("convert the file, for example with iconv -f SHIFT_JIS -t UTF-8")
    case .badNumber: localized("write numbers like 0.5, 1.0, -3 or 1e9")
    case .controlCharacter(0x0A), .controlCharacter(0x0D):
      localized("is the closing quote missing?")
    case .unexpectedByte(UInt8(ascii: "'"), _): localized("JSON uses double quotes: \"x\"")
    case .unexpectedByte(_, .key), .unexpectedByte(_, .keyOrEnd):
      localized("put keys in double quotes: \"title\"")
    case .tooManyDigits: localized("put it in quotes: a string keeps all digits")
    case .badEscape: localized("escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")
    case .unexpectedByte, .unclosedString, .controlCharacter, .loneSurrogate, .numberTooLarge,
      .duplicateKey, .tooManyKeys, .tooDeep, .trailing:
      nil
    }
  }

  private func name(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A, 0x0D: localized("a line break")
    case 0x09: "a TAB"
    case 0x22: localized("a quotation mark")
    case 0..<0x20, 0x7F: localized("a control character")
    case 0x20..<0x7F: "\"\(Character(UnicodeScalar(byte)))\""
    default: localized("this character")
    }
  }
}

extension JSONSyntaxError.Expectation {
  var name: String {
    switch self {
    case .value: localized("a value")
    case .key: localized("a key in quotes")
    case .keyOrEnd: localized("a key in quotes or \"}\"")
    case .colon: "\":\""
    case .commaOrArrayEnd: localized("\",\" or \"]\"")
    case .commaOrObjectEnd: localized("\",\" or \"}\"")
    }
  }
}

extension KeepingMessage: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .file }

  package var sentence: String {
    switch self {
    case .refused(let error, let file, let path), .notOpened(let error, let file, let path):
      localized("cannot \(error.operation.verb) \"\(file.name(path))\": \(reason(error.number))")
    case .readOnly(let reason, let path): reason.sentence(path)
    case .cannotContinue(let reason, let path): reason.sentenceForOpenStore(path)
    case .journalTakenAway(let path, isWrittenAnew: true):
      localized(
        "\"\(path).journal\" was removed or truncated; its saves were written again")
    case .journalTakenAway(let path, isWrittenAnew: false):
      localized("\"\(path).journal\" was removed or truncated; its saves are still in memory")
    case .journalWithoutDocument(let path):
      localized("\"\(path).journal\" contains saves, but its document is missing")
    case .documentReplaced(let path):
      localized(
        "another program replaced \"\(path)\" during the save; nothing was saved")
    case .documentGone(let path):
      localized("\"\(path)\" was removed; its content is still in memory")
    case .documentGoneAtEnd(let path):
      localized("\"\(path)\" was removed, but \"\(path).journal\" contains saves for it")
    case .filesKeepChanging(let path): localized("\"\(path)\" keeps changing while Kura reads it")
    case .invalidFile(let file, let strange, let path):
      localized("\"\(file.name(path))\" \(strange.sentence), so Kura does not use it")
    case .ownerNotPreserved(let owner, let path):
      localized("a new \"\(path)\" would belong to you, not to its owner, \(owner)")
    case .ownerLockedOut(let owner, let path):
      localized("if you create the journal, \(owner), the owner, cannot open \"\(path)\"")
    case .notReadBack(let reason, let path):
      localized(
        "the new document for \"\(path)\" could not be verified (\(reason)), so the old one was kept"
      )
    case .notReadable(let fault, let path):
      localized(
        "\(fault.sentence); nothing was saved, because \"\(path)\" could not be opened again")
    case .recordRefused(let refusal?, let path):
      localized(
        "\(refusal.sentence); nothing was saved, because \"\(path)\" could not be opened again")
    case .recordRefused(nil, let path):
      localized("nothing was saved, because \"\(path)\" could not be opened again")
    case .lockTimedOut(let holder, let time, let path):
      localized("\(name(holder)) still holds the lock on \"\(path)\" after \(seconds(time))")
    case .unknownJournal(let path, let version):
      localized(
        "the journal \"\(path).journal\" has version \(version), but this Kura reads version 1")
    case .dropsOnlyLast(let path):
      localized(
        "--drop-damaged-save discards only the last save in \"\(path).journal\", but other parts are damaged too"
      )
    case .note(.damagedDocument, let path):
      localized(
        "\"\(path)\" is damaged: it differs from what Kura wrote, and nothing has written to it since"
      )
    case .note(.droppedUnfinishedSave, let path):
      localized("an unfinished save in \"\(path).journal\" was skipped")
    case .note(.droppedDamagedSave, let path):
      localized("the last save in \"\(path).journal\" is damaged and was skipped")
    case .note(.invalidRecord(let record, let reason), let path):
      localized("save \(record) of \"\(path).journal\" does not fit the store: \(reason)")
    case .note(.otherOldValue(let record, let place), let path):
      localized(
        "save \(record) of \"\(path).journal\" expected another value of \(place); its new value is used"
      )
    case .note(.repairedDerived(let first, let count), let path):
      switch count {
      case 1:
        localized(
          "derived values in \"\(path)\" were wrong and have been recomputed: \(first)"
        )
      case 2:
        localized(
          "derived values in \"\(path)\" were wrong and have been recomputed: \(first) and 1 other object"
        )
      default:
        localized(
          "derived values in \"\(path)\" were wrong and have been recomputed: \(first) and \(count - 1) other objects"
        )
      }
    case .note(.underivable(let reason), let path):
      localized("derived values in \"\(path)\" could not be recomputed: \(reason)")
    case .waiting(let holder, let path): localized("\(name(holder)) is saving \"\(path)\"; waiting")
    case .stillWaiting(let holder, let path):
      localized("\(name(holder)) still holds the lock on \"\(path)\"; waiting")
    case .notFolded(let reason, let path):
      localized(
        "\"\(path).journal\" was not folded into the document: \(reason); the journal keeps the saves"
      )
    case .foldLeftToOwner(let owner, let path):
      localized(
        "the saves stay in \"\(path).journal\": a new \"\(path)\" would belong to you, not to its owner, \(owner)"
      )
    case .notRestored(let reason, let path):
      localized(
        "\"\(path).journal\" was removed or truncated, and its saves could not be written again: \(reason)"
      )
    }
  }

  package var help: String? {
    switch self {
    case .notOpened(let error, .journal, let path): journalHelp(error.number, path)
    case .notOpened: nil
    case .refused:
      localized("the unsaved changes are still here: save \"FILE\" writes them to another file")
    case .readOnly(let reason, let path): reason.help(path)
    case .cannotContinue(let reason, let path): reason.helpForOpenStore(path)
    case .journalTakenAway(_, isWrittenAnew: true): nil
    case .journalTakenAway(_, isWrittenAnew: false): localized("save or .fold writes them again")
    case .journalWithoutDocument(let path):
      localized(
        "restore \"\(path)\"; or, to discard those saves, rename \"\(path).journal\"")
    case .documentReplaced: localized("save again to merge with the new content")
    case .documentGoneAtEnd: localized("restore the document to get them back")
    case .documentGone(let path):
      localized("restore the document, or write it again: save \"\(path)\" replacing")
    case .filesKeepChanging: localized("try again when nothing else writes to it")
    case .invalidFile(let file, .kind(.file), let path):
      localized("Kura needs this name: rename \"\(file.name(path))\"")
    case .invalidFile: localized("Kura needs this name for its own file: rename the existing file")
    case .ownerNotPreserved(let owner, _):
      localized("ask \(owner) to save it; or write your own copy: save \"FILE\"")
    case .ownerLockedOut(let owner, _):
      localized("add \(owner) to the file's group; or write your own copy: save \"FILE\"")
    case .notReadBack:
      localized("earlier saves are not lost; please report this with your statements")
    case .notReadable, .recordRefused: localized("undo the change, or set a valid value")
    case .lockTimedOut: localized("try again; --lock-timeout SECONDS waits longer")
    case .unknownJournal: localized("open it with a newer Kura")
    case .dropsOnlyLast(let path):
      localized(
        "to continue without the damaged save and all after it: save \"FILE\", then rename \"\(path).journal\""
      )
    case .note(.droppedUnfinishedSave, _):
      localized("that save was never reported as complete; the next save removes it")
    case .note(.droppedDamagedSave, _): localized("the next save removes it")
    case .note(.damagedDocument, _):
      localized("restore the document from a backup; a save keeps its present content")
    case .note(.repairedDerived, _):
      localized("the recomputed values are stored when the document is next rewritten")
    case .note(.invalidRecord, _), .note(.otherOldValue, _), .note(.underivable, _), .waiting: nil
    case .stillWaiting: localized("Control-C stops waiting without saving")
    case .notFolded: localized("Kura will try again later")
    case .foldLeftToOwner(let owner, _):
      localized("the saves move to the document when \(owner) saves")
    case .notRestored: nil
    }
  }
}

extension KeepingNote {
  var severity: Severity {
    switch self {
    case .damagedDocument, .otherOldValue: .warning
    case .droppedUnfinishedSave, .droppedDamagedSave, .invalidRecord, .repairedDerived,
      .underivable:
      .note
    }
  }
}

private func name(_ holder: LockHolder?) -> String {
  holder.map { localized("\($0.user)@\($0.host) (process \($0.process))") }
    ?? localized("another process")
}

private func seconds(_ time: Duration) -> String {
  let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  if seconds == 1 { return localized("1 second") }
  return seconds == seconds.rounded()
    ? localized("\(Int(seconds)) seconds") : localized("\(seconds) seconds")
}

/// Returns how to open a store with an unreadable journal.
private func journalHelp(_ number: Int32, _ path: String) -> String {
  switch number {
  case EACCES, EPERM: localized("it may contain saves: ask its owner for access")
  case EISDIR, ELOOP: localized("Kura's journal must be a regular file: rename the existing file")
  default:
    localized("it may contain saves: restore it from a backup, or rename it to open without them")
  }
}

func reason(_ number: Int32) -> String { String(cString: strerror(number)).lowercased().localized }

extension InvalidFile {
  /// A clause that follows the file's name.
  fileprivate var sentence: String {
    switch self {
    case .links(let count): localized("has \(count) hard links")
    case .kind(.pipe): localized("is a pipe")
    case .kind(.socket): localized("is a socket")
    case .kind(.device): localized("is a device")
    case .kind(.link): localized("is a symbolic link")
    case .kind(.folder): localized("is a folder")
    case .kind(.file): localized("was not written by Kura")
    }
  }
}

extension UnrepresentableState {
  /// `Item/5 has no value for "title", which is not optional`
  var sentence: String {
    switch kind {
    case .missing: localized("\(object) has no value for \"\(key)\", which is not optional")
    case .dangling: localized("\(object): \"\(key)\" refers to an object that does not exist")
    case .twice: localized("\(object): \"\(key)\" contains an object twice")
    case .contradiction: localized("\(object): \"\(key)\" contradicts its inverse")
    case .danglingDestination:
      localized("\(object) is deleted, but other objects refer to it in \"\(key)\"")
    }
  }
}

extension StoreFile {
  fileprivate func name(_ path: String) -> String {
    if case .folder = self { return URL(fileURLWithPath: path).deletingLastPathComponent().path }
    return path + (suffix ?? "")
  }
}

extension FileError.Operation {
  fileprivate var verb: String {
    switch self {
    case .open: localized("open")
    case .read: localized("read")
    case .write: localized("write")
    case .truncate: localized("truncate")
    case .sync, .syncFolder: localized("sync")
    case .rename: localized("rename")
    case .remove: localized("remove")
    case .status: localized("inspect")
    case .lock: localized("lock")
    }
  }
}

extension ReadOnlyReason {
  func sentence(_ path: String) -> String {
    switch self {
    case .hardLinks(let count):
      localized("\"\(path)\" has \(count) hard links, so it is read-only")
    case .journalLinks(let count):
      localized("\"\(path).journal\" has \(count) hard links, so the store is read-only")
    case .folderNotWritable(let number):
      localized(
        "the folder of \"\(path)\" is not writable (\(reason(number))), so the store is read-only"
      )
    case .documentNotWritable(let number):
      localized("\"\(path)\" is not writable (\(reason(number))), so it is read-only")
    case .noLocks(let number):
      localized(
        "the file system of \"\(path)\" does not support locks (\(reason(number))), so the store is read-only"
      )
    case .journalOfOtherDocument:
      localized(
        "another program changed \"\(path)\", but \"\(path).journal\" contains saves for the old content; the store is read-only"
      )
    case .damagedJournal(record: 0, _):
      localized(
        "the first line of \"\(path).journal\" is damaged; \"\(path)\" was opened read-only, without its saves"
      )
    case .damagedJournal(let record, let isLast):
      localized(
        "save \(record) of \"\(path).journal\" is damaged\(isLast ? "" : localized(", and later saves follow")); \(record == 1 ? localized("only the document was read") : localized("only the saves before it were read")), and the store is read-only"
      )
    case .anotherJournal: sentenceForOpenStore(path)
    }
  }

  /// Returns the sentence for a problem that appeared after the store was opened, without reading it again.
  func sentenceForOpenStore(_ path: String) -> String {
    switch self {
    case .journalOfOtherDocument:
      localized(
        "another program changed \"\(path)\", but \"\(path).journal\" contains saves for the old content"
      )
    case .damagedJournal(let record, _):
      record == 0
        ? localized("the first line of \"\(path).journal\" is damaged")
        : localized("save \(record) of \"\(path).journal\" is damaged")
    case .anotherJournal:
      localized("\"\(path).journal\" was replaced; saves that are open here are missing from it")
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks:
      sentence(path)
    }
  }

  package func help(_ path: String) -> String {
    switch self {
    case .hardLinks:
      localized("a save would separate it from its other names: open a copy of it")
    case .journalLinks:
      localized("a save would also change the file under its other names: remove those names")
    case .folderNotWritable, .documentNotWritable:
      localized("save \"FILE\" writes the store to another file")
    case .noLocks: localized("if no other program opens the store, use kura --no-lock")
    case .journalOfOtherDocument:
      localized(
        "restore the old document; or, to keep the new one without those saves, rename \"\(path).journal\""
      )
    case .damagedJournal(record: 0, isLast: true):
      localized(
        "restore the journal from a backup; or discard its saves: kura --drop-damaged-save")
    case .damagedJournal(_, isLast: true):
      localized(
        "restore the journal from a backup; or discard that save: kura --drop-damaged-save")
    case .damagedJournal(_, isLast: false):
      localized("restore the journal from a backup; or keep what was read: save \"FILE\"")
    case .anotherJournal: helpForOpenStore(path)
    }
  }

  func helpForOpenStore(_ path: String) -> String {
    switch self {
    case .journalOfOtherDocument, .damagedJournal, .anotherJournal:
      localized(
        "nothing was read, and your data here is complete: save \"FILE\" writes it to another file")
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks: help(path)
    }
  }
}
