import Foundation
import KuraBytes
import Synchronization

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
