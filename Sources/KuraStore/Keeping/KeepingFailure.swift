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
  /// Saves that we know of are gone from the journal, and the document has not changed.
  case journalTakenAway
  /// A newer Kura wrote the journal.
  case unknownJournal(version: String)
}

/// The files of a store.
package enum StoreFile: Sendable {
  case document, journal, lock, temporary, folder
}

/// Why a store is only read.
package enum ReadOnlyReason: Sendable, Equatable {
  /// A rename would part it from its other names.
  case hardLinks(Int)
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

/// What there is to know of a store that was opened.
package enum KeepingNote: Sendable, Equatable {
  /// A save that was never finished was dropped.
  case droppedUnfinishedSave
  /// The last save was damaged, and was dropped because that was asked for.
  case droppedDamagedSave
}
