import Foundation
package import KuraGraph

/// A reason why a store could not be opened, saved or folded.
package enum KeepingFailure: Error, Sendable {
  /// The system refused an operation on one of the store's files.
  case file(FileError, StoreFile)
  /// The store was read only from the beginning.
  case readOnly(ReadOnlyReason)
  /// Another process replaced the document while ours was being written.
  case documentReplaced
  /// A new store was to be created, and the file exists.
  case exists
  /// The files changed during every attempt to read them.
  case filesKeepChanging
  /// There are saves, but the document that they belong to is missing.
  case journalWithoutDocument
  /// The open document was removed.
  case documentGone
  /// Known saves are missing from the journal, and the document has not changed.
  case journalTakenAway
  /// One of the store's names refers to a file that must not be read or written.
  case invalidFile(StoreFile, InvalidFile)
  /// A new document would belong to us and not to its owner.
  case ownerNotPreserved(owner: UInt32)
  /// The document's owner could not read or write a new journal.
  case ownerLockedOut(owner: UInt32)
  /// The bytes that were written for a new document are not a valid document.
  case notReadBack(reason: String)
  /// The contents to save could not be read again.
  case notReadable(UnrepresentableState)
  /// The record of a save would be refused when read, for this reason if known.
  case recordRefused(ChangeRefusal?)
  /// Another process had the lock during the whole waiting time.
  case lockTimedOut(LockHolder?, after: Duration)
  /// A newer Kura wrote the journal.
  case unknownJournal(version: String)
}

extension KeepingFailure {
  /// The error of a reading that was cancelled.
  static func stopped(reading file: StoreFile) -> KeepingFailure {
    .file(FileError(.read, ECANCELED), file)
  }

  /// The error number, if the system refused an operation.
  var number: Int32? { if case .file(let error, _) = self { error.number } else { nil } }
}

/// A reason why a file is not one that Kura wrote.
package enum InvalidFile: Sendable, Equatable {
  /// It has several names (hard links): a write to one would change the others.
  case links(Int)
  /// It is not a plain file, or its content is not what Kura writes there.
  case kind(FileKind)
}

/// A reason why a store is read only.
package enum ReadOnlyReason: Sendable, Equatable {
  /// A rename would separate it from its other names.
  case hardLinks(Int)
  /// The journal has several names.
  case journalLinks(Int)
  case folderNotWritable(Int32)
  case documentNotWritable(Int32)
  /// The file system does not support locks.
  case noLocks(Int32)
  /// The journal builds on another document.
  case journalOfOtherDocument
  /// A record of the journal is damaged; 0 is its first line.
  case damagedJournal(record: Int64, isLast: Bool)
  /// Known saves are missing from the journal, and others replace them.
  case anotherJournal
}

extension ReadOnlyReason {
  /// Whether acknowledged saves are missing from what was read.
  package var lacksSaves: Bool {
    switch self {
    case .journalOfOtherDocument, .damagedJournal, .anotherJournal: true
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks: false
    }
  }
}

/// A note about a store that was opened.
package enum KeepingNote: Sendable, Equatable {
  /// The document changed without being written: the disk does not have what Kura wrote there.
  case damagedDocument
  case droppedUnfinishedSave
  /// The last save was damaged, and was dropped on request.
  case droppedDamagedSave
  /// A record of the journal does not fit the store, for this reason.
  case invalidRecord(Int64, reason: String)
  /// A record of the journal replaced another value than the store has: `Item/3.title`.
  case otherOldValue(record: Int64, String)
  /// Derived values that differed from their rules, such as `Category/1.count`, were corrected.
  case repairedDerived(String, objects: Int)
  /// Derived values were left as they are, because they cannot be computed.
  case underivable(reason: String)
}

/// A message about a store on a disk.
package enum KeepingMessage: Sendable {
  /// The system refused a step; earlier saves are not affected.
  case refused(FileError, StoreFile, path: String)
  /// The system refused a step while the store was being opened: there is nothing to save yet.
  case notOpened(FileError, StoreFile, path: String)
  case readOnly(ReadOnlyReason, path: String)
  /// A save or a refresh found that the store cannot be continued.
  case cannotContinue(ReadOnlyReason, path: String)
  /// Saves that are in memory are missing from the journal.
  case journalTakenAway(path: String, isWrittenAnew: Bool)
  case journalWithoutDocument(path: String)
  case documentReplaced(path: String)
  /// The document of the open store is missing.
  case documentGone(path: String)
  /// The document is missing at the end of the session: only the journal has its saves.
  case documentGoneAtEnd(path: String)
  case filesKeepChanging(path: String)
  case invalidFile(StoreFile, InvalidFile, path: String)
  case ownerNotPreserved(owner: String, path: String)
  case ownerLockedOut(owner: String, path: String)
  case notReadBack(reason: String, path: String)
  case notReadable(UnrepresentableState, path: String)
  case recordRefused(ChangeRefusal?, path: String)
  case lockTimedOut(LockHolder?, after: Duration, path: String)
  case unknownJournal(path: String, version: String)
  /// The option to drop a damaged save does not help here.
  case dropsOnlyLast(path: String)
  case note(KeepingNote, path: String)
  /// Another process is saving.
  case waiting(LockHolder?, path: String)
  /// Another process has been saving for a while; says how to continue.
  case stillWaiting(LockHolder?, path: String)
  /// The save succeeded, but the journal could not be folded into the document.
  case notFolded(reason: String, path: String)
  /// Only the document's owner can rewrite it; the saves remain in the journal.
  case foldLeftToOwner(owner: String, path: String)
  /// At the end, saves that were in memory are in no file.
  case notRestored(reason: String, path: String)
}
