extension StorePlace {
  /// Opens one of the store's files, if it is a file and nothing else, under one name and no other.
  ///
  /// A pipe, a device, a link or a file of somebody else's that was put there is neither waited for,
  /// nor read, nor written.
  func open(
    _ name: String, as file: StoreFile, _ kind: OpenKind, mode: UInt32 = 0,
    _ files: FileOperations
  ) throws(KeepingFailure) -> OpenFile {
    try check(name, as: file, files, for: kind)
    let opened = try on(file) { () throws(FileError) in
      OpenFile(try files.open(folder, name, kind, mode), files)
    }
    let status = try on(file) { () throws(FileError) in try files.status(opened.descriptor) }
    if let strange = status.strangeness(as: file, kind) { throw .strangeFile(file, strange) }
    return opened
  }

  /// Whether there is something of a name; throws where it is not one of the store's files.
  @discardableResult
  func check(
    _ name: String, as file: StoreFile, _ files: FileOperations, for kind: OpenKind = .writing
  ) throws(KeepingFailure) -> Bool {
    let status = try on(file) { () throws(FileError) in try files.statusOfName(folder, name) }
    if let strange = status?.strangeness(as: file, kind) { throw .strangeFile(file, strange) }
    return status != nil
  }
}

extension FileStatus {
  /// Why it is none of a store's files; of a folder the system says it.
  fileprivate func strangeness(as file: StoreFile, _ use: OpenKind) -> StrangeFile? {
    switch kind {
    case .folder: nil
    case .pipe, .socket, .device, .link: .kind(kind)
    // A document of several names is read; one that is open for a session may have lost its name.
    case .file: links > 1 && file != .document && use != .reading ? .links(links) : nil
    }
  }
}
