import Foundation
package import KuraBytes

/// An open file, closed with the last copy of this value. Its errors say which of the store's files they concern.
package struct OpenFile: Sendable {
  /// A new document becomes the document when it is renamed.
  var kind: StoreFile
  private let held: HeldDescriptor

  package init(_ descriptor: Int32, as kind: StoreFile, _ files: FileOperations) {
    self.kind = kind
    held = HeldDescriptor(descriptor, files)
  }

  package var descriptor: Int32 { held.descriptor }
  private var files: FileOperations { held.files }
}

/// A descriptor that is closed with its last reference.
private final class HeldDescriptor: Sendable {
  let descriptor: Int32
  let files: FileOperations

  init(_ descriptor: Int32, _ files: FileOperations) {
    (self.descriptor, self.files) = (descriptor, files)
  }

  deinit { files.close(descriptor) }
}

/// Calls the operating system, and adds to an error which file it concerns.
func on<Result>(
  _ file: StoreFile, _ call: @autoclosure () throws(FileError) -> Result
) throws(KeepingFailure) -> Result {
  do throws(FileError) { return try call() } catch { throw .file(error, file) }
}

// Reading
extension OpenFile {
  package var status: FileStatus {
    get throws(KeepingFailure) { try on(kind, try files.status(descriptor)) }
  }

  /// Fills a buffer from an offset on, and returns the number of bytes; 0 at the end.
  func read(
    _ buffer: UnsafeMutableRawBufferPointer, at place: Int64
  ) throws(KeepingFailure) -> Int {
    try on(kind, try files.read(descriptor, buffer, place))
  }

  /// Returns at most `count` bytes from an offset on.
  func read(at place: Int64, upTo count: Int) throws(KeepingFailure) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    return Array(buffer[..<(try read(buffer, at: place))])
  }

  /// Returns all bytes from an offset on. Another process may write to the file meanwhile.
  ///
  /// Throws `EFBIG` if the file is larger than its kind allows, and `ECANCELED` if the reading is cancelled.
  package func readAll(
    from start: Int64 = 0, _ cancel: CancelFlag = CancelFlag()
  ) throws(KeepingFailure) -> [UInt8] {
    let size = try status.size
    let read = try kind.limit.read(size: size, cancel) { (buffer, place) throws(KeepingFailure) in
      try self.read(buffer, at: start + Int64(place))
    }
    switch read {
    case .whole(let bytes): return bytes
    case .tooLarge: throw .file(FileError(.read, EFBIG), kind)
    case .stopped: throw .stopped(reading: kind)
    }
  }

  /// Computes the name of the content; throws `ECANCELED` if cancelled.
  func documentName(_ cancel: CancelFlag = CancelFlag()) throws(KeepingFailure) -> DocumentName {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    var hash = ContentHash()
    while true {
      if cancel.isRequested { throw .stopped(reading: kind) }
      let count = try read(piece, at: Int64(hash.count))
      guard count > 0 else { return DocumentName(hash) }
      hash.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
  }

  /// What `setMark` stored with the file, or nil.
  var mark: String? { files.mark(descriptor) }
}

// Writing
extension OpenFile {
  /// Writes all bytes at an offset.
  func write(_ bytes: [UInt8], at place: Int64) throws(KeepingFailure) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try write(buffer, at: place) }
    }
    try on(kind, try result.get())
  }

  /// Writes all bytes at an offset; the caller knows which file an error concerns.
  func write(_ bytes: UnsafeRawBufferPointer, at place: Int64) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = try files.write(descriptor, rest, place + Int64(written))
      guard count > 0 else { throw FileError(.write, ENOSPC) }
      written += count
    }
  }

  func truncate(to size: Int64) throws(KeepingFailure) {
    try on(kind, try files.truncate(descriptor, size))
  }

  /// Returns when content and size outlast a loss of power.
  func sync() throws(KeepingFailure) { try on(kind, try files.sync(descriptor)) }

  /// Syncs like `sync`, including owner and mode.
  func syncWhole() throws(KeepingFailure) { try on(kind, try files.syncWhole(descriptor)) }

  /// Stores a text with the file, if the file system supports that.
  func setMark(_ mark: String) { files.setMark(descriptor, mark) }

  /// Copies the owner, mode and extended attributes of another file, as far as possible.
  @discardableResult
  func copyAttributes(of other: OpenFile) -> CopiedRights {
    files.copyAttributes(other.descriptor, descriptor)
  }
}

// Locks
extension OpenFile {
  /// Acquires the exclusive lock; returns false while another process has it.
  func lock() throws(KeepingFailure) -> Bool { try on(kind, try files.lock(descriptor)) }

  /// Throws if the file system does not support locks.
  func checkLocks() throws(KeepingFailure) { try on(kind, try files.checkLocks(descriptor)) }
}

/// H(D): the hash and size that name a document's content.
package struct DocumentName: Sendable, Hashable {
  package var hash: HashValue
  package var size: Int64
}

extension DocumentName {
  init(_ hash: ContentHash) {
    self.init(hash: hash.value, size: Int64(truncatingIfNeeded: hash.count))
  }
}
