import Foundation

/// The scalars for which a comparison of scalars differs from Foundation's.
///
/// Foundation compares characters: a mark belongs to the letter before it, composed and decomposed
/// forms are equal, and ß equals ss. Without such scalars, comparing folded bytes gives the same
/// result. Above U+FFFF, only pictographs and ideographs are not odd.
package enum OddScalars {
  /// Returns whether a scalar is odd.
  package static func contains(_ scalar: UInt32) -> Bool {
    scalar >= 0xDF && bits.contains(scalar)
  }

  /// Returns whether a block of 64 scalars of the Basic Multilingual Plane contains an odd one.
  package static func areInBlock(_ block: Int) -> Bool { bits.words[block] != 0 }

  /// Returns whether a UTF-8 text contains an odd scalar.
  ///
  /// Scalars below U+00DF are never odd, so ASCII costs one test per byte.
  package static func areIn(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    let bits = bits
    var place = 0
    while let next = nextBeyondASCII(utf8, from: place) {
      place = next
      if ideographLeads.contains(utf8[place]) {
        place += 3
      } else {
        let scalar = UTF8Scalar.read(utf8, at: place)
        if bits.contains(scalar.value) { return true }
        place += scalar.length
      }
    }
    return false
  }

  /// Returns the place of the next byte beyond ASCII, eight bytes at once.
  @inline(__always)
  static func nextBeyondASCII(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = utf8.baseAddress else { return nil }
    var place = start
    while place + 8 <= utf8.count {
      let word = UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)
      let marked = UInt64(littleEndian: word) & 0x8080_8080_8080_8080
      if marked != 0 { return place + marked.trailingZeroBitCount >> 3 }
      place += 8
    }
    while place < utf8.count {
      if utf8[place] >= 0x80 { return place }
      place += 1
    }
    return nil
  }

  /// The lead bytes of U+4000 to U+9FFF, most of them ideographs; none is odd, and none folds.
  package static let ideographLeads: ClosedRange<UInt8> = 0xE4...0xE9

  /// The scalars above U+FFFF that are not odd: no marks, modifiers, joiners or regional
  /// indicators, and no scalars with case or decomposition.
  static let plain: [ClosedRange<UInt32>] = [
    0x1F300...0x1F3FA, 0x1F400...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF,
    0x20000...0x2A6DF, 0x2A700...0x2EBE0, 0x30000...0x323AF,
  ]

  /// For loops, because each access to a static property checks whether it is initialized.
  static let bits = OddBits(ranges, beyond: plain)
}

/// A bit for each scalar up to the last one that is not odd; the memory is never freed.
struct OddBits: @unchecked Sendable {
  fileprivate let words: UnsafePointer<UInt64>
  private let count: Int

  /// `odd`: the odd scalars up to U+FFFF; `plain`: the scalars beyond that are not odd.
  fileprivate init(_ odd: [ClosedRange<UInt32>], beyond plain: [ClosedRange<UInt32>]) {
    count = Int((plain.last?.upperBound ?? 0xFFFF) >> 6) + 1
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    words.initialize(repeating: 0, count: 1024)
    (words + 1024).initialize(repeating: .max, count: count - 1024)
    for scalar in odd.joined() { words[Int(scalar >> 6)] |= 1 << UInt64(scalar & 63) }
    for scalar in plain.joined() { words[Int(scalar >> 6)] &= ~(1 << UInt64(scalar & 63)) }
    self.words = UnsafePointer(words)
  }

  @inline(__always)
  func contains(_ scalar: UInt32) -> Bool {
    let block = Int(scalar >> 6)
    return block >= count || words[block] >> UInt64(scalar & 63) & 1 == 1
  }
}

/// A scalar in valid UTF-8.
struct UTF8Scalar {
  var value: UInt32
  var length: Int

