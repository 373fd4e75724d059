import Foundation
import KuraDiagnostics
import KuraGraph
import KuraValues

/// Writes a store's document: whole, under another name first, then in the place of the old one.
package struct StoreWriter {
  /// The path as the user gave it.
  let path: String

  package init(path: String) { self.path = path }

  /// Writes the store; the old document is there until the new one is whole and on the disk.
  ///
  /// With `replacing` false a file that is there already is an error.
  package func write(_ store: StoreContents, replacing: Bool) throws(StoreProblems) {
    do throws(WriteFailure) {
      let target = resolved
      guard replacing || kind(of: target) == nil else { throw .exists }
      // A device or pipe is written to; a folder cannot be; a file is put in the place of the old.
      switch kind(of: target) {
      case S_IFREG, nil: try writeAndRename(store, target)
      case S_IFDIR: throw .isDirectory
      default: try writeInPlace(store, target)
      }
    } catch {
      throw StoreProblems([Diagnostic(error.facts(path))])
    }
  }

  /// The file behind symbolic links: it is replaced, the links stay.
  private var resolved: String { StorePlace.resolved(path) }

  private func kind(of target: String) -> mode_t? {
    var status = stat()
    return stat(target, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// Why a document could not be written.
enum WriteFailure: Error {
  case system(Int32)
  case exists
  case isDirectory

  func facts(_ path: String) -> StoreFacts {
    switch self {
    case .system(let number): .cannotWrite(path: path, errorNumber: number)
    case .exists: .exists(path: path)
    case .isDirectory: .isDirectory(path: path)
    }
  }
}

extension StoreWriter {
  /// `STORE.new` is written and synced, takes the store's name, and its folder is synced.
  ///
  /// Until the rename the old document stands; on an error the new one is taken away.
  func writeAndRename(_ store: StoreContents, _ target: String) throws(WriteFailure) {
    let temporary = target + ".new"
    // Never a file that was there: until its folder is synced it may be the document still.
    unlink(temporary)
    let old = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if old >= 0 { close(old) } }
    let mode: mode_t = old < 0 ? 0o666 : 0o600
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .system(errno) }
    do throws(WriteFailure) {
      if old >= 0, !SystemCalls.copyAttributes(old, descriptor).keepsOwner { throw .system(EPERM) }
      try writeDocument(store, descriptor)
      guard fsync(descriptor) == 0 else { throw .system(errno) }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    close(descriptor)
    guard rename(temporary, target) == 0 else {
      let number = errno
      unlink(temporary)
      throw .system(number)
    }
    syncFolder(of: target)
  }

  /// Writes to what is no file, as `/dev/stdout`: it stays what it is.
  func writeInPlace(_ store: StoreContents, _ target: String) throws(WriteFailure) {
    // A pipe that nobody reads is an error, and nothing to wait for.
    let descriptor = open(target, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    try writeDocument(store, descriptor)
  }

  /// The rename itself is on the disk once the folder is.
  private func syncFolder(of target: String) {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  private func writeDocument(_ store: StoreContents, _ descriptor: Int32) throws(WriteFailure) {
    var output = FileOutput(descriptor: descriptor)
    try DocumentWriter(store).write(to: &output)
    try output.flush()
  }
}

/// Bytes on their way to a file, a megabyte at a time.
struct FileOutput {
  private let put: (UnsafeRawBufferPointer) throws(FileError) -> Void
  var bytes: [UInt8] = []
  private static let step = 1 << 20

  /// Hands the bytes on in pieces.
  init(_ put: @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) {
    self.put = put
    bytes.reserveCapacity(FileOutput.step + 4096)
  }

  init(descriptor: Int32) {
    self.init { (bytes) throws(FileError) in try writeAll(bytes, to: descriptor) }
  }

  /// Hands on what has come together, if it is enough.
  mutating func flushIfFull() throws(WriteFailure) {
    if bytes.count >= FileOutput.step { try flush() }
  }

  mutating func flush() throws(WriteFailure) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try put(buffer) }
    }
    do { try result.get() } catch { throw .system(error.number) }
    bytes.removeAll(keepingCapacity: true)
  }
}

/// To the end of what is no file there is nowhere else to write.
private func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
) throws(FileError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = Foundation.write(
      descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count < 0, errno != EINTR { throw FileError(.write, errno) }
    rest = rest.dropFirst(max(0, count))
  }
}
