import Foundation
import KuraDiagnostics

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

  /// Passes on the buffered bytes if there are enough.
  mutating func flushIfFull() throws(FileError) {
    if bytes.count >= FileOutput.step { try flush() }
  }

  mutating func flush() throws(FileError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try put(buffer) }
    }
    try result.get()
    bytes.removeAll(keepingCapacity: true)
  }
}

extension StoreContents {
  /// The document of the store.
  package var documentBytes: [UInt8] {
    get throws(FileError) {
      var bytes: [UInt8] = []
      try writeDocument { (piece) throws(FileError) in bytes += piece }
      return bytes
    }
  }

  /// Passes the document to `put`, a piece at a time.
  func writeDocument(
    _ put: @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) {
    var output = FileOutput(put)
    try DocumentWriter(self).write(to: &output)
    try output.flush()
  }

  /// Writes the document to something other than a regular file, such as `/dev/stdout`.
  func writeInPlace(_ path: String) throws(StoreProblems) {
    do throws(FileError) {
      // A pipe without a reader is an error, instead of a wait.
      let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard descriptor >= 0 else { throw FileError(.open, errno) }
      defer { close(descriptor) }
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
      try writeDocument { (bytes) throws(FileError) in try append(bytes, to: descriptor) }
    } catch {
      let problem: StoreProblem =
        error.number == EISDIR
        ? .isDirectory(path: path) : .cannotWrite(path: path, errorNumber: error.number)
      throw StoreProblems([Diagnostic(problem)])
    }
  }
}

/// Writes bytes to something other than a regular file, which has no offsets.
private func append(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
) throws(FileError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(
      descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count < 0, errno != EINTR { throw FileError(.write, errno) }
    rest = rest.dropFirst(max(0, count))
  }
}
