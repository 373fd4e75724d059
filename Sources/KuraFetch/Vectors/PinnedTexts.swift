import KuraGraph

/// The texts of all chunks of a table by their rows, for loops in which to take a chunk out would count all
/// that it refers to: two cores that do so fight over the counts.
final class PinnedTexts: Sendable {
  /// Arrays that are kept here, and that nobody changes: their elements stay where they are.
  private let texts: [TextViews]
  private let bitmaps: [Bitmap?]
  private let isOneChunk: Bool
  /// Those of each chunk.
  nonisolated(unsafe) let accesses: UnsafeBufferPointer<TextAccess>
  /// The rows of each chunk without a text, a bit each; nil where all have one.
  nonisolated(unsafe) let nulls: UnsafeBufferPointer<UnsafePointer<UInt64>?>

  init(_ texts: [TextViews], nulls bitmaps: [Bitmap?] = []) {
    (self.texts, self.bitmaps) = (texts, bitmaps)
    isOneChunk = texts.count == 1
    accesses = .keeping(texts.map { $0.withAccess { $0 } })
    nulls = .keeping(bitmaps.map { $0?.words.withUnsafeBufferPointer(\.baseAddress) })
  }

  /// Nil where the values of a column are no texts of their own.
  convenience init?(_ column: Column) {
    var texts: [TextViews] = []
    for chunk in column.chunks {
      guard let text = chunk.packedTexts else { return nil }
      texts.append(TextViews(text))
    }
    self.init(texts, nulls: column.chunks.map(\.nulls))
  }

  deinit {
    accesses.deallocate()
    nulls.deallocate()
  }

  /// The text of a row; of a single chunk any number of rows.
  @inline(__always)
  subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
    isOneChunk
      ? accesses[0][row] : accesses[row >> ColumnChunk.shift][row & ColumnChunk.mask]
  }
}

extension UnsafeBufferPointer {
  /// A copy of some elements, which somebody has to deallocate.
  fileprivate static func keeping(_ elements: [Element]) -> Self {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return Self(buffer)
  }
}
