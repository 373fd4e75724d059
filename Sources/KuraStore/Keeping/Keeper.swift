/// Keeps a document by a journal: the steps of `Documentation/StoreFormat.md`, one function each.
///
/// What the document holds is not its business: `DocumentForm` reads, writes and changes it.
package final class Keeper<Contents> {
  package let place: StorePlace
  let files: FileOperations
  let form: DocumentForm<Contents>
  let options: KeepingOptions
  /// Why it is only read.
  package internal(set) var readOnly: ReadOnlyReason?
  var known: KnownFiles
  /// A write or sync of the journal went wrong, and what is on the disk is not known.
  var journalIsClosed = false
  /// The document has a new name of which it is not known whether it is on the disk.
  var nameIsUncertain = false
  /// The check of a line that may stand in the journal though its save failed.
  var unacknowledged: UInt64?
  /// A fold would have taken the document from its owner.
  var isLeftToOwner = false
  /// Whether all names of the folder that we rely on outlast a loss of power.
  var namesAreSynced = false

  init(
    _ place: StorePlace, _ files: FileOperations, _ form: DocumentForm<Contents>,
    _ options: KeepingOptions, _ known: KnownFiles
  ) {
    self.place = place
    self.files = files
    self.form = form
    self.options = options
    self.known = known
  }

  /// Whether the next save writes new files instead of a record.
  var mustFold: Bool { journalIsClosed || nameIsUncertain }
}

/// What was read from the disk at one moment.
struct Loaded<Contents> {
  var contents: Contents
  var known: KnownFiles
  var readOnly: ReadOnlyReason?
  var notes: [KeepingNote] = []
}

/// Does what the system is asked for, and says with which file it failed.
func on<Result>(
  _ file: StoreFile, _ body: () throws(FileError) -> Result
) throws(KeepingFailure) -> Result {
  do throws(FileError) { return try body() } catch { throw .file(error, file) }
}
