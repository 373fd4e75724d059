import Foundation
package import KuraDiagnostics
import KuraGraph
import KuraSentences

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

/// `hana@desk (process 4711)`
private func name(_ holder: LockHolder?) -> String {
  holder.map { localized("\($0.user)@\($0.host) (process \($0.process))") }
    ?? localized("somebody else")
}

/// `30 seconds`
private func seconds(_ time: Duration) -> String {
  let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  if seconds == 1 { return localized("1 second") }
  return seconds == seconds.rounded()
    ? localized("\(Int(seconds)) seconds") : localized("\(seconds) seconds")
}

/// How a store is opened whose journal cannot be read.
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
  /// Behind its name.
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
