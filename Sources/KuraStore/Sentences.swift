import Foundation
package import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraModel
import KuraSentences
import KuraValues

extension StoreFacts: DiagnosticFacts {
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
    case .exists(let path): localized("\"\(path)\" is there already")
    case .nameOfOwnFile(let path, let store):
      localized("\"\(path)\" is a name for Kura's own files beside \"\(store)\"")
    case .otherFormat(let path, let format):
      localized(
        "\"\(path)\" is the name of a file in \(format.name), and a store is written in JSON")
    case .empty: localized("there is nothing in it; a store or JSON was expected")
    case .notUTF8(let encoding): localized("this is \(encoding), not JSON in UTF-8")
    case .syntax(let error): error.isNoJSON ? localized("this is no JSON") : error.kind.sentence
    case .unknownFormat(let found):
      localized("the format is \(found), and this Kura reads \"kura/1\"")
    case .unknownTimeZone(let found): localized("\(found) is no time zone")
    case .unknownKey(let key): localized("a store has no key \"\(key)\"")
    case .notAnObject(let key): localized("the value of \"\(key)\" has another form")
    case .badNextObjectID(let entity):
      localized("the next objectID of \"\(entity)\" is no positive integer")
    case .unknownEntity(let entity, _): localized("the model has no entity \"\(entity)\"")
    case .noModel: localized("the store has no \"model\"")
    case .modelBehindObjects:
      localized("in a pipe \"format\" and \"model\" must stand before \"objects\"")
    case .row(let fault): fault.sentence
    case .moreProblems(let count): localized("and \(count) more like these")
    }
  }

  package var help: String? {
    switch self {
    case .cannotOpen(let path, ENOENT):
      didYouMean(NearFiles.paths(near: path))
        ?? localized("to make a new store: kura --create \"\(path)\"")
    case .noFolder(_, let folder): localized("make it first: mkdir -p \"\(folder)\"")
    case .cannotWrite(let path, ENOENT):
      localized(
        "there is no folder \"\(URL(fileURLWithPath: path).deletingLastPathComponent().path)\": make it first"
      )
    case .cannotOpen(_, let number), .cannotRead(_, let number), .cannotWrite(_, let number):
      number == EACCES ? localized("ask its owner for the right to it") : nil
    case .isDirectory: localized("name a file in it")
    case .nameOfOwnFile: localized("choose another name")
    case .otherFormat(_, let format): localized("name it \"\(format.jsonPath)\"")
    case .empty: localized("an empty list is written [], and a new store is made by kura --create")
    case .notUTF8(let encoding):
      encoding == "UTF-16"
        ? localized("convert it: iconv -f UTF-16 -t UTF-8") : localized("unpack it: gzip -dc")
    case .syntax(let error): error.isNoJSON ? error.kind.otherKind : error.kind.help
    case .unknownFormat: localized("a newer Kura may read it")
    case .unknownTimeZone: localized("write its name, as in \"Asia/Tokyo\"")
    case .unknownKey(let key):
      didYouMean(nearNames(to: key, among: StoreFacts.keys))
        ?? localized("its keys are \(StoreFacts.keys.joined(separator: ", "))")
    case .notAnObject(let key):
      StoreFacts.form(of: key)
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? (known.isEmpty ? nil : localized("its entities are \(known.list)"))
    case .row(let fault): fault.help
    case .noModel: localized("an empty one is {\"entities\": {}}")
    case .modelBehindObjects: localized("or write it to a file first: a file is read in any order")
    case .exists, .badNextObjectID, .moreProblems: nil
    }
  }

  private static let keys = [
    "format", "timezone", "model", "nextObjectID", "objects", "userInfo",
  ]

  private static func form(of key: String) -> String {
    switch key {
    case "objects": localized("it is an object: {\"Entity\": [{…}, {…}]}")
    case "nextObjectID": localized("it is an object: {\"Entity\": 18}")
    default: localized("its rows stand in a list: [{…}, {…}]")
    }
  }
}

extension RowFault {
  /// `Item/5`, or `row 3 of Item` without a number.
  private var owner: String {
    objectID.map { "\(entity)/\($0)" } ?? localized("row \(row) of \(entity)")
  }

