/// Text from anywhere made harmless for a terminal: controls become the escapes of the language.
///
///     VisibleText.of("a\u{1B}[31m\n")     // #"a\u{1B}[31m\n"#
///
/// So do the scalars that turn the direction of what follows, and those that separate lines.
package enum VisibleText {
  /// The text with what is invisible made visible.
  package static func of(_ text: String) -> String {
    var visible: [UInt8] = []
    append(text, to: &visible)
    return String(decoding: visible, as: UTF8.self)
  }

  /// Appends a text in UTF-8; linear, and one copy where nothing is to escape.
  package static func append(_ text: String, to target: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &target) }
  }

  private static func append(_ utf8: UnsafeBufferPointer<UInt8>, to target: inout [UInt8]) {
    var start = 0
    var i = 0
    while i < utf8.count {
      let length = lengthOfHidden(utf8, i)
      if length > 0 {
        target.append(contentsOf: utf8[start..<i])
        escape(String(decoding: utf8[i..<i + length], as: UTF8.self), to: &target)
        start = i + length
      }
      i += max(length, 1)
    }
    target.append(contentsOf: utf8[start...])
  }
}

extension VisibleText {
  /// How many bytes at a place are one hidden scalar; 0 if it can be shown.
  private static func lengthOfHidden(_ utf8: UnsafeBufferPointer<UInt8>, _ i: Int) -> Int {
    switch utf8[i] {
    case 0..<0x20, 0x7F: 1
    case 0xC2: i + 1 < utf8.count && utf8[i + 1] < 0xA0 ? 2 : 0
    case 0xE2: i + 2 < utf8.count && separatesOrTurns(utf8[i + 1], utf8[i + 2]) ? 3 : 0
    default: 0
    }
  }

  /// U+2028 … U+202E (line and paragraph separator, embeddings) and U+2066 … U+2069 (isolates).
  private static func separatesOrTurns(_ b: UInt8, _ c: UInt8) -> Bool {
    switch b {
    case 0x80: (0xA8...0xAE).contains(c)
    case 0x81: (0xA6...0xA9).contains(c)
    default: false
    }
  }

  private static func escape(_ scalar: String, to target: inout [UInt8]) {
    for unit in scalar.unicodeScalars {
      switch unit {
      case "\n": target.append(contentsOf: #"\n"#.utf8)
      case "\r": target.append(contentsOf: #"\r"#.utf8)
      case "\t": target.append(contentsOf: #"\t"#.utf8)
      default:
        target.append(contentsOf: "\\u{\(String(unit.value, radix: 16, uppercase: true))}".utf8)
      }
    }
  }
}
