/// Output that is passed on in pieces, so that a result of any length needs little memory.
///
/// The function that receives the bytes throws to stop the writer, for example at a closed pipe or
/// a full disk.
package struct OutputBuffer {
  /// The bytes that were written and not yet passed on.
  package var bytes: [UInt8] = []
  /// Whether some of them have been passed on.
  package private(set) var hasHandedOn = false
  /// Whether passing them on has failed.
  package private(set) var hasFailed = false
  private let write: ((UnsafeRawBufferPointer) throws -> Void)?
  private let limit: Int

  /// Creates a buffer that passes on its bytes at least every 64 KB.
  package init(limit: Int = 65_536, write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.write = write
    self.limit = limit
    // Enough for a few rows, so that a short result does not grow step by step. With its header it
    // is less than 1,032 bytes, which glibc reuses without a search.
    bytes.reserveCapacity(960)
  }

  /// Creates a buffer that keeps everything.
  package init() { (write, limit) = (nil, 65_536) }
}

extension OutputBuffer {
  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Ends a row, at which the bytes may be passed on.
  package mutating func endLine() throws {
    bytes.append(UInt8(ascii: "\n"))
    try flushIfLong()
  }

  /// Passes on the bytes if there are enough.
  package mutating func flushIfLong() throws {
    if bytes.count >= limit { try flush() }
  }

  /// Appends rows that were created elsewhere.
  mutating func append(rows: [UInt8]) throws {
    if bytes.count + rows.count > limit { try flush() }
    bytes.append(contentsOf: rows)
    try flushIfLong()
  }

  /// Passes on the remaining bytes.
  package mutating func flush() throws {
    guard let write, !bytes.isEmpty else { return }
    hasHandedOn = true
    do { try bytes.withUnsafeBytes(write) } catch {
      hasFailed = true
      throw error
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
