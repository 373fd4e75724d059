package import KuraGraph

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
