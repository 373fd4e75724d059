/// The width of a text in terminal cells, per grapheme cluster.
///
///     DisplayWidth().cells("誕生日")            // 6
///     DisplayWidth().cells("か\u{3099}")       // 2, as が
///     DisplayWidth().cells("👨‍👩‍👧")               // 2
///
/// The system's `wcwidth` is unsuitable: it depends on the locale, and adds up the parts of a
/// joined emoji.
package struct DisplayWidth: Sendable, Hashable {
  /// Whether characters such as `○` and `α` occupy two cells, as in some East Asian fonts.
  package var ambiguousIsWide: Bool

  package init(ambiguousIsWide: Bool = false) { self.ambiguousIsWide = ambiguousIsWide }
}

extension DisplayWidth {
  /// Returns the number of cells of a text; linear.
  package func cells(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { cells(utf8: $0) }
  }

  /// Returns the number of cells of UTF-8 text; linear.
  package func cells(_ utf8: [UInt8]) -> Int {
    utf8.withUnsafeBufferPointer { cells(utf8: $0) }
  }

  /// Returns the number of cells of one grapheme cluster: 0, 1 or 2.
  package func cells(_ cluster: Character) -> Int {
    var sum = 0
    for scalar in cluster.unicodeScalars {
      if scalar.value == Self.emojiSelector { return 2 }
      sum += cells(scalar)
    }
    return min(sum, 2)
  }

  private func cells(utf8: UnsafeBufferPointer<UInt8>) -> Int {
    if let count = quickCells(utf8) { return count }
    return String(decoding: utf8, as: UTF8.self).reduce(0) { $0 + cells($1) }
  }

  /// The selector that turns `❤` into the emoji, which is two cells wide.
  private static let emojiSelector: UInt32 = 0xFE0F

  private func cells(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
    if Self.isInvisible(scalar) { return 0 }
    if ScalarRanges.wide.contains(scalar.value) { return 2 }
    return ambiguousIsWide && ScalarRanges.ambiguous.contains(scalar.value) ? 2 : 1
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: true
    case .format: !isVisibleFormat(scalar)
    case .otherLetter: joinsSyllable(scalar)
    default: false
    }
  }

  /// Returns whether it is a soft hyphen or one of the signs that enclose the following digits, as
  /// in Arabic.
  private static func isVisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Returns whether it is a Hangul vowel or final consonant, which is drawn in the cells of the
  /// first consonant.
  private static func joinsSyllable(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
  }
}

/// The side of its column on which a text is aligned.
package enum Alignment: Sendable {
  case left
  case right
}

extension DisplayWidth {
  /// Returns the text truncated to a width, with `…` at the end.
  ///
  ///     DisplayWidth().truncated("父の誕生日", to: 8)    // "父の誕…", 7 cells
  ///
  /// Clusters are never split, so the result can be one cell narrower than the width.
  package func truncated(_ text: String, to width: Int) -> String {
    var utf8 = Array(text.utf8)
    truncate(&utf8, to: width)
    return String(decoding: utf8, as: UTF8.self)
  }

  /// Truncates UTF-8 text to a width, and returns its number of cells; linear.
  @discardableResult
  package func truncate(_ utf8: inout [UInt8], to width: Int) -> Int {
    if let count = utf8.withUnsafeBufferPointer({ quickCells($0) }), count <= width { return count }
    let room = max(0, width - cells(Self.ellipsis))
    var (used, fitting, fittingBytes, bytes) = (0, 0, 0, 0)
    for cluster in String(decoding: utf8, as: UTF8.self) {
      used += cells(cluster)
      if used > width { return cut(&utf8, at: fittingBytes, fitting, to: width) }
      bytes += cluster.utf8.count
      if used <= room { (fitting, fittingBytes) = (used, bytes) }
    }
    return used
  }

  private func cut(_ utf8: inout [UInt8], at end: Int, _ used: Int, to width: Int) -> Int {
    utf8.removeSubrange(min(end, utf8.count)...)
    guard used + cells(Self.ellipsis) <= width else { return used }
    utf8.append(contentsOf: String(Self.ellipsis).utf8)
    return used + cells(Self.ellipsis)
  }

  /// The mark of a truncated text.
  package static let ellipsis: Character = "…"

  /// Returns the text padded with blanks to a width; a longer text is unchanged.
  ///
  ///     DisplayWidth().padded("誕生", to: 6)            // "誕生  "
  ///     DisplayWidth().padded("17", to: 6, .right)     // "    17"
  package func padded(_ text: String, to width: Int, _ side: Alignment = .left) -> String {
    let blanks = String(repeating: " ", count: max(0, width - cells(text)))
    return switch side {
    case .left: text + blanks
    case .right: blanks + text
    }
  }

  /// Returns the number of cells of a text that consists of single-scalar clusters; otherwise nil.
  ///
  /// Such text contains only ASCII without control characters, Latin, Greek and Cyrillic letters,
  /// kana, kanji and their punctuation. This avoids splitting it into clusters, which would be the
  /// slowest part of writing a table.
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

  /// Returns whether a lead byte begins a letter of U+00C0 … U+027F or U+0380 … U+047F.
  ///
  /// Some of these letters are ambiguous.
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
