import Foundation
import KuraBytes

/// The bytes of a file or pipe, a window at a time.
///
/// `padding` zeros follow the bytes, so that a scanner may look ahead in words without checking for the end: valid JSON
/// has no zero byte. Files are read, never mapped: a mapped file that an editor shortens kills the process.
final class InputWindow {
  /// The number of zeros after the bytes.
  static let padding = 64

  let descriptor: Int32
  private let closesAtEnd: Bool
  /// The size of a regular file, which is read by offset; nil for anything else.
  let fileSize: Int?
  private var capacity: Int
  /// The first byte of the window.
  private(set) var start: UnsafeMutablePointer<UInt8>
  /// The place after the last byte of the window.
  private(set) var end: UnsafeMutablePointer<UInt8>
  /// The offset of `start` in the input.
  private(set) var baseOffset = 0
  private(set) var isAtEnd = false
  /// The number of line feeds before `start`, and the offset of the line that contains `start`;
  /// only for a pipe and for repaired bytes, which cannot be read again to count them.
  private(set) var lineFeedsBefore = 0
  private(set) var lineOffset = 0

  /// The repaired bytes of the input, which are read instead; nil for a strict reading.
  let repaired: RepairedInput?
  /// The number of bytes of one read.
  let step: Int
  /// Cancels the reading, with `ECANCELED`.
  var cancel = CancelFlag()
  /// Called with the number of bytes of the input that have been read.
  var progress: (@Sendable (Int) -> Void)?

  init(
    descriptor: Int32, closesAtEnd: Bool = false, step: Int = 1 << 20, fileSize: Int? = nil,
    repaired: RepairedInput? = nil
  ) {
    self.descriptor = descriptor
    self.closesAtEnd = closesAtEnd
    self.fileSize = fileSize
    self.repaired = repaired
    self.step = step
    capacity = step
    start = .allocate(capacity: step + 1 + InputWindow.padding)
    end = start
    pad()
  }

  /// Creates a window that has all of these bytes.
  convenience init(_ bytes: [UInt8]) {
    self.init(descriptor: -1, step: bytes.count + 1)
    _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).update(fromContentsOf: bytes)
    end = start + bytes.count
    endInput()
    pad()
  }

  deinit {
    start.deallocate()
    if closesAtEnd { close(descriptor) }
  }

  private func pad() {
    UnsafeMutableRawPointer(end).initializeMemory(
      as: UInt8.self, repeating: 0, count: InputWindow.padding)
  }
}

extension InputWindow {
  func offset(of place: UnsafePointer<UInt8>) -> Int { baseOffset + (place - UnsafePointer(start)) }

  /// Moves the bytes from `place` on to the start, and reads more bytes after them.
  ///
  /// Returns the new place of the same byte. `isAtEnd` says whether the input ended.
  func refill(keeping place: UnsafePointer<UInt8>) throws(FileError) -> UnsafePointer<UInt8> {
    let remaining = UnsafePointer(end) - place
    if cancel.isRequested { throw FileError(.read, ECANCELED) }
    discard(place - UnsafePointer(start))
    // Doubles what was kept: a value larger than the window is then scanned only a few times.
    let more = max(step, remaining)
    if remaining + more > capacity { grow(toHold: remaining + more) }
    end = start + remaining
    try read(upTo: more)
    pad()
    progress?(baseOffset + remaining)
    return UnsafePointer(start)
  }

  private func discard(_ count: Int) {
    guard count > 0 else { return }
    if fileSize == nil, !closesAtEnd || repaired != nil { countLineFeeds(in: count) }
    let remaining = end - start - count
    UnsafeMutableRawPointer(start).copyMemory(from: start + count, byteCount: remaining)
    baseOffset += count
    end = start + remaining
  }

  private func countLineFeeds(in count: Int) {
    for i in 0..<count where start[i] == 0x0A {
      lineFeedsBefore += 1
      lineOffset = baseOffset + i + 1
    }
  }

  private func grow(toHold count: Int) {
    capacity = max(count, capacity * 2)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + 1 + InputWindow.padding)
    let remaining = end - start
    larger.update(from: start, count: remaining)
    start.deallocate()
    start = larger
    end = larger + remaining
  }

  /// Adds a line feed after the last byte, so that a number there has an end.
  private func endInput() {
    guard !isAtEnd else { return }
    isAtEnd = true
    end.pointee = 0x0A
    end += 1
  }

  /// Reads until there are `count` more bytes or the input ends.
  private func read(upTo count: Int) throws(FileError) {
    var missing = isAtEnd ? 0 : count
    while missing > 0 {
      let got = systemRead(missing)
      if got < 0 {
        if errno == EINTR { continue }
        throw FileError(.read, errno)
      }
      if got == 0 {
        endInput()
        return
      }
      end += got
      missing -= got
    }
  }

  /// Reads after the last byte; a regular file by offset, because other threads read it too.
  private func systemRead(_ count: Int) -> Int {
    if let repaired { return repaired.read(into: end, count, cancel) }
    guard fileSize != nil else { return Foundation.read(descriptor, end, count) }
    return pread(descriptor, end, count, off_t(baseOffset + (end - start)))
  }

  /// Empties the window of a regular file and moves its start to an offset, where `refill` reads.
  func move(to offset: Int) {
    baseOffset = offset
    end = start
    isAtEnd = false
    pad()
  }
}
