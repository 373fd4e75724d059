import Foundation
package import KuraDiagnostics
import KuraGraph
import KuraSentences

extension KeepingMessage: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .file }

  package var sentence: String {
    switch event {
    case .failure(let failure): failure.sentence(path)
    case .notOpened(let error, let file): error.sentence(file, path)
    case .readOnly(let reason): reason.sentence(path)
    case .journalRestored:
      localized(
        "\"\(path).journal\" was removed or truncated; its saves were written again")
    case .documentGoneAtEnd:
      localized("\"\(path)\" was removed, but \"\(path).journal\" contains saves for it")
    case .dropsOnlyLast:
      localized(
        "--drop-damaged-save discards only the last save in \"\(path).journal\", but other parts are damaged too"
      )
    case .note(let note): note.sentence(path)
    case .waiting(let holder): localized("\(name(holder)) is saving \"\(path)\"; waiting")
    case .stillWaiting(let holder):
      localized("\(name(holder)) still holds the lock on \"\(path)\"; waiting")
    case .notFolded(let reason):
      localized(
        "\"\(path).journal\" was not folded into the document: \(reason); the journal keeps the saves"
      )
    case .foldLeftToOwner(let owner):
      localized(
        "the saves stay in \"\(path).journal\": a new \"\(path)\" would belong to you, not to its owner, \(owner)"
      )
    case .notRestored(let reason):
      localized(
        "\"\(path).journal\" was removed or truncated, and its saves could not be written again: \(reason)"
      )
    }
  }

  package var help: String? {
    switch event {
    case .failure(let failure): failure.help(path)
    case .notOpened(let error, .journal): journalHelp(error.number, path)
    case .readOnly(let reason): reason.help(path)
    case .documentGoneAtEnd: localized("restore the document to get them back")
    case .dropsOnlyLast:
      localized(
        "to continue without the damaged save and all after it: save \"FILE\", then rename \"\(path).journal\""
      )
    case .note(let note): note.help
    case .stillWaiting: localized("Control-C stops waiting without saving")
    case .notFolded: localized("Kura will try again later")
    case .foldLeftToOwner(let owner):
      localized("the saves move to the document when \(owner) saves")
    case .notOpened, .journalRestored, .waiting, .notRestored: nil
    }
  }
}

extension FileError {
  fileprivate func sentence(_ file: StoreFile, _ path: String) -> String {
    localized("cannot \(operation.verb) \"\(file.name(path))\": \(reason(number))")
  }
}

extension KeepingFailure {
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .file(let error, let file): error.sentence(file, path)
    case .readOnly(let reason): reason.sentenceForOpenStore(path)
    case .exists: StoreProblem.exists(path: path).sentence
    case .journalTakenAway:
      localized("\"\(path).journal\" was removed or truncated; its saves are still in memory")
    case .journalWithoutDocument:
      localized("\"\(path).journal\" contains saves, but its document is missing")
    case .documentReplaced:
      localized(
        "another program replaced \"\(path)\" during the save; nothing was saved")
    case .documentGone: localized("\"\(path)\" was removed; its content is still in memory")
    case .filesKeepChanging: localized("\"\(path)\" keeps changing while Kura reads it")
    case .invalidFile(let file, let strange):
      localized("\"\(file.name(path))\" \(strange.sentence), so Kura does not use it")
    case .ownerNotPreserved(let owner):
      localized("a new \"\(path)\" would belong to you, not to its owner, \(owner)")
    case .ownerLockedOut(let owner):
      localized("if you create the journal, \(owner), the owner, cannot open \"\(path)\"")
    case .notReadBack(let reason):
      localized(
        "the new document for \"\(path)\" could not be verified (\(reason)), so the old one was kept"
      )
    case .notReadable(let fault):
      localized(
        "\(fault.sentence); nothing was saved, because \"\(path)\" could not be opened again")
    case .recordRefused(let refusal?):
      localized(
        "\(refusal.sentence); nothing was saved, because \"\(path)\" could not be opened again")
    case .recordRefused(nil):
      localized("nothing was saved, because \"\(path)\" could not be opened again")
    case .lockTimedOut(let holder, let time):
      localized("\(name(holder)) still holds the lock on \"\(path)\" after \(seconds(time))")
    case .unknownJournal(let version):
      localized(
        "the journal \"\(path).journal\" has version \(version), but this Kura reads version 1")
    }
  }

  fileprivate func help(_ path: String) -> String? {
    switch self {
    case .file:
      localized("the unsaved changes are still here: save \"FILE\" writes them to another file")
    case .readOnly(let reason): reason.helpForOpenStore(path)
    case .exists: nil
    case .journalTakenAway: localized("save or .fold writes them again")
    case .journalWithoutDocument:
      localized(
        "restore \"\(path)\"; or, to discard those saves, rename \"\(path).journal\"")
    case .documentReplaced: localized("save again to merge with the new content")
    case .documentGone:
      localized("restore the document, or write it again: save \"\(path)\" replacing")
    case .filesKeepChanging: localized("try again when nothing else writes to it")
    case .invalidFile(let file, .kind(.file)):
      localized("Kura needs this name: rename \"\(file.name(path))\"")
    case .invalidFile: localized("Kura needs this name for its own file: rename the existing file")
    case .ownerNotPreserved(let owner):
      localized("ask \(owner) to save it; or write your own copy: save \"FILE\"")
    case .ownerLockedOut(let owner):
      localized("add \(owner) to the file's group; or write your own copy: save \"FILE\"")
    case .notReadBack:
      localized("earlier saves are not lost; please report this with your statements")
    case .notReadable, .recordRefused: localized("undo the change, or set a valid value")
    case .lockTimedOut: localized("try again; --lock-timeout SECONDS waits longer")
    case .unknownJournal: localized("open it with a newer Kura")
    }
  }
}

extension KeepingNote {
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .damagedDocument:
      localized(
        "\"\(path)\" is damaged: it differs from what Kura wrote, and nothing has written to it since"
      )
    case .droppedUnfinishedSave:
      localized("an unfinished save in \"\(path).journal\" was skipped")
    case .droppedDamagedSave:
      localized("the last save in \"\(path).journal\" is damaged and was skipped")
    case .invalidRecord(let record, let reason):
      localized("save \(record) of \"\(path).journal\" does not fit the store: \(reason)")
    case .otherOldValue(let record, let place):
      localized(
        "save \(record) of \"\(path).journal\" expected another value of \(place); its new value is used"
      )
    case .repairedDerived(let first, 1):
      localized(
        "derived values in \"\(path)\" were wrong and have been recomputed: \(first)"
      )
    case .repairedDerived(let first, 2):
      localized(
        "derived values in \"\(path)\" were wrong and have been recomputed: \(first) and 1 other object"
      )
    case .repairedDerived(let first, let count):
      localized(
        "derived values in \"\(path)\" were wrong and have been recomputed: \(first) and \(count - 1) other objects"
      )
    case .underivable(let reason):
      localized("derived values in \"\(path)\" could not be recomputed: \(reason)")
    }
  }

  fileprivate var help: String? {
    switch self {
    case .droppedUnfinishedSave:
      localized("that save was never reported as complete; the next save removes it")
    case .droppedDamagedSave: localized("the next save removes it")
    case .damagedDocument:
      localized("restore the document from a backup; a save keeps its present content")
    case .repairedDerived:
      localized("the recomputed values are stored when the document is next rewritten")
    case .invalidRecord, .otherOldValue, .underivable: nil
    }
  }

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
