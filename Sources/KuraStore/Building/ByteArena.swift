import Foundation

/// A growing byte buffer outside Swift's arrays, which appends without checks.
///
/// From `largest` bytes on it consists of system pages, which are returned one by one while they
/// are copied, so that long texts are not in memory twice.
struct ByteArena {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int
  private var isMapped = false

  /// A chunk of usual texts has about two megabytes.
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

  /// Appends bytes. `InputWindow.padding` bytes after them must be readable.
  ///
  /// Up to 32 bytes are copied in one step: lengths follow no pattern, so a copy that depends on
  /// the length would often be mispredicted.
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

  /// Writes zeros after the last byte, without counting them.
  mutating func pad(_ zeros: Int) {
    if count + zeros > capacity { grow(to: count + zeros) }
    (start + count).update(repeating: 0, count: zeros)
  }

  mutating func truncate(to length: Int) { count = length }

  /// Returns the bytes as an array. A large arena is empty afterwards.
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

  /// Copies and frees all bytes; each page is returned as soon as it is copied.
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
