import Foundation
import KuraDiagnostics
import KuraGraph
import KuraValues

/// Writes a store's document completely under another name, and then replaces the old one.
package struct StoreWriter {
  /// The path as the user gave it.
  let path: String

  package init(path: String) { self.path = path }

  /// Writes the store; the old document remains until the new one is complete and on the disk.
  ///
  /// With `replacing` false, an existing file is an error.
  package func write(_ store: StoreContents, replacing: Bool) throws(StoreProblems) {
    do throws(WriteFailure) {
      let target = resolvingSymlinks
      guard replacing || kind(of: target) == nil else { throw .exists }
      // A device or pipe is written to, a folder is an error, and a file is replaced.
      switch kind(of: target) {
      case S_IFREG, nil: try writeAndRename(store, target)
      case S_IFDIR: throw .isDirectory
      default: try writeInPlace(store, target)
      }
    } catch {
      throw StoreProblems([Diagnostic(error.facts(path))])
    }
  }

  /// The file with symbolic links resolved: the file is replaced, the links remain.
  private var resolvingSymlinks: String { StorePlace.resolvingSymlinks(path) }

  private func kind(of target: String) -> mode_t? {
    var status = stat()
    return stat(target, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// A reason why a document could not be written.
enum WriteFailure: Error {
  case system(Int32)
  case exists
  case isDirectory

  func facts(_ path: String) -> StoreProblem {
    switch self {
    case .system(let number): .cannotWrite(path: path, errorNumber: number)
    case .exists: .exists(path: path)
    case .isDirectory: .isDirectory(path: path)
    }
  }
}

extension StoreWriter {
  /// Writes and syncs `STORE.new`, renames it to the store's name, and syncs the folder.
  ///
  /// The old document remains until the rename; after an error the new file is removed.
  func writeAndRename(_ store: StoreContents, _ target: String) throws(WriteFailure) {
    let temporary = target + ".new"
    // Never reuses a file: until its folder is synced that may still be the document.
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

  /// Writes to something other than a file, such as `/dev/stdout`, without replacing it.
  func writeInPlace(_ store: StoreContents, _ target: String) throws(WriteFailure) {
    // A pipe without a reader is an error, instead of a wait.
    let descriptor = open(target, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    try writeDocument(store, descriptor)
  }

  /// Syncs the folder, which puts the rename on the disk.
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

/// Buffers bytes for a file, a megabyte at a time.
struct FileOutput {
  private let put: (UnsafeRawBufferPointer) throws(FileError) -> Void
  var bytes: [UInt8] = []
  private static let step = 1 << 20

  /// Creates a buffer that passes its bytes to `put` in pieces.
  init(_ put: @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) {
    self.put = put
    bytes.reserveCapacity(FileOutput.step + 4096)
  }

  init(descriptor: Int32) {
    self.init { (bytes) throws(FileError) in try writeAll(bytes, to: descriptor) }
  }

  /// Passes on the buffered bytes if there are enough.
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

/// Writes all bytes to the end of something other than a regular file, which has no offsets.
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
