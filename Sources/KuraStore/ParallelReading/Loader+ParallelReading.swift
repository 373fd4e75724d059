import Foundation
import KuraBytes
import Synchronization

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

  package init(step: Int, leastRows: Int, isAllowed: Bool = true) {
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

/// A part of a file that is read ahead, from a guessed border between rows.
final class RowSegment {
  private(set) var builder: EntityBuilder
  private let window: InputWindow
  /// The guessed offset of its first row; nil if no border was found.
  private(set) var beginning: Int?
  /// The end of the rows that were read; nil after an error.
  private(set) var end: ReadAhead?
  /// The offset of the next part.
  private(set) var limit = 0

  /// The number of bytes after the limit that are read with the part: usually the rest of its last row.
  private static let rest = 1 << 13
  /// The number of bytes before the part that are searched for the border.
  private static let before = 64

  init(like builder: EntityBuilder, _ window: InputWindow, step: Int) {
    self.builder = builder.sibling()
    self.window = InputWindow(
      descriptor: window.descriptor, step: step + RowSegment.rest, fileSize: window.fileSize)
    self.window.cancel = window.cancel
  }

  func free() { builder.free() }
}

extension RowSegment {
  /// Reads the rows that begin in a part; `isExact` says that a row begins at its start.
  func read(_ part: Range<Int>, isExact: Bool, dates: DateReading) {
    builder.clear()
    builder.dates = dates
    beginning = nil
    end = nil
    limit = part.upperBound
    do throws(LoadFailure) {
      end = try rows(part, isExact)
    } catch {
      // One thread reads the part again, and reports the problem.
    }
    builder.catchUp()
  }

  private func rows(_ part: Range<Int>, _ isExact: Bool) throws(LoadFailure) -> ReadAhead? {
    let start = isExact ? part.lowerBound : max(0, part.lowerBound - RowSegment.before)
    var loader = try Loader(window, at: start)
    guard isExact || loader.goToBorder(part, builder) else { return nil }
    beginning = window.offset(of: loader.scanner.p)
    return try loader.rowsAhead(into: &builder, upTo: limit)
  }
}

extension Loader {
  /// Moves to the probable start of the first row in a part; returns false if none is found.
  fileprivate mutating func goToBorder(_ part: Range<Int>, _ builder: EntityBuilder) -> Bool {
    scanner.p += part.lowerBound - window.baseOffset
    let last = min(scanner.end, scanner.p + part.count)
    while scanner.p < last {
      if scanner.p.pointee == 0x7B, isAfterRow, beginsRow(builder) { return true }
      scanner.p += 1
    }
    return false
  }

  /// Whether a closing brace and a comma precede the scanner's place.
  private var isAfterRow: Bool {
    var p = lastBeforeBlanks(scanner.p)
    guard p > UnsafePointer(window.start), p.pointee == 0x2C else { return false }
    p = lastBeforeBlanks(p)
    return p >= UnsafePointer(window.start) && p.pointee == 0x7D
  }

  private func lastBeforeBlanks(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = place - 1
    while p > UnsafePointer(window.start), p.pointee <= 0x20 { p -= 1 }
    return p
  }

  /// Returns whether the object that begins here starts with the first key of a row, which nested objects lack.
  private func beginsRow(_ builder: EntityBuilder) -> Bool {
    var ahead = scanner
    ahead.p += 1
    ahead.skipBlanks()
    return ahead.p.pointee == 0x22 && builder.keys[0].matches(ahead.p + 1)
  }
}

/// The rows of a file from an offset on, which all workers read in parts, taking turns.
///
/// A part begins at a guessed border between rows. It is appended to the parts before it only if
/// those ended exactly there and the part is what one thread would have read: the same columns of
/// the same shapes, without problems. At the first part that differs, the workers stop, and one
/// thread continues at the end of the last merged part.
///
/// The lock guards everything except the builder, which belongs to the merging thread, and the
/// segments, which belong to the threads that read them.
final class SharedRows: @unchecked Sendable {
  private(set) var builder: EntityBuilder
  /// The end of the merged parts.
  private(set) var arrival: ReadAhead
  /// The number of merged parts.
  private(set) var merged = 0

  private let lock = NSCondition()
  private let segments: [RowSegment]
  /// A reader of dates for each thread.
  private let dates: [DateReading]
  private var isRead: [Bool]
  private let progress: (@Sendable (Int) -> Void)?
  private let start: Int
  private let step: Int
  /// The part that is read next.
  private var next = 0
  private var isMerging = false
  private var isStopped = false

  /// The number of parts that can be read before the first of them is merged.
  private static let ahead = max(4, Workers.count * 2)

  init(_ builder: EntityBuilder, _ window: InputWindow, from start: Int, step: Int) {
    self.builder = builder
    dates = (1..<Workers.count).reduce(into: [builder.dates]) { dates, place in
      dates.append(dates[place - 1].sibling)
    }
    progress = window.progress
    self.start = start
    self.step = step
    arrival = ReadAhead(offset: start)
    segments = (0..<SharedRows.ahead).map { _ in
      RowSegment(like: builder, window, step: step)
    }
    isRead = segments.map { _ in false }
  }

  deinit { for segment in segments { segment.free() } }
}

extension SharedRows {
  /// Reads until a single thread must continue.
  func run() {
    let threads = Atomic<Int>(0)
    Workers.onAll { read(dates[threads.add(1, ordering: .relaxed).oldValue]) }
  }

  private func read(_ dates: DateReading) {
    while let part = take() {
      let first = start + part * step
      segments[part % SharedRows.ahead].read(
        first..<first + step, isExact: part == 0, dates: dates)
      finish(part)
    }
  }

  /// Returns the number of the next unread part, after waiting for a free segment.
  private func take() -> Int? {
    lock.lock()
    defer { lock.unlock() }
    while !isStopped, next >= merged + SharedRows.ahead { lock.wait() }
    if isStopped { return nil }
    next += 1
    return next - 1
  }

  /// Marks a part as read, and merges what can be merged, unless another thread does.
  private func finish(_ part: Int) {
    lock.lock()
    defer { lock.unlock() }
    isRead[part % SharedRows.ahead] = true
    if isMerging { return }
    isMerging = true
    while !isStopped, isRead[merged % SharedRows.ahead] { mergeNext() }
    isMerging = false
  }

  /// Merges the next part without the lock, which is held before and after.
  private func mergeNext() {
    let place = merged % SharedRows.ahead
    lock.unlock()
    let isMerged = merge(segments[place])
    lock.lock()
    isRead[place] = false
    if isMerged { merged += 1 }
    isStopped = !isMerged || arrival.isAfterRows
    lock.broadcast()
  }

  private func merge(_ segment: RowSegment) -> Bool {
    // A row that began before the part ends after it.
    if arrival.offset >= segment.limit { return true }
    guard segment.beginning == arrival.offset, let end = segment.end else { return false }
    guard builder.take(segment.builder) else { return false }
    arrival = end
    progress?(end.offset)
    return true
  }
}
