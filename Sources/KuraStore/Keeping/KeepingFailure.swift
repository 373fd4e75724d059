import Foundation
package import KuraGraph

/// A reason why a store could not be opened, saved or folded.
package enum KeepingFailure: Error, Sendable {
  /// The system refused an operation on one of the store's files.
  case file(FileError, StoreFile)
  /// The store cannot be continued: it was read only from the beginning, or is now.
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
  case ownerNotPreserved(owner: String)
  /// The document's owner could not read or write a new journal.
  case ownerLockedOut(owner: String)
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
package struct KeepingMessage: Sendable {
  package var event: Event
  package var path: String

  package init(_ event: Event, path: String) { (self.event, self.path) = (event, path) }

  package enum Event: Sendable {
    /// The store could not be saved, refreshed or created; earlier saves are not affected.
    case failure(KeepingFailure)
    /// The system refused a step while the store was being opened: there is nothing to save yet.
    case notOpened(FileError, StoreFile)
    /// The store was opened, but cannot be saved.
    case readOnly(ReadOnlyReason)
    /// Saves that were missing from the journal were written again.
    case journalRestored
    /// The document is missing at the end of the session: only the journal has its saves.
    case documentGoneAtEnd
    /// The option to drop a damaged save does not help here.
    case dropsOnlyLast
    case note(KeepingNote)
    /// Another process is saving.
    case waiting(LockHolder?)
    /// Another process has been saving for a while; says how to continue.
    case stillWaiting(LockHolder?)
    /// The save succeeded, but the journal could not be folded into the document.
    case notFolded(reason: String)
    /// Only the document's owner can rewrite it; the saves remain in the journal.
    case foldLeftToOwner(owner: String)
    /// At the end, saves that were in memory are in no file.
    case notRestored(reason: String)
  }
}
