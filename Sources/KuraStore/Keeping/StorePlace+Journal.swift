extension StorePlace {
  /// What stands in the journal at this moment; nil if there is none.
  func readJournal(
    _ files: FileOperations
  ) throws(KeepingFailure) -> (bytes: [UInt8], status: FileStatus)? {
    try on(.journal) { () throws(FileError) in
      guard let descriptor = try open(journal, files) else { return nil }
      let file = OpenFile(descriptor, files)
      let bytes = try files.readAll(file.descriptor)
      var status = try files.status(file.descriptor)
      // What came behind the bytes since is somebody else's save, and seen as such.
      status.size = Int64(bytes.count)
      return (bytes, status)
    }
  }

  private func open(_ name: String, _ files: FileOperations) throws(FileError) -> Int32? {
    guard try files.statusOfName(folder, name) != nil else { return nil }
    do {
      return try files.open(folder, name, .reading, 0)
    } catch {
      // It went away in between.
      guard try files.statusOfName(folder, name) != nil else { return nil }
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