  var sentence: String {
    let key = key.map(quoted) ?? ""
    return switch kind {
    case .unknownKey: localized("\(entity) has no key \(key) (in \(owner))")
    case .mismatch(let type, let found):
      localized("\(owner): \(key) is \(type), and this is \(found)")
    case .notAnObject: localized("row \(row) of \(entity) is no object")
    case .missing: localized("\(owner) has no value for \(key), which is not optional")
    case .duplicateObjectID: localized("the objectID of \(owner) is there twice")
    case .dangling(let number, let destination):
      localized("\(owner): \(key) leads to \(destination)/\(number), which is not there")
    case .contradiction(let other): localized("\(owner): \(key) contradicts \(other), its inverse")
    case .abstract: localized("\(entity) is abstract and has no objects of its own")
    case .twice(let number, let destination):
      localized("\(owner): \(key) has \(destination)/\(number) twice")
    }
  }

  var help: String? {
    switch kind {
    case .unknownKey(let known): key.flatMap { didYouMean(nearNames(to: $0, among: known)) }
    case .missing: localized("give it a value, or make the attribute optional in the model")
    case .notAnObject: localized("a row is an object: {\"key\": value}")
    case .duplicateObjectID: localized("leave out one of the two, and it gets a free number")
    case .contradiction: localized("write one side and leave out the key of the other")
    case .abstract: localized("put them under one of its subentities")
    case .mismatch(AttributeType.date.rawValue, let found): dateProblem(in: found)
    case .mismatch, .dangling, .twice: nil
    }
  }
}

