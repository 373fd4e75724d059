/// Bytes on their way out, handed on in pieces, so that a result of any length takes little memory.
///
/// The function that takes them throws to stop the writer: a closed pipe, a full disk.
package struct OutputBuffer {
  /// What was written and not yet handed on.
  package var bytes: [UInt8] = []
  /// Whether some of it is out of reach.
  package private(set) var hasHandedOn = false
  /// Whether somebody has taken nothing more.
  package private(set) var hasFailed = false
  private let write: ((UnsafeRawBufferPointer) throws -> Void)?
  private let limit: Int

  /// A buffer that hands on its bytes about every 64 KB, or more often.
  package init(limit: Int = 65_536, write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.write = write
    self.limit = limit
    // A few rows: a short answer, of which there may be many, does not grow its room step by step.
    // With its header that is less than the 1,032 bytes which glibc hands out again without a search.
    bytes.reserveCapacity(960)
  }

  /// A buffer that keeps everything.
  package init() { (write, limit) = (nil, 65_536) }
}

extension OutputBuffer {
  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Ends a row: a good place to hand on what has come together.
  package mutating func endLine() throws {
    bytes.append(UInt8(ascii: "\n"))
    try flushIfLong()
  }

  /// Hands on what has come together, if that is much.
  package mutating func flushIfLong() throws {
    if bytes.count >= limit { try flush() }
  }

  /// Takes rows that were made elsewhere, behind what has come together.
  mutating func append(rows: [UInt8]) throws {
    if bytes.count + rows.count > limit { try flush() }
    bytes.append(contentsOf: rows)
    try flushIfLong()
  }

  /// Hands on what is left.
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
