import KuraBytes

/// The lock of a store, held while it is written: a file of its own, because a lock on the
/// document is void once the document was replaced.
final class StoreLock {
  private let place: StorePlace
  private let files: FileOperations
  private let file: OpenFile

  /// Waits until nobody else has it; `waiting` is called while that lasts and may throw.
  ///
  /// Who may write the `document` may lock it, too.
  init(
    _ place: StorePlace, _ files: FileOperations, like document: OpenFile?,
    waiting: (LockHolder?) throws -> Void
  ) throws {
    self.place = place
    self.files = files
    var file = try StoreLock.locked(place, files, document, waiting)
    // Whoever had it took the file away: then that was the lock of nothing.
    while try !StoreLock.isCurrent(file, place, files) {
      file = try StoreLock.locked(place, files, document, waiting)
    }
    self.file = file
    writeHolder()
  }

  /// Takes the file away and gives the lock up.
  deinit { try? files.remove(place.folder, place.lock) }

  private static func locked(
    _ place: StorePlace, _ files: FileOperations, _ document: OpenFile?,
    _ waiting: (LockHolder?) throws -> Void
  ) throws -> OpenFile {
    let file = try on(.lock) { () throws(FileError) in
      OpenFile(try files.open(place.folder, place.lock, .creating, 0o666), files)
    }
    if let document { files.copyAttributes(document.descriptor, file.descriptor) }
    while try !on(.lock, { () throws(FileError) in try files.lock(file.descriptor) }) {
      try waiting(LockHolder(of: file.descriptor, files))
      files.pause()
    }
    return file
  }

  private static func isCurrent(
    _ file: OpenFile, _ place: StorePlace, _ files: FileOperations
  ) throws(KeepingFailure) -> Bool {
    try on(.lock) { () throws(FileError) in
      let named = try files.statusOfName(place.folder, place.lock)
      let status = try files.status(file.descriptor)
      return named?.isSameFile(as: status) ?? false
    }
  }

  /// For those who wait; a full disk does not matter.
  private func writeHolder() {
    try? files.truncate(file.descriptor, 0)
    try? files.writeAll(file.descriptor, files.holder().line, at: 0)
  }
}

extension LockHolder {
  /// `{"process": 4711, "user": "hana", "host": "desk"}` and a line feed.
  var line: [UInt8] {
    var bytes = Array(#"{"process": \#(process), "user": "#.utf8)
    JSONWriter.append(user, to: &bytes)
    bytes += Array(#", "host": "#.utf8)
    JSONWriter.append(host, to: &bytes)
    return bytes + Array("}\n".utf8)
  }

  /// Who wrote into a lock's file; nil while it is being written.
  init?(of file: Int32, _ files: FileOperations) {
    guard let bytes = try? files.readAll(file), let node = try? JSONNode(reading: bytes),
      case .number(let digits)? = node["process"]?.kind, let process = Int32(digits),
      case .string(let user)? = node["user"]?.kind, case .string(let host)? = node["host"]?.kind
    else { return nil }
    self.init(process: process, user: user, host: host)
  }
}

extension StorePlace {
  /// Whether somebody has the lock at this moment.
  func isBeingWritten(_ files: FileOperations) -> Bool {
    guard let status = try? files.statusOfName(folder, lock), status.isRegular,
      let descriptor = try? files.open(folder, lock, .writing, 0)
    else { return false }
    let file = OpenFile(descriptor, files)
    return (try? files.lock(file.descriptor)) == false
  }
}
