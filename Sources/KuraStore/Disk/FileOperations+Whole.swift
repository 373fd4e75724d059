import Foundation

extension FileOperations {
  /// All bytes of a file, as it is while it is read.
  func readAll(_ file: Int32) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readAll(file) { bytes += $0 }
    return bytes
  }

  /// Hands on all bytes of a file, a piece at a time.
  func readAll(
    _ file: Int32, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(FileError) {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    var place: Int64 = 0
    while true {
      let count = try read(file, piece, place)
      guard count > 0 else { return }
      take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      place += Int64(count)
    }
  }

  /// At most `count` bytes of a file from a place on.
  func read(_ file: Int32, at place: Int64, upTo count: Int) throws(FileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    return Array(buffer[..<(try read(file, buffer, place))])
  }

  /// Writes all bytes at a place.
  func writeAll(_ file: Int32, _ bytes: [UInt8], at place: Int64) throws(FileError) {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try writeAll(file, buffer, at: place) }
    }.get()
  }

  /// Writes all bytes at a place.
  func writeAll(
    _ file: Int32, _ bytes: UnsafeRawBufferPointer, at place: Int64
  ) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = try write(file, rest, place + Int64(written))
      guard count > 0 else { throw FileError(.write, ENOSPC) }
      written += count
    }
  }

  /// What names the content of a file.
  func documentName(_ file: Int32) throws(FileError) -> DocumentName {
    var hash = ContentHash()
    try readAll(file) { hash.add($0) }
    return DocumentName(hash)
  }
}

/// H(D): what names a document's content.
package struct DocumentName: Sendable, Hashable {
  package var hash: HashValue
  package var size: Int64

  package init(hash: HashValue, size: Int64) {
    self.hash = hash
    self.size = size
  }

  init(_ hash: ContentHash) {
    self.init(hash: hash.value, size: Int64(truncatingIfNeeded: hash.count))
  }
}
