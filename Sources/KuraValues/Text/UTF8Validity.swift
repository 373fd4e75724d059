/// For each block of 64 scalars of the Basic Multilingual Plane, whether it contains an odd one.
private let oddBlocks: [Bool] = (0..<1024).map { OddScalars.areInBlock($0) }

/// Returns the first byte that is not UTF-8, or nil. Sets whether the text has odd scalars
/// (``OddScalars``), for which a byte search can differ from Foundation.
package func firstInvalidUTF8(
  _ start: UnsafePointer<UInt8>, _ count: Int, _ isOdd: inout Bool
) -> UnsafePointer<UInt8>? {
  oddBlocks.withUnsafeBufferPointer { blocks in
    var p = start
    let end = start + count
    var odd = false
    while p < end {
      let b0 = p[0]
      if b0 < 0x80 {
        p += 1
        continue
      }
      let left = end - p
      var scalar: UInt32
      if b0 < 0xE0 {
        guard b0 >= 0xC2, left >= 2, isContinuation(p[1]) else { return p }
        scalar = UInt32(b0 & 0x1F) << 6 | UInt32(p[1] & 0x3F)
        p += 2
      } else if b0 < 0xF0 {
        guard left >= 3, isContinuation(p[1]), isContinuation(p[2]) else { return p }
        scalar = UInt32(b0 & 0x0F) << 12 | UInt32(p[1] & 0x3F) << 6 | UInt32(p[2] & 0x3F)
        guard scalar >= 0x800, scalar & 0xF800 != 0xD800 else { return p }
        p += 3
      } else {
        guard b0 < 0xF5, left >= 4, isContinuation(p[1]), isContinuation(p[2]), isContinuation(p[3])
        else { return p }
        scalar = UInt32(b0 & 0x07) << 18 | UInt32(p[1] & 0x3F) << 12
        scalar |= UInt32(p[2] & 0x3F) << 6 | UInt32(p[3] & 0x3F)
        guard scalar >= 0x10000, scalar < 0x110000 else { return p }
        odd = odd || OddScalars.contains(scalar)
        p += 4
        continue
      }
      if blocks[Int(scalar >> 6)], !odd { odd = OddScalars.contains(scalar) }
    }
    isOdd = odd
    return nil
  }
}

@inline(__always)
private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
