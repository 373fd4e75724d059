/// Bytes that grow at their end, outside Swift's arrays: a store without a check.
struct ByteArena {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  func free() { start.deallocate() }

  @inline(__always)
  mutating func append(_ from: UnsafePointer<UInt8>, _ length: Int) {
    if count + length > capacity { grow(to: count + length) }
    (start + count).update(from: from, count: length)
    count += length
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    capacity = max(needed, capacity * 2)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// Writes zeros behind the last byte, which do not count.
  mutating func pad(_ zeros: Int) {
    if count + zeros > capacity { grow(to: count + zeros) }
    (start + count).update(repeating: 0, count: zeros)
  }

  mutating func truncate(to length: Int) { count = length }

  func array() -> [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