/// Returns why a JSON string that looks like a date is not one: the day does not exist.
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
  /// Whether even the first byte is not JSON, so that the input is something else and not damaged
  /// JSON.
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
  /// What the file is according to its first byte, and what to do with it.
  fileprivate var otherKind: String {
    switch self {
    case .unexpectedByte(UInt8(ascii: "<"), _):
      localized("it begins like HTML or XML: was a page saved in the place of the data?")
    case .unexpectedByte(let byte, _) where byte >= 0x20 && byte < 0x7F:
      localized("Kura reads JSON: make some of CSV first, and give scripts by -f FILE")
    default: localized("it is not text, perhaps an archive or a picture")
    }
  }

  /// A sentence about the invalid bytes.
  var sentence: String {
    switch self {
    case .unexpectedEnd: localized("the JSON ends in the middle")
    case .unexpectedByte(let byte, let expected):
      localized("\(expected.name) is expected, not \(name(byte))")
    case .unclosedString: localized("the string is not closed")
    case .controlCharacter(let byte): localized("\(name(byte)) must be escaped in a string")
    case .invalidUTF8: localized("these bytes are not UTF-8")
    case .badEscape: localized("there is no such escape in JSON")
    case .loneSurrogate: localized("half of a surrogate pair is no character")
    case .badNumber: localized("this is no number of JSON")
    case .numberTooLarge: localized("the number is beyond what 64 bits hold")
    case .tooManyDigits: localized("an integer has at most 38 digits")
    case .duplicateKey(let key): localized("the key \"\(key)\" is there twice")
    case .tooManyKeys(let limit): localized("there are more than \(limit) different keys")
    case .tooDeep(let limit): localized("more than \(limit) brackets are open")
    case .trailing: localized("something stands behind the end of the JSON")
    }
  }

  var help: String? {
    switch self {
    case .unexpectedEnd: localized("the file may have been cut off: get it again")
    case .invalidUTF8: localized("convert the file, as by iconv -f SHIFT_JIS -t UTF-8")
    case .badNumber: localized("write 0.5, 1.0, -3, 1e9")
    case .controlCharacter(0x0A), .controlCharacter(0x0D):
      localized("is the closing quote missing?")
    case .unexpectedByte(UInt8(ascii: "'"), _): localized("JSON has double quotes: \"x\"")
    case .unexpectedByte(_, .key), .unexpectedByte(_, .keyOrEnd):
      localized("a key stands in double quotes: \"title\"")
    case .tooManyDigits: localized("in quotes it is a text, which keeps all digits")
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
    case 0..<0x20, 0x7F: localized("a control character")
    case 0x20..<0x7F: "\"\(Character(UnicodeScalar(byte)))\""
    default: localized("this")
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

extension KeepingFacts: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .file }

  package var sentence: String {
    switch self {
    case .refused(let error, let file, let path), .notOpened(let error, let file, let path):
      localized("cannot \(error.operation.verb) \"\(file.name(path))\": \(reason(error.number))")
    case .readOnly(let reason, let path): reason.sentence(path)
    case .notTakenIn(let reason, let path): reason.sentenceForOpenStore(path)
    case .journalTakenAway(let path, isWrittenAnew: true):
      localized(
        "\"\(path).journal\" was taken away or cut, and the saves that it held are written anew")
    case .journalTakenAway(let path, isWrittenAnew: false):
      localized("\"\(path).journal\" was taken away or cut; the saves that it held are still here")
    case .journalWithoutDocument(let path):
      localized("\"\(path).journal\" has saves, and the document that they belong to is not there")
    case .documentReplaced(let path):
      localized(
        "\"\(path)\" was replaced by somebody else while it was being saved; nothing was saved")
    case .documentGone(let path):
      localized("\"\(path)\" was taken away; what it had is still here")
    case .documentGoneAtEnd(let path):
      localized("\"\(path)\" was taken away, and \"\(path).journal\" has saves that belong to it")
    case .restless(let path): localized("\"\(path)\" changes whenever it is read")
    case .strangeFile(let file, let strange, let path):
      localized("\"\(file.name(path))\" \(strange.sentence), and is left alone")
    case .ownerNotKept(let owner, let path):
      localized("a new document would take \"\(path)\" from \(owner), its owner")
    case .ownerLockedOut(let owner, let path):
      localized("a journal that you make would keep \(owner), its owner, from \"\(path)\"")
    case .notReadBack(let reason, let path):
      localized(
        "the new document for \"\(path)\" was not read back as it was written (\(reason)), and has not taken its place"
      )
    case .notReadable(let fault, let path):
      localized("\(fault.sentence): \"\(path)\" could not be opened with it, and nothing was saved")
    case .recordRefused(let refusal?, let path):
      localized(
        "\(refusal.sentence): \"\(path)\" could not be opened with it, and nothing was saved")
    case .recordRefused(nil, let path):
      localized("\"\(path)\" could not be opened with this save, and nothing was saved")
    case .lockTimedOut(let holder, let time, let path):
      localized("\(name(holder)) still has the lock of \"\(path)\" after \(seconds(time))")
    case .unknownJournal(let path, let version):
      localized("the journal \"\(path).journal\" is of version \(version), and this Kura reads 1")
    case .dropsOnlyLast(let path):
      localized(
        "--drop-damaged-save gives up only the last save of \"\(path).journal\", and the damage is not there alone"
      )
    case .note(.damagedDocument, let path):
      localized(
        "\"\(path)\" is damaged: it is not as Kura wrote it, and nobody has written it since")
    case .note(.droppedUnfinishedSave, let path):
      localized("a save in \"\(path).journal\" was never finished, and is left out")
    case .note(.droppedDamagedSave, let path):
      localized("the last save in \"\(path).journal\" is damaged, and is left out")
    case .note(.strangeRecord(let record, let reason), let path):
      localized("save \(record) of \"\(path).journal\" does not fit the store: \(reason)")
    case .note(.otherOldValue(let record, let place), let path):
      localized(
        "save \(record) of \"\(path).journal\" found another value of \(place) than the store has; its new value is taken"
      )
    case .note(.mendedDerived(let first, let count), let path):
      switch count {
      case 1:
        localized(
          "derived values in \"\(path)\" were not what their rules give, and are computed anew: \(first)"
        )
      case 2:
        localized(
          "derived values in \"\(path)\" were not what their rules give, and are computed anew: \(first), and another object"
        )
      default:
        localized(
          "derived values in \"\(path)\" were not what their rules give, and are computed anew: \(first), and \(count - 1) other objects"
        )
      }
    case .note(.underivable(let reason), let path):
      localized("derived values in \"\(path)\" are as they were found: \(reason)")
    case .waiting(let holder, let path): localized("\(name(holder)) is saving \"\(path)\"; waiting")
    case .stillWaiting(let holder, let path):
      localized("\(name(holder)) still has the lock of \"\(path)\"; waiting")
    case .notFolded(let reason, let path):
      localized(
        "\"\(path).journal\" was not folded into the document: \(reason); the saves are kept in it")
    case .foldLeftToOwner(let owner, let path):
      localized(
        "the saves are kept in \"\(path).journal\": a new document would take \"\(path)\" from \(owner), its owner"
      )
    case .notRestored(let reason, let path):
      localized(
        "\"\(path).journal\" was taken away or cut, and the saves that it held could not be written anew: \(reason)"
      )
    }
  }

  package var help: String? {
    switch self {
    case .notOpened(let error, .journal, let path): journalHelp(error.number, path)
    case .notOpened: nil
    case .refused: localized("what was not saved is still here: save \"FILE\" writes it elsewhere")
    case .readOnly(let reason, let path): reason.help(path)
    case .notTakenIn(let reason, let path): reason.helpForOpenStore(path)
    case .journalTakenAway(_, isWrittenAnew: true): nil
    case .journalTakenAway(_, isWrittenAnew: false): localized("save or .fold writes them anew")
    case .journalWithoutDocument(let path):
      localized(
        "bring \"\(path)\" back and it goes on; or give up those saves: rename \"\(path).journal\"")
    case .documentReplaced: localized("save again to take in what was written there")
    case .documentGoneAtEnd: localized("bring it back and they are in it")
    case .documentGone(let path):
      localized("bring it back and it goes on; or save \"\(path)\" replacing writes it anew")
    case .restless: localized("try again when it is quiet")
    case .strangeFile(let file, .kind(.file), let path):
      localized("Kura needs this name: move \"\(file.name(path))\" to another one")
    case .strangeFile: localized("Kura's own files have one name: give what stands there another")
    case .ownerNotKept(let owner, _):
      localized("let \(owner) do it; or save \"FILE\" writes a copy that is yours")
    case .ownerLockedOut(let owner, _):
      localized("let \(owner) be in its group; or save \"FILE\" writes a copy that is yours")
    case .notReadBack:
      localized("nothing that was saved before is lost; please report it with the statements")
    case .notReadable, .recordRefused: localized("undo it, or give it a value that fits")
    case .lockTimedOut: localized("try again; --lock-timeout SECONDS waits longer")
    case .unknownJournal: localized("a newer Kura reads it")
    case .dropsOnlyLast(let path):
      localized(
        "or go on without the saves from the damage on: save \"FILE\", and rename \"\(path).journal\""
      )
    case .note(.droppedUnfinishedSave, _):
      localized("whoever saved was not told that it was done; the next save cuts it off")
    case .note(.droppedDamagedSave, _): localized("the next save cuts it off")
    case .note(.damagedDocument, _):
      localized("bring it back from a backup; a save keeps it as it is now")
    case .note(.mendedDerived, _): localized("the document has them when it is next written anew")
    case .note(.strangeRecord, _), .note(.otherOldValue, _), .note(.underivable, _), .waiting: nil
    case .stillWaiting: localized("Control-C stops waiting; nothing is saved then")
    case .notFolded: localized("it will be tried again")
    case .foldLeftToOwner(let owner, _): localized("they go into it when \(owner) saves")
    case .notRestored: nil
    }
  }
}

