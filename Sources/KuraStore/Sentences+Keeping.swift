import Foundation
import KuraDiagnostics
import KuraGraph

extension KeepingFacts: DiagnosticFacts {
  package var sentence: String {
    switch self {
    case .refused(let error, let file, let path), .notOpened(let error, let file, let path):
      "cannot \(error.operation.verb) \"\(file.name(path))\": \(reason(error.number))"
    case .readOnly(let reason, let path): reason.sentence(path)
    case .notTakenIn(let reason, let path): reason.sentenceForOpenStore(path)
    case .journalTakenAway(let path, isWrittenAnew: true):
      "\"\(path).journal\" was taken away or cut, and the saves that it held are written anew"
    case .journalTakenAway(let path, isWrittenAnew: false):
      "\"\(path).journal\" was taken away or cut; the saves that it held are still here"
    case .journalWithoutDocument(let path):
      "\"\(path).journal\" has saves, and the document that they belong to is not there"
    case .documentReplaced(let path):
      "\"\(path)\" was replaced by somebody else while it was being saved; nothing was saved"
    case .documentGone(let path):
      "\"\(path)\" was taken away; what it had is still here"
    case .documentGoneAtEnd(let path):
      "\"\(path)\" was taken away, and \"\(path).journal\" has saves that belong to it"
    case .restless(let path): "\"\(path)\" changes whenever it is read"
    case .strangeFile(let file, let strange, let path):
      "\"\(file.name(path))\" \(strange.sentence), and is left alone"
    case .ownerNotKept(let owner, let path):
      "a new document would take \"\(path)\" from \(owner), its owner"
    case .ownerLockedOut(let owner, let path):
      "a journal that you make would keep \(owner), its owner, from \"\(path)\""
    case .notReadBack(let reason, let path):
      "the new document for \"\(path)\" was not read back as it was written (\(reason)), and has not "
        + "taken its place"
    case .notReadable(let fault, let path):
      "\(fault.sentence): \"\(path)\" could not be opened with it, and nothing was saved"
    case .lockTimedOut(let holder, let time, let path):
      "\(name(holder)) still has the lock of \"\(path)\" after \(seconds(time))"
    case .unknownJournal(let path, let version):
      "the journal \"\(path).journal\" is of version \(version), and this Kura reads 1"
    case .dropsOnlyLast(let path):
      "--drop-damaged-save gives up only the last save of \"\(path).journal\", and the damage is not "
        + "there alone"
    case .note(.damagedDocument, let path):
      "\"\(path)\" is damaged: it is not as Kura wrote it, and nobody has written it since"
    case .note(.droppedUnfinishedSave, let path):
      "a save in \"\(path).journal\" was never finished, and is left out"
    case .note(.droppedDamagedSave, let path):
      "the last save in \"\(path).journal\" is damaged, and is left out"
    case .note(.mendedDerived(let first, let count), let path):
      "derived values in \"\(path)\" were not what their rules give, and are computed anew: "
        + "\(first)\(count == 1 ? "" : ", and \(count == 2 ? "another object" : "\(count - 1) other objects")")"
    case .note(.underivable(let reason), let path):
      "derived values in \"\(path)\" are as they were found: \(reason)"
    case .waiting(let holder, let path): "\(name(holder)) is saving \"\(path)\"; waiting"
    case .stillWaiting(let holder, let path):
      "\(name(holder)) still has the lock of \"\(path)\"; waiting"
    case .notFolded(let reason, let path):
      "\"\(path).journal\" was not folded into the document: \(reason); the saves are kept in it"
    case .foldLeftToOwner(let owner, let path):
      "the saves are kept in \"\(path).journal\": a new document would take \"\(path)\" from \(owner), "
        + "its owner"
    case .notRestored(let reason, let path):
      "\"\(path).journal\" was taken away or cut, and the saves that it held could not be written "
        + "anew: \(reason)"
    }
  }

