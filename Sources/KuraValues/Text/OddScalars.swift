/// The scalars for which comparing scalar by scalar is not Foundation's answer.
///
/// Foundation compares characters: a mark belongs to what stands before it, composed and decomposed
/// forms are one, ß is ss. In a text without such scalars nothing of that happens, and comparing
/// folded bytes gives the same answer. Everything beyond U+FFFF is odd too, for its order by UTF-16.
package enum OddScalars {
  /// Whether a scalar is odd.
  package static func contains(_ scalar: UInt32) -> Bool {
    if scalar < 0xDF { return false }
    if scalar > 0xFFFF { return true }
    return bits[Int(scalar >> 6)] & (1 << UInt64(scalar & 63)) != 0
  }

  /// Whether a text in UTF-8 has an odd scalar.
  ///
  /// Nothing below U+00DF is odd, so ASCII costs one look at a byte.
  package static func areIn(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var i = 0
    while i < utf8.count {
      let lead = utf8[i]
      if lead < 0x80 {
        i += 1
      } else if ideographLeads.contains(lead) {
        i += 3
      } else if lead >= 0xF0 {
        return true
      } else {
        let scalar = UTF8Scalar.read(utf8, at: i)
        if contains(scalar.value) { return true }
        i += scalar.length
      }
    }
    return false
  }

  /// The first bytes of U+4000 to U+9FFF, ideographs and what is as plain: none odd, none folds.
  static let ideographLeads: ClosedRange<UInt8> = 0xE4...0xE9

  private static let bits: [UInt64] = {
    var bits = [UInt64](repeating: 0, count: 1024)
    for range in ranges {
      for scalar in range { bits[Int(scalar >> 6)] |= 1 << UInt64(scalar & 63) }
    }
    return bits
  }()
}

/// A scalar of the Basic Multilingual Plane in valid UTF-8.
struct UTF8Scalar {
  var value: UInt32
  var length: Int

  /// Reads a scalar of one to three bytes; what is cut off or longer reads as odd.
  static func read(_ utf8: UnsafeBufferPointer<UInt8>, at i: Int) -> UTF8Scalar {
    let lead = UInt32(utf8[i])
    if lead < 0x80 { return UTF8Scalar(value: lead, length: 1) }
    if lead < 0xE0, i + 1 < utf8.count {
      return UTF8Scalar(value: (lead & 0x1F) << 6 | UInt32(utf8[i + 1] & 0x3F), length: 2)
    }
    if lead < 0xF0, i + 2 < utf8.count {
      let middle = UInt32(utf8[i + 1] & 0x3F)
      let value = (lead & 0x0F) << 12 | middle << 6 | UInt32(utf8[i + 2] & 0x3F)
      return UTF8Scalar(value: value, length: 3)
    }
    return UTF8Scalar(value: 0xFFFF, length: 1)
  }
}