  /// Reads a scalar; a truncated one reads as odd.
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
    if i + 3 < utf8.count {
      let high = (lead & 0x07) << 18 | UInt32(utf8[i + 1] & 0x3F) << 12
      let low = UInt32(utf8[i + 2] & 0x3F) << 6 | UInt32(utf8[i + 3] & 0x3F)
      return UTF8Scalar(value: high | low, length: 4)
    }
    return UTF8Scalar(value: 0xFFFF, length: 1)
  }
}

extension OddScalars {
  /// The odd scalars up to U+FFFF.
  ///
  /// Scripts whose words usually have marks are included as whole blocks. A test compares the list
  /// with Foundation for every scalar.
  static let ranges: [ClosedRange<UInt32>] = [
    // ß, İ, ŉ, ǰ: they fold to two scalars.
    0x00DF...0x00DF, 0x0130...0x0130, 0x0149...0x0149, 0x01F0...0x01F0,
    // Combining marks; signs that are not NFC; ΐ ΰ.
    0x0300...0x036F, 0x0374...0x0374, 0x037E...0x037E, 0x0387...0x0387, 0x0390...0x0390,
    0x03B0...0x03B0,
    // Cyrillic, Armenian, Hebrew and Arabic marks; Syriac, Thaana, NKo.
    0x0483...0x0489, 0x0587...0x0587, 0x0591...0x05BD, 0x05BF...0x05BF, 0x05C1...0x05C2,
    0x05C4...0x05C5, 0x05C7...0x05C7, 0x0610...0x061C, 0x064B...0x065F, 0x0670...0x0670,
    0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8, 0x06EA...0x06ED, 0x0711...0x0711,
    0x0730...0x074A, 0x07A6...0x07B0, 0x07EB...0x07F3, 0x07FD...0x07FD, 0x0816...0x082D,
    0x0859...0x085B, 0x0898...0x089F,
    // The scripts of India and Sri Lanka.
    0x08CA...0x0DFF,
    // Thai and Lao marks; Tibetan, Burmese.
    0x0E31...0x0E31, 0x0E34...0x0E3A, 0x0E47...0x0E4E, 0x0EB1...0x0EB1, 0x0EB4...0x0EBC,
    0x0EC8...0x0ECE, 0x0F00...0x0FFF, 0x1000...0x109F,
    // Hangul letters that make syllables; Ethiopic marks.
    0x1100...0x11FF, 0x135D...0x135F,
    // Philippine scripts, Khmer, Mongolian, Tai, Balinese and their neighbors.
    0x1700...0x1CFF,
    // Marks; ẖ to ẞ; Greek with breathings.
    0x1DC0...0x1DFF, 0x1E96...0x1E9E, 0x1F00...0x1FFF,
    // Blanks that are not NFC, joiners, invisible signs, marks for symbols.
    0x2000...0x2001, 0x200B...0x200F, 0x2060...0x206F, 0x20D0...0x20FF,
    // Ω K Å and other signs that are not NFC; Coptic, Tifinagh and Cyrillic marks.
    0x2126...0x2126, 0x212A...0x212B, 0x2329...0x232A, 0x2ADC...0x2ADC, 0x2CEF...0x2CF1,
    0x2D7F...0x2D7F, 0x2DE0...0x2DFF,
    // Tone marks of ideographs, the voicing marks of kana, the Hangul filler.
    0x302A...0x302F, 0x3099...0x309A, 0x3164...0x3164,
    0xA66F...0xA672, 0xA674...0xA67D, 0xA69E...0xA69F, 0xA6F0...0xA6F1, 0xA800...0xA82F,
    0xA880...0xA9FF, 0xAA00...0xAAFF, 0xABC0...0xABFF,
    // More Hangul letters; compatibility ideographs; ligatures and Hebrew with points.
    0xD7B0...0xD7FF, 0xF900...0xFAFF, 0xFB00...0xFB4F,
    // Variation selectors, half marks, the byte order mark.
    0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF...0xFEFF,
    // Halfwidth voicing marks and Hangul letters; noncharacters.
    0xFF9E...0xFFDC, 0xFFF0...0xFFFF,
  ]
}
