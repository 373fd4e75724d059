import Foundation

/// Bytes that grow at their end, outside Swift's arrays: a store without a check.
///
/// From `largest` bytes on they are pages of the system's, which go back to it one by one while they
/// are copied: of long texts there is one copy in memory, not two.
struct ByteArena {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int
  private var isMapped = false

  /// A chunk of usual texts has some two megabytes.
  private static let largest = 1 << 22
  private static let first = 1 << 12

  init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  func free() {
    if isMapped { munmap(start, capacity) } else { start.deallocate() }
  }

  @inline(__always)
  mutating func append(_ from: UnsafePointer<UInt8>, _ length: Int) {
    if count + length > capacity { grow(to: count + length) }
    (start + count).update(from: from, count: length)
    count += length
  }

  /// Appends bytes behind which `InputWindow.padding` more may be read.
  ///
  /// Up to 32 are copied all alike: their lengths follow no pattern, and a copy that depends on them would
  /// be guessed wrongly again and again.
  @inline(__always)
  mutating func appendPadded(_ from: UnsafePointer<UInt8>, _ length: Int) {
    guard length <= 32, count + 32 <= capacity else { return append(from, length) }
    let (source, target) = (UnsafeRawPointer(from), UnsafeMutableRawPointer(start + count))
    let bytes = source.loadUnaligned(as: SIMD32<UInt8>.self)
    target.storeBytes(of: bytes, as: SIMD32<UInt8>.self)
    count += length
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    let wanted = max(needed, capacity * 2)
    let pages = wanted < Self.largest ? nil : Self.pages(wanted)
    let larger = pages ?? .allocate(capacity: wanted)
    move(to: larger)
    (start, capacity, isMapped) = (larger, wanted, pages != nil)
  }

  /// Writes zeros behind the last byte, which do not count.
  mutating func pad(_ zeros: Int) {
    if count + zeros > capacity { grow(to: count + zeros) }
    (start + count).update(repeating: 0, count: zeros)
  }

  mutating func truncate(to length: Int) { count = length }

  /// The bytes as an array. A large arena is empty behind it.
  mutating func takeArray() -> [UInt8] {
    guard isMapped else { return Array(UnsafeBufferPointer(start: start, count: count)) }
    let array = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      if let target = bytes.baseAddress { move(to: target) }
      filled = count
    }
    self = ByteArena(capacity: Self.first)
    return array
  }
}

extension ByteArena {
  private static func pages(_ size: Int) -> UnsafeMutablePointer<UInt8>? {
    let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    return pages == MAP_FAILED ? nil : pages?.assumingMemoryBound(to: UInt8.self)
  }

  /// Copies all bytes and frees those here; of pages each piece as soon as it was copied.
  private func move(to target: UnsafeMutablePointer<UInt8>) {
    let piece = isMapped ? 1 << 22 : max(count, 1)
    for from in stride(from: 0, to: count, by: piece) {
      let length = min(piece, count - from)
      (target + from).update(from: start + from, count: length)
      if isMapped { madvise(start + from, length, MADV_DONTNEED) }
    }
    free()
  }
}
