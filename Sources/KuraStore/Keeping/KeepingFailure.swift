package import KuraGraph

/// Why a store could not be opened, saved or folded.
package enum KeepingFailure: Error, Sendable {
  /// The system refused something with one of the store's files.
  case file(FileError, StoreFile)
  /// It was not to be written from the beginning.
  case readOnly(ReadOnlyReason)
  /// Somebody put another document in the place while ours was being written.
  case documentReplaced
  /// A new store was to be made, and there is a file already.
  case exists
  /// Its files changed whenever they were looked at.
  case restless
  /// There are saves, and the document that they belong to is not there.
  case journalWithoutDocument
  /// The document that is open was taken away.
  case documentGone
  /// Saves that we know of are gone from the journal, and the document has not changed.
  case journalTakenAway
  /// What stands under the name of one of the store's files is not to be read or written.
  case strangeFile(StoreFile, StrangeFile)
  /// A new document would be ours, and no more its owner's.
  case ownerNotKept(owner: UInt32)
  /// A journal that we make could not be read or written by the document's owner.
  case ownerLockedOut(owner: UInt32)
  /// What was written for a new document is not what a document can be.
  case notReadBack(reason: String)
  /// What is to be saved could not be read again.
  case notReadable(FormFault)
  /// The record of a save would be refused when it is read, for the reason that is said if it is known.
  case recordRefused(ChangeRefusal?)
  /// Somebody else had the lock all the time that we were to wait.
  case lockTimedOut(LockHolder?, after: Duration)
  /// A newer Kura wrote the journal.
  case unknownJournal(version: String)
}

/// The files of a store.
package enum StoreFile: Sendable {
  case document, journal, newJournal, lock, temporary, history, newHistory, folder
}

/// Why a file is not one that Kura made.
package enum StrangeFile: Sendable, Equatable {
  /// It has several names (hard links): what is written to one is written to the others.
  case links(Int)
  /// A plain file has other contents than Kura writes there.
  case kind(FileKind)
}

/// Why a store is only read.
package enum ReadOnlyReason: Sendable, Equatable {
  /// A rename would part it from its other names.
  case hardLinks(Int)
  /// The journal has several names.
  case journalLinks(Int)
  case folderNotWritable(Int32)
  case documentNotWritable(Int32)
  /// The file system knows no locks.
  case noLocks(Int32)
  /// The journal builds on another document.
  case changedBesideJournal
  /// A record of the journal is not what was written; 0 is its first line.
  case damagedJournal(record: Int64, isLast: Bool)
  /// Saves that we know of are gone from the journal, and others are in their place.
  case anotherJournal
}

extension ReadOnlyReason {
  /// Whether saves that were acknowledged are not in what was read.
  package var lacksSaves: Bool {
    switch self {
    case .changedBesideJournal, .damagedJournal, .anotherJournal: true
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks: false
    }
  }
}

/// What there is to know of a store that was opened.
package enum KeepingNote: Sendable, Equatable {
  /// The document has changed and was not written: the disk does not have what Kura wrote there.
  case damagedDocument
  /// A save that was never finished was dropped.
  case droppedUnfinishedSave
  /// The last save was damaged, and was dropped because that was asked for.
  case droppedDamagedSave
  /// A record of the journal does not fit the store, for this reason.
  case strangeRecord(Int64, reason: String)
  /// A record of the journal has found another value than the store has: `Item/3.title`.
  case otherOldValue(record: Int64, String)
  /// Derived values were not what their rules give, `Category/1.count` and others, and are now.
  case mendedDerived(String, objects: Int)
  /// Derived values are as they were found, for they cannot be computed.
  case underivable(reason: String)
}

/// What there is to say of a store that is kept on a disk.
package enum KeepingFacts: Sendable {
  /// A step was refused by the system; nothing that was saved before is lost.
  case refused(FileError, StoreFile, path: String)
  /// The same while it was being opened: there is nothing to save yet.
  case notOpened(FileError, StoreFile, path: String)
  case readOnly(ReadOnlyReason, path: String)
  /// A save or a refresh found that the store cannot be gone on with.
  case notTakenIn(ReadOnlyReason, path: String)
  /// Saves that are in memory are gone from the journal.
  case journalTakenAway(path: String, isWrittenAnew: Bool)
  case journalWithoutDocument(path: String)
  case documentReplaced(path: String)
  /// There is nothing any more where the open store was.
  case documentGone(path: String)
  /// The same when the session ends: the journal alone has its saves.
  case documentGoneAtEnd(path: String)
  case restless(path: String)
  case strangeFile(StoreFile, StrangeFile, path: String)
  case ownerNotKept(owner: String, path: String)
  case ownerLockedOut(owner: String, path: String)
  case notReadBack(reason: String, path: String)
  case notReadable(FormFault, path: String)
  case recordRefused(ChangeRefusal?, path: String)
  case lockTimedOut(LockHolder?, after: Duration, path: String)
  case unknownJournal(path: String, version: String)
  /// What was asked for to drop a damaged save does not do it.
  case dropsOnlyLast(path: String)
  case note(KeepingNote, path: String)
  /// Somebody else is saving.
  case waiting(LockHolder?, path: String)
  /// The same after some time, with the way out.
  case stillWaiting(LockHolder?, path: String)
  /// A save was kept, and the journal could not be folded into the document.
  case notFolded(reason: String, path: String)
  /// The document's owner alone can write it anew; the saves are kept in the journal.
  case foldLeftToOwner(owner: String, path: String)
  /// At the end, saves that were in memory are in no file.
  case notRestored(reason: String, path: String)
}
