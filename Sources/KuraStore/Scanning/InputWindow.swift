import Foundation
import KuraBytes

/// Bytes of a file or pipe, a window at a time.
///
/// Behind the bytes stand `padding` zeros, so that a scanner may look ahead in words without
/// asking where the end is: no zero is part of valid JSON. Files are read, never mapped: a mapped
/// file that an editor shortens kills the process.
final class InputWindow {
  /// How many zeros stand behind the bytes.
  static let padding = 64

  let descriptor: Int32
  private let closesAtEnd: Bool
  /// The size of a regular file, whose bytes are read by their offset; nil for anything else.
  let fileSize: Int?
  private var capacity: Int
  /// The first byte of the window.
  private(set) var start: UnsafeMutablePointer<UInt8>
  /// Behind the last byte of the window.
  private(set) var end: UnsafeMutablePointer<UInt8>
  /// The offset of `start` in the input.
  private(set) var baseOffset = 0
  private(set) var isAtEnd = false
  /// How many line feeds stand before `start`, and where the line begins in which it stands; only
  /// of a pipe, which cannot be read again to count them.
  private(set) var lineFeedsBefore = 0
  private(set) var lineOffset = 0

  /// How many bytes are read at once.
  let step: Int
  /// Who asks for it ends the reading, with `ECANCELED`.
  var cancel = CancelFlag()
  /// Is told how many bytes of the input have been read.
  var progress: (@Sendable (Int) -> Void)?

  init(
    descriptor: Int32, closesAtEnd: Bool = false, step: Int = 1 << 20, fileSize: Int? = nil
  ) {
    self.descriptor = descriptor
    self.closesAtEnd = closesAtEnd
    self.fileSize = fileSize
    self.step = step
    capacity = step
    start = .allocate(capacity: step + 1 + InputWindow.padding)
    end = start
    pad()
  }

  /// Bytes that are there already, all of them in the window.
  init(_ bytes: [UInt8]) {
    descriptor = -1
    closesAtEnd = false
    fileSize = nil
    step = bytes.count + 1
    capacity = step
    start = .allocate(capacity: step + 1 + InputWindow.padding)
    for (offset, byte) in bytes.enumerated() { (start + offset).initialize(to: byte) }
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
  /// The offset of a place in the input.
  func offset(of place: UnsafePointer<UInt8>) -> Int { baseOffset + (place - UnsafePointer(start)) }

  /// Keeps the bytes from `place` on, moves them to the start and reads on behind them.
  ///
  /// Returns the new place of the same byte. `isAtEnd` says whether nothing more came.
  func refill(keeping place: UnsafePointer<UInt8>) throws(InputError) -> UnsafePointer<UInt8> {
    let kept = UnsafePointer(end) - place
    if cancel.isRequested { throw InputError(errorNumber: ECANCELED) }
    discard(place - UnsafePointer(start))
    // As much again as was kept: a value larger than the window is scanned a few times, not many.
    let more = max(step, kept)
    if kept + more > capacity { grow(toHold: kept + more) }
    end = start + kept
    try read(upTo: more)
    pad()
    progress?(baseOffset + kept)
    return UnsafePointer(start)
  }

  private func discard(_ count: Int) {
    guard count > 0 else { return }
    if fileSize == nil, !closesAtEnd { countLineFeeds(in: count) }
    let kept = end - start - count
    UnsafeMutableRawPointer(start).copyMemory(from: start + count, byteCount: kept)
    baseOffset += count
    end = start + kept
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
    let kept = end - start
    larger.update(from: start, count: kept)
    start.deallocate()
    start = larger
    end = larger + kept
  }

  /// Puts a line feed behind the last byte, so that a number there has an end.
  private func endInput() {
    guard !isAtEnd else { return }
    isAtEnd = true
    end.pointee = 0x0A
    end += 1
  }

  /// Reads until `count` bytes came or the input ends.
  private func read(upTo count: Int) throws(InputError) {
    var missing = isAtEnd ? 0 : count
    while missing > 0 {
      let got = systemRead(missing)
      if got < 0 {
        if errno == EINTR { continue }
        throw InputError(errorNumber: errno)
      }
      if got == 0 {
        endInput()
        return
      }
      end += got
      missing -= got
    }
  }
}

/// What the system said when it could not read or write.
package struct InputError: Error, Sendable {
  package var errorNumber: Int32

  package init(errorNumber: Int32) { self.errorNumber = errorNumber }
}

extension InputWindow {
  /// Reads behind the last byte: a regular file by the offset, for others read it too.
  private func systemRead(_ count: Int) -> Int {
    guard fileSize != nil else { return Foundation.read(descriptor, end, count) }
    return pread(descriptor, end, count, off_t(baseOffset + (end - start)))
  }

  /// Empties the window of a regular file and puts its start at an offset; `refill` reads there.
  func move(to offset: Int) {
    baseOffset = offset
    end = start
    isAtEnd = false
    pad()
  }
}
