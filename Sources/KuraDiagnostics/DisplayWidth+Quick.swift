extension DisplayWidth {
  /// The cells of a text that needs no look at grapheme clusters, else nil.
  ///
  /// That is ASCII without controls, letters of Latin, Greek and Cyrillic, kana, kanji and their
  /// punctuation: no two of these scalars ever form a cluster. It spares them breaking into
  /// clusters, which costs more than the rest of writing a table.
  func quickCells(_ utf8: UnsafeBufferPointer<UInt8>) -> Int? {
    var count = 0
    var i = 0
    while i < utf8.count {
      if utf8[i] < 0x80 {
        guard (0x20..<0x7F).contains(utf8[i]) else { return nil }
        count += 1
        i += 1
      } else if i + 1 < utf8.count, isQuickNarrow(utf8[i]) {
        count += 1
        i += 2
      } else {
        guard i + 2 < utf8.count, isQuickWide(utf8[i], utf8[i + 1], utf8[i + 2]) else { return nil }
        count += 2
        i += 3
      }
    }
    return count
  }

  /// Whether a first byte begins a letter of U+00C0 … U+027F, U+0380 … U+047F.
  ///
  /// Some of them are ambiguous.
  private func isQuickNarrow(_ a: UInt8) -> Bool {
    switch a {
    case 0xC3...0xC9, 0xCE...0xD1: !ambiguousIsWide
    default: false
    }
  }

  private func isQuickWide(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Bool {
    guard (0xE3...0xEF).contains(a) else { return false }
    let scalar = UInt32(a & 0x0F) << 12 | UInt32(b & 0x3F) << 6 | UInt32(c & 0x3F)
    return switch scalar {
    case 0x3001...0x3029, 0x3041...0x3096, 0x30A0...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xFF01...0xFF60:
      true
    default: false
    }
  }
}