extension KeepingNote {
  var severity: Severity {
    switch self {
    case .damagedDocument, .otherOldValue: .warning
    case .droppedUnfinishedSave, .droppedDamagedSave, .strangeRecord, .mendedDerived, .underivable:
      .note
    }
  }
}

/// Returns `hana@desk (process 4711)`.
private func name(_ holder: LockHolder?) -> String {
  holder.map { localized("\($0.user)@\($0.host) (process \($0.process))") }
    ?? localized("somebody else")
}

/// Returns `30 seconds`.
private func seconds(_ time: Duration) -> String {
  let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  if seconds == 1 { return localized("1 second") }
  return seconds == seconds.rounded()
    ? localized("\(Int(seconds)) seconds") : localized("\(seconds) seconds")
}

/// Returns how to open a store whose journal cannot be read.
private func journalHelp(_ number: Int32, _ path: String) -> String {
  switch number {
  case EACCES, EPERM: localized("it may have saves: ask its owner for the right to it")
  case EISDIR, ELOOP: localized("Kura's journal is a file: give what stands there another name")
  default:
    localized("it may have saves: bring it back from a backup, or rename it to open without them")
  }
}

func reason(_ number: Int32) -> String { String(cString: strerror(number)).lowercased().localized }

extension StrangeFile {
  /// A clause that follows the file's name.
  fileprivate var sentence: String {
    switch self {
    case .links(let count): localized("has \(count) names (hard links)")
    case .kind(.pipe): localized("is a pipe")
    case .kind(.socket): localized("is a socket")
    case .kind(.device): localized("is a device")
    case .kind(.link): localized("is a symbolic link")
    case .kind(.folder): localized("is a folder")
    case .kind(.file): localized("is a file that Kura did not write as its own")
    }
  }
}

