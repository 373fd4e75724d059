extension StorePlace {
  /// What stands in the journal at this moment; nil if there is none.
  func readJournal(
    _ files: FileOperations
  ) throws(KeepingFailure) -> (bytes: [UInt8], status: FileStatus)? {
    guard let file = try openJournal(files) else { return nil }
    return try on(.journal) { () throws(FileError) in
      let bytes = try files.readAll(file.descriptor)
      var status = try files.status(file.descriptor)
      // What came behind the bytes since is somebody else's save, and seen as such.
      status.size = Int64(bytes.count)
      return (bytes, status)
    }
  }

  private func openJournal(_ files: FileOperations) throws(KeepingFailure) -> OpenFile? {
    guard try check(journal, as: .journal, files, for: .reading) else { return nil }
    do {
      return try open(journal, as: .journal, .reading, files)
    } catch {
      // It went away in between.
      guard try check(journal, as: .journal, files, for: .reading) else { return nil }
      throw error
    }
  }

  /// Whether the journal has saves, or what may have been some.
  func journalHasSaves(_ files: FileOperations) throws(KeepingFailure) -> Bool {
    guard let found = try readJournal(files) else { return false }
    guard let journal = try? Journal(reading: found.bytes) else { return true }
    switch journal.tail {
    case .clean, .torn: return !journal.records.isEmpty
    case .damaged: return true
    }
  }
}
