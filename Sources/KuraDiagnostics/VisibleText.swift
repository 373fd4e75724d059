/// Escapes text from any source for a terminal: control characters become escape sequences of the
/// language.
///
///     VisibleText.of("a\u{1B}[31m\n")     // #"a\u{1B}[31m\n"#
///
/// It also escapes scalars that change the direction of text, line separators and invisible
/// scalars. A joiner after a non-ASCII letter remains, because it joins emoji, and joins or
/// separates letters.
package enum VisibleText {
  /// Returns the text with hidden scalars escaped.
  package static func of(_ text: String) -> String {
    var visible: [UInt8] = []
    append(text, to: &visible)
    return String(decoding: visible, as: UTF8.self)
  }

  /// Appends a text as UTF-8; linear, and a single copy if there is nothing to escape.
  package static func append(_ text: String, to target: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &target) { escape($0, to: &$1) } }
  }

  /// Appends lines in UTF-8. Line ends and tabs are unchanged.
  package static func append(lines: UnsafeRawBufferPointer, to target: inout [UInt8]) {
    append(lines, to: &target) { scalar, target in
      if scalar == "\n" || scalar == "\t" {
        target.append(UInt8(ascii: scalar))
      } else {
        escape(scalar, to: &target)
      }
    }
  }

  /// Appends UTF-8, with hidden scalars written by a closure.
  package static func append(
    _ utf8: UnsafeRawBufferPointer, to target: inout [UInt8],
    escape: (Unicode.Scalar, inout [UInt8]) -> Void
  ) {
    var start = 0
    var i = 0
    while i < utf8.count {
      let length = lengthOfHidden(utf8, i, start)
      if length > 0 {
        target.append(contentsOf: utf8[start..<i])
        let hidden = String(decoding: utf8[i..<i + length], as: UTF8.self)
        for scalar in hidden.unicodeScalars { escape(scalar, &target) }
        start = i + length
      }
      i += max(length, 1)
    }
    target.append(contentsOf: utf8[start...])
  }
}

extension VisibleText {
  /// Returns the length of the hidden scalar at an index; 0 if the scalar can be shown. Scalars
  /// before `shown` were hidden.
  private static func lengthOfHidden(
    _ utf8: UnsafeRawBufferPointer, _ i: Int, _ shown: Int
  ) -> Int {
    switch utf8[i] {
    case 0..<0x20, 0x7F: 1
    case 0xC2: i + 1 < utf8.count && (utf8[i + 1] < 0xA0 || utf8[i + 1] == 0xAD) ? 2 : 0
    case 0xCD, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: lengthOfInvisible(utf8, i, shown)
    default: 0
    }
  }

  private static func lengthOfInvisible(
    _ utf8: UnsafeRawBufferPointer, _ i: Int, _ shown: Int
  ) -> Int {
    func byte(_ offset: Int) -> UInt8 { i + offset < utf8.count ? utf8[i + offset] : 0 }
    let follows = i > shown && utf8[i - 1] >= 0x80
    switch (utf8[i], byte(1), byte(2)) {
    // Combining grapheme joiner, Arabic letter mark, Mongolian vowel separator, byte order mark
    case (0xCD, 0x8F, _): return follows ? 0 : 2
    case (0xD8, 0x9C, _): return 2
    case (0xE1, 0xA0, 0x8E), (0xEF, 0xBB, 0xBF): return 3
    // Joiners
    case (0xE2, 0x80, 0x8C...0x8D): return follows ? 0 : 3
    // Zero-width space, direction marks; separators, embeddings; word joiner, isolates
    case (0xE2, 0x80, 0x8B), (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xA8...0xAE),
      (0xE2, 0x81, 0xA0...0xAF):
      return 3
    // Tags, some of which form a flag after a black flag
    case (0xF3, 0xA0, 0x80...0x81): return follows ? 0 : min(4, utf8.count - i)
    default: return 0
    }
  }

  private static func escape(_ scalar: Unicode.Scalar, to target: inout [UInt8]) {
    switch scalar {
    case "\n": target.append(contentsOf: #"\n"#.utf8)
    case "\r": target.append(contentsOf: #"\r"#.utf8)
    case "\t": target.append(contentsOf: #"\t"#.utf8)
    default:
      target.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8)
    }
  }
}
