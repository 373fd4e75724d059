/// Texts by their number, without a look at who owns them.
struct TextAccess {
  let bytes: UnsafeBufferPointer<UInt8>
  let starts: UnsafeBufferPointer<UInt32>?
  let ends: UnsafeBufferPointer<UInt32>

  @inline(__always)
  subscript(place: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range(place)])
  }

  @inline(__always)
  func range(_ place: Int) -> Range<Int> {
    let start = starts.map { Int($0[place]) } ?? (place == 0 ? 0 : Int(ends[place - 1]))
    return start..<Int(ends[place])
  }
}

extension TextAccess {
  /// The first eight bytes of a text, of which the first is the highest; 0 where there are no more.
  @inline(__always)
  func firstWord(_ place: Int) -> UInt64 {
    let range = range(place)
    let word = bytes.eight(from: range.lowerBound).byteSwapped
    // Of a shift by 64 the number itself would come.
    let behind = UInt64(truncatingIfNeeded: max(0, 8 &- range.count)) &* 8
    return behind < 64 ? word & (~0 << (behind & 63)) : 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Eight bytes from a place on, the first of them lowest; 0 behind the last of all.
  @inline(__always)
  func eight(from place: Int) -> UInt64 {
    guard place &+ 8 <= count, let base = baseAddress else { return last(from: place) }
    return UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self).littleEndian
  }

  @inline(never)
  private func last(from place: Int) -> UInt64 {
    var word: UInt64 = 0
    for place in (place..<count).reversed() { word = word << 8 | UInt64(self[place]) }
    return word
  }
}
