import Foundation
import KuraDiagnostics

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
    case .restless(let path): "\"\(path)\" changes whenever it is read"
    case .unknownJournal(let path, let version):
      "the journal \"\(path).journal\" is of version \(version), and this Kura reads 1"
    case .dropsOnlyLast(let path):
      "--drop-damaged-save gives up only the last save of \"\(path).journal\", and the damage is not "
        + "there alone"
    case .note(.droppedUnfinishedSave, let path):
      "a save that was never finished was dropped from \"\(path).journal\""
    case .note(.droppedDamagedSave, let path):
      "the last save was damaged and dropped from \"\(path).journal\""
    case .waiting(let holder, let path): "\(name(holder)) is saving \"\(path)\"; waiting"
    case .stillWaiting(let holder, let path):
      "\(name(holder)) still has the lock of \"\(path)\"; waiting"
    case .notFolded(let reason, let path):
      "\"\(path).journal\" was not folded into the document: \(reason); the saves are kept in it"
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
    case .restless: "try again when it is quiet"
    case .unknownJournal: "a newer Kura reads it"
    case .dropsOnlyLast(let path):
      "or go on without the saves from the damage on: save \"FILE\", and rename \"\(path).journal\""
    case .note(.droppedUnfinishedSave, _): "whoever saved was not told that it was done"
    case .note(.droppedDamagedSave, _), .waiting: nil
    case .stillWaiting: "Control-C stops waiting; nothing is saved then"
    case .notFolded: "it will be tried again"
    case .notRestored: nil
    }
  }
}

/// `hana@desk (process 4711)`
private func name(_ holder: LockHolder?) -> String {
  holder.map { "\($0.user)@\($0.host) (process \($0.process))" } ?? "somebody else"
}

/// How a store is opened whose journal cannot be read.
private func journalHelp(_ number: Int32, _ path: String) -> String {
  switch number {
  case EACCES, EPERM: "it may have saves: ask its owner for the right to it"
  case EISDIR, ELOOP: "Kura's journal is a file: give what stands there another name"
  default: "it may have saves: bring it back from a backup, or rename it to open without them"
  }
}

private func reason(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }

extension ReadOnlyReason {
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .hardLinks(let count):
      "\"\(path)\" has \(count) names (hard links), and is read only"
    case .folderNotWritable(let number):
      "the folder of \"\(path)\" cannot be written (\(reason(number))), and the store is read only"
    case .documentNotWritable(let number):
      "\"\(path)\" cannot be written (\(reason(number))), and is read only"
    case .noLocks(let number):
      "the file system of \"\(path)\" has no locks (\(reason(number))), and it is read only"
    case .changedBesideJournal:
      "\"\(path)\" was changed by something else than Kura, and \"\(path).journal\" has saves "
        + "that belong to what it was; it is read only"
    case .damagedJournal(record: 0, _):
      "the first line of \"\(path).journal\" is damaged; \"\(path)\" is here without its saves, to be "
        + "read only"
    case .damagedJournal(let record, let isLast):
      "save \(record) of \"\(path).journal\" is damaged\(isLast ? "" : ", and not the last"); "
        + "\(record == 1 ? "what was there before it is" : "the saves before it are") here, to be "
        + "read only"
    case .anotherJournal: sentenceForOpenStore(path)
    }
  }

  /// The same where it came up after the store was opened: nothing was read anew.
  fileprivate func sentenceForOpenStore(_ path: String) -> String {
    switch self {
    case .changedBesideJournal:
      "\"\(path)\" was changed by something else than Kura, and \"\(path).journal\" has saves "
        + "that belong to what it was"
    case .damagedJournal(let record, _):
      "\(record == 0 ? "the first line" : "save \(record)") of \"\(path).journal\" is damaged"
    case .anotherJournal:
      "\"\(path).journal\" was put in the place of one that had saves which are here"
    case .hardLinks, .folderNotWritable, .documentNotWritable, .noLocks: sentence(path)
    }
  }

  fileprivate func help(_ path: String) -> String {
    switch self {
    case .hardLinks: "a save would part it from its other names: copy it, and open the copy"
    case .folderNotWritable, .documentNotWritable: "save \"FILE\" writes it elsewhere"
    case .noLocks: "kura --no-lock, where nobody else opens it"
    case .changedBesideJournal:
      "put the old document back and it goes on; or keep the new one and give up those saves: "
        + "rename \"\(path).journal\""
    case .damagedJournal(record: 0, isLast: true):
      "kura --drop-damaged-save gives up what it held; or bring the journal back from a backup"
    case .damagedJournal(_, isLast: true):
      "kura --drop-damaged-save gives up that save; or bring the journal back from a backup"
    case .damagedJournal(_, isLast: false):
      "save \"FILE\" keeps what is here; or bring the journal back from a backup"
    case .anotherJournal: helpForOpenStore(path)
    }
  }

  fileprivate func helpForOpenStore(_ path: String) -> String {
    switch self {
    case .changedBesideJournal, .damagedJournal, .anotherJournal:
      "nothing was taken in, and what is here is whole: save \"FILE\" writes it elsewhere"
    case .hardLinks, .folderNotWritable, .documentNotWritable, .noLocks: help(path)
    }
  }
}

extension StoreFile {
  fileprivate func name(_ path: String) -> String {
    switch self {
    case .document: path
    case .journal: path + ".journal"
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
