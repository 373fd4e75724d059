import KuraGraph

/// The texts of all chunks of a table by their rows, for loops in which to take a chunk out would count all
/// that it refers to: two cores that do so fight over the counts.
final class PinnedTexts: Sendable {
  /// Arrays that are kept here, and that nobody changes: their elements stay where they are.
  private let texts: [TextViews]
  private nonisolated(unsafe) let accesses: UnsafeMutableBufferPointer<TextAccess>
  private let isOneChunk: Bool

  init(_ texts: [TextViews]) {
    self.texts = texts
    accesses = .allocate(capacity: texts.count)
    _ = accesses.initialize(from: texts.map { $0.withAccess { $0 } })
    isOneChunk = texts.count == 1
  }

  deinit { accesses.deallocate() }

  /// The text of a row; of a single chunk any number of rows.
  @inline(__always)
  subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
    isOneChunk
      ? accesses[0][row] : accesses[row >> ColumnChunk.shift][row & ColumnChunk.mask]
  }
}