  package var help: String? {
    switch self {
    case .notOpened(let error, .journal, let path): journalHelp(error.number, path)
    case .notOpened: nil
    case .refused: "what was not saved is still here: save \"FILE\" writes it elsewhere"
    case .readOnly(let reason, let path): reason.help(path)
    case .notTakenIn(let reason, let path): reason.helpForOpenStore(path)
    case .journalTakenAway(_, isWrittenAnew: true): nil
    case .journalTakenAway(_, isWrittenAnew: false): "save or .fold writes them anew"
    case .journalWithoutDocument(let path):
      "bring \"\(path)\" back and it goes on; or give up those saves: rename \"\(path).journal\""
    case .documentReplaced: "save again to take in what was written there"
    case .documentGoneAtEnd: "bring it back and they are in it"
    case .documentGone(let path):
      "bring it back and it goes on; or save \"\(path)\" replacing writes it anew"
    case .restless: "try again when it is quiet"
    case .strangeFile: "Kura's own files have one name: give what stands there another"
    case .ownerNotKept(let owner, _):
      "let \(owner) do it; or save \"FILE\" writes a copy that is yours"
    case .ownerLockedOut(let owner, _):
      "let \(owner) be in its group; or save \"FILE\" writes a copy that is yours"
    case .notReadBack: "nothing that was saved before is lost; please report it with the statements"
    case .notReadable: "undo it, or give it a value that fits"
    case .lockTimedOut: "try again; --lock-timeout SECONDS waits longer"
    case .unknownJournal: "a newer Kura reads it"
    case .dropsOnlyLast(let path):
      "or go on without the saves from the damage on: save \"FILE\", and rename \"\(path).journal\""
    case .note(.droppedUnfinishedSave, _):
      "whoever saved was not told that it was done; the next save cuts it off"
    case .note(.droppedDamagedSave, _): "the next save cuts it off"
    case .note(.damagedDocument, _): "bring it back from a backup; a save keeps it as it is now"
    case .note(.mendedDerived, _): "the document has them when it is next written anew"
    case .note(.underivable, _), .waiting: nil
    case .stillWaiting: "Control-C stops waiting; nothing is saved then"
    case .notFolded: "it will be tried again"
    case .foldLeftToOwner(let owner, _): "they go into it when \(owner) saves"
    case .notRestored: nil
    }
  }
}

/// `hana@desk (process 4711)`
private func name(_ holder: LockHolder?) -> String {
  holder.map { "\($0.user)@\($0.host) (process \($0.process))" } ?? "somebody else"
}

/// `30 seconds`
private func seconds(_ time: Duration) -> String {
  let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  if seconds == 1 { return "1 second" }
  return seconds == seconds.rounded() ? "\(Int(seconds)) seconds" : "\(seconds) seconds"
}

/// How a store is opened whose journal cannot be read.
private func journalHelp(_ number: Int32, _ path: String) -> String {
  switch number {
  case EACCES, EPERM: "it may have saves: ask its owner for the right to it"
  case EISDIR, ELOOP: "Kura's journal is a file: give what stands there another name"
  default: "it may have saves: bring it back from a backup, or rename it to open without them"
  }
}

func reason(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }

extension StrangeFile {
  /// Behind its name.
  fileprivate var sentence: String {
    switch self {
    case .links(let count): "has \(count) names (hard links)"
    case .kind(.pipe): "is a pipe"
    case .kind(.socket): "is a socket"
    case .kind(.device): "is a device"
    case .kind(.link): "is a symbolic link"
    case .kind(.folder): "is a folder"
    case .kind(.file): "is a file of somebody else's"
    }
  }
}

extension FormFault {
  /// `Item/5 has no value for "title", which is not optional`
  fileprivate var sentence: String {
    switch kind {
    case .missing: "\(object) has no value for \"\(key)\", which is not optional"
    case .dangling: "\(object): \"\(key)\" leads to what is not there"
    case .twice: "\(object): \"\(key)\" has an object twice"
    case .contradiction: "\(object): \"\(key)\" contradicts its inverse"
    case .leftBehind: "\(object) is deleted, and \"\(key)\" of others leads to it"
    }
  }
}

extension StoreFile {
  fileprivate func name(_ path: String) -> String {
    switch self {
    case .document: path
    case .journal: path + ".journal"
    case .newJournal: path + ".journal.new"
    case .lock: path + ".lock"
    case .temporary: path + ".new"
    case .folder: URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
  }
}

extension FileError.Operation {
  fileprivate var verb: String {
    switch self {
    case .open: "open"
    case .read: "read"
    case .write: "write"
    case .truncate: "cut"
    case .sync, .syncFolder: "sync"
    case .rename: "rename"
    case .remove: "remove"
    case .status: "look at"
    case .lock: "lock"
    }
  }
}