extension FormFault {
  /// `Item/5 has no value for "title", which is not optional`
  var sentence: String {
    switch kind {
    case .missing: localized("\(object) has no value for \"\(key)\", which is not optional")
    case .dangling: localized("\(object): \"\(key)\" leads to what is not there")
    case .twice: localized("\(object): \"\(key)\" has an object twice")
    case .contradiction: localized("\(object): \"\(key)\" contradicts its inverse")
    case .leftBehind: localized("\(object) is deleted, and \"\(key)\" of others leads to it")
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
    case .truncate: localized("cut")
    case .sync, .syncFolder: localized("sync")
    case .rename: localized("rename")
    case .remove: localized("remove")
    case .status: localized("look at")
    case .lock: localized("lock")
    }
  }
}

extension ReadOnlyReason {
  func sentence(_ path: String) -> String {
    switch self {
    case .hardLinks(let count):
      localized("\"\(path)\" has \(count) names (hard links), and is read only")
    case .journalLinks(let count):
      localized("\"\(path).journal\" has \(count) names (hard links), and the store is read only")
    case .folderNotWritable(let number):
      localized(
        "the folder of \"\(path)\" cannot be written (\(reason(number))), and the store is read only"
      )
    case .documentNotWritable(let number):
      localized("\"\(path)\" cannot be written (\(reason(number))), and is read only")
    case .noLocks(let number):
      localized(
        "the file system of \"\(path)\" has no locks (\(reason(number))), and it is read only")
    case .changedBesideJournal:
      localized(
        "\"\(path)\" was changed by something else than Kura, and \"\(path).journal\" has saves that belong to what it was; it is read only"
      )
    case .damagedJournal(record: 0, _):
      localized(
        "the first line of \"\(path).journal\" is damaged; \"\(path)\" is here without its saves, to be read only"
      )
    case .damagedJournal(let record, let isLast):
      localized(
        "save \(record) of \"\(path).journal\" is damaged\(isLast ? "" : localized(", and not the last")); \(record == 1 ? localized("what was there before it is") : localized("the saves before it are")) here, to be read only"
      )
    case .anotherJournal: sentenceForOpenStore(path)
    }
  }

  /// Returns the sentence for a problem that appeared after the store was opened, when nothing was
  /// read again.
  func sentenceForOpenStore(_ path: String) -> String {
    switch self {
    case .changedBesideJournal:
      localized(
        "\"\(path)\" was changed by something else than Kura, and \"\(path).journal\" has saves that belong to what it was"
      )
    case .damagedJournal(let record, _):
      record == 0
        ? localized("the first line of \"\(path).journal\" is damaged")
        : localized("save \(record) of \"\(path).journal\" is damaged")
    case .anotherJournal:
      localized("\"\(path).journal\" was put in the place of one that had saves which are here")
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks:
      sentence(path)
    }
  }

  package func help(_ path: String) -> String {
    switch self {
    case .hardLinks:
      localized("a save would part it from its other names: copy it, and open the copy")
    case .journalLinks:
      localized("a save would change what its other names lead to: take them away")
    case .folderNotWritable, .documentNotWritable: localized("save \"FILE\" writes it elsewhere")
    case .noLocks: localized("kura --no-lock, where nobody else opens it")
    case .changedBesideJournal:
      localized(
        "put the old document back and it goes on; or keep the new one and give up those saves: rename \"\(path).journal\""
      )
    case .damagedJournal(record: 0, isLast: true):
      localized(
        "kura --drop-damaged-save gives up what it held; or bring the journal back from a backup")
    case .damagedJournal(_, isLast: true):
      localized(
        "kura --drop-damaged-save gives up that save; or bring the journal back from a backup")
    case .damagedJournal(_, isLast: false):
      localized("save \"FILE\" keeps what is here; or bring the journal back from a backup")
    case .anotherJournal: helpForOpenStore(path)
    }
  }

  func helpForOpenStore(_ path: String) -> String {
    switch self {
    case .changedBesideJournal, .damagedJournal, .anotherJournal:
      localized(
        "nothing was taken in, and what is here is whole: save \"FILE\" writes it elsewhere")
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks: help(path)
    }
  }
}
