import Dispatch
import KuraBytes
import Synchronization

/// Keeps a document by a journal: the steps of `Documentation/StoreFormat.md`, one function each.
///
/// What the document holds is not its business: `DocumentForm` reads, writes and changes it.
package final class JournaledDocument<Contents> {
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
struct LoadedDocument<Contents> {
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

/// What a keeper knows of the files on the disk, to see whether somebody else wrote.
struct KnownFiles {
  /// The document, held open: whatever takes its name, this is what was read.
  var file: OpenFile
  var document: FileStatus
  /// H(D), once it was needed.
  var name: DocumentName?
  /// The same as a cache has it of the document in this state.
  var cachedName: DocumentName?
  /// Where it is being worked out.
  var nameInAdvance: NameInAdvance?
  /// Nil: there is none.
  var journal: KnownJournal?
}

/// A journal as it was read or written last.
struct KnownJournal {
  var status: FileStatus
  /// Behind the last whole record; 0 where nothing in it counts.
  var end: Int64 = 0
  /// The checks of its records, of which each has the one before in it.
  var checks: [UInt64] = []
  /// The check of the last record that is a change.
  var lastChange: UInt64?
  /// Where the last line begins.
  var lastStart: Int64 = 0
  /// The document was put in its place by a fold that did not come to its end.
  var hasUnfinishedFold = false
  /// Whether it has saves that the document lacks.
  var isNeeded = false

  var lastNumber: Int64 { Int64(checks.count) }
  var lastCheck: UInt64 { checks.last ?? 0 }
  /// Whether something unfinished stands behind the last record.
  var hasTail: Bool { status.size > end }
  var isEmpty: Bool { end == 0 }
}

extension KnownJournal {
  init(_ journal: Journal, _ status: FileStatus) {
    self.status = status
    // A first line alone says nothing that is worth keeping.
    guard let last = journal.records.last else { return }
    end = Int64(journal.end)
    checks = journal.records.map(\.check)
    lastChange = journal.lastChange
    lastStart = Int64(last.start)
  }
}

/// H(D), worked out by another thread while a person still thinks about what to save.
final class NameInAdvance: Sendable {
  private let result = Mutex<Result<DocumentName, FileError>?>(nil)
  private let done = DispatchGroup()

  init(_ file: OpenFile, _ files: FileOperations) {
    done.enter()
    DispatchQueue.global(qos: .utility).async { [self] in
      let name = Result { () throws(FileError) in try files.documentName(file.descriptor) }
      result.withLock { $0 = name }
      done.leave()
    }
  }

  /// Waits until it is there.
  func name() throws(FileError) -> DocumentName? {
    done.wait()
    return try result.withLock { $0 }?.get()
  }
}

extension JournaledDocument {
  /// Begins to work out what the first save needs: to be called when the first change is made.
  ///
  /// Returns at once. Without it the first save reads the document once.
  package func prepareToSave() {
    let needsName = known.name == nil && known.journal?.isEmpty ?? true
    guard needsName, readOnly == nil, known.nameInAdvance == nil, known.cachedName == nil,
      Workers.canStartThreads
    else { return }
    known.nameInAdvance = NameInAdvance(known.file, files)
  }
}

extension JournaledDocument {
  /// What names the content of the store that was read or saved last; nil where that is not known, as of a
  /// document that was replaced.
  ///
  /// It has the name of the document and of all records in it. The first who asks reads the document once.
  var state: String? { state(&known) }

  func state(_ known: inout KnownFiles) -> String? {
    if let change = known.journal?.lastChange { return change.hexadecimal }
    return (try? documentName(&known)).map { "\($0.hash.text) \($0.size)" }
  }
}

extension StoreKeeper {
  /// What names the content of the store that was read or saved last; nil: not known.
  package var state: String? { keeper.state }
}
