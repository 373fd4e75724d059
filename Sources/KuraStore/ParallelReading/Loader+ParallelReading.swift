import KuraBytes

extension Loader {
  /// Returns whether other threads are to help with the rows that follow.
  func isParallelReadingDue(_ builder: EntityBuilder) -> Bool {
    guard let size = window.fileSize, parallelReading.isDue(at: window.offset(of: scanner.p)),
      scanner.p.pointee == 0x7B, builder.canBeShared,
      builder.rowCount >= parallelReading.settings.leastRows
    else { return false }
    return size - window.offset(of: scanner.p) > parallelReading.settings.step * 2
  }

  /// Reads rows on all workers as long as the result is the same as with one; returns false if no
  /// row follows the last one directly.
  mutating func shareRows(into builder: inout EntityBuilder) throws(LoadFailure) -> Bool {
    let start = window.offset(of: scanner.p)
    let shared = SharedRows(builder, window, from: start, step: step(for: builder, start))
    shared.run()
    builder = shared.builder
    parallelReading.ended(at: shared.arrival.offset, parts: shared.merged)
    try move(to: shared.arrival.offset)
    return !shared.arrival.isAfterRows
  }

  /// Returns a number of bytes that have at most about half as many rows as a chunk.
  private func step(for builder: EntityBuilder, _ offset: Int) -> Int {
    let rowLength = max(1, offset / max(1, builder.rowCount))
    return max(1, min(parallelReading.settings.step, rowLength * ColumnBuilder.capacity / 2))
  }
}

/// When workers share the rows of an array in a file, and in parts of what size.
package struct ParallelReading: Sendable {
  /// The number of bytes of a part; fewer if rows are short.
  let step: Int
  /// The number of rows that one thread reads first, to determine the shapes of the columns.
  let leastRows: Int
  let isAllowed: Bool
  /// Called with the number of merged parts, whenever one thread continues alone.
  package var ended: (@Sendable (Int) -> Void)?

  /// Parts that fit into a core's cache with their columns, after as many rows as show whether texts repeat.
  package static let standard = ParallelReading(step: 1 << 18, leastRows: ColumnBuilder.sampleRows)

  /// One thread reads everything.
  package static let none = ParallelReading(step: 0, leastRows: 0, isAllowed: false)

  package init(step: Int, leastRows: Int) {
    self.init(step: step, leastRows: leastRows, isAllowed: true)
  }

  private init(step: Int, leastRows: Int, isAllowed: Bool) {
    self.step = step
    self.leastRows = leastRows
    self.isAllowed = isAllowed
  }
}

/// Decides when a loader shares its rows, depending on how earlier attempts went.
///
/// A part that could not be read as one thread would read it is read again; if that happens often,
/// one thread reads longer and longer stretches alone.
struct ParallelReadingPace {
  let settings: ParallelReading
  /// The number of bytes that one thread reads before the next attempt.
  private var pause = 0
  /// The offset before which rows are not shared.
  private var notBefore = 0

  init(_ settings: ParallelReading) { self.settings = settings }

  func isDue(at offset: Int) -> Bool { settings.isAllowed && offset >= notBefore }

  /// Records that the rows up to an offset have been shared, and in how many parts.
  mutating func ended(at offset: Int, parts: Int) {
    settings.ended?(parts)
    pause = parts > 4 ? 0 : min(max(pause * 2, settings.step), settings.step * 256)
    notBefore = offset + pause
  }
}

/// The place up to which rows were read ahead.
struct ReadAhead {
  var offset: Int
  /// Whether another token than a row follows.
  var isAfterRows = false
}
