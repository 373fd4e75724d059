/// How many cells of a terminal a text takes, grapheme cluster by grapheme cluster.
///
///     DisplayWidth().cells("誕生日")            // 6
///     DisplayWidth().cells("か\u{3099}")       // 2, as が
///     DisplayWidth().cells("👨‍👩‍👧")               // 2
///
/// The system's `wcwidth` is of no use here: it depends on the locale, and adds up the parts of a
/// joined emoji.
package struct DisplayWidth: Sendable, Hashable {
  /// Whether `○`, `α` and the like take two cells, as in some fonts of East Asia.
  package var ambiguousIsWide: Bool

  package init(ambiguousIsWide: Bool = false) { self.ambiguousIsWide = ambiguousIsWide }
}

extension DisplayWidth {
  /// The cells of a text; linear.
  package func cells(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { cells(utf8: $0) }
  }

  /// The cells of a text in UTF-8; linear.
  package func cells(_ utf8: [UInt8]) -> Int {
    utf8.withUnsafeBufferPointer { cells(utf8: $0) }
  }

  /// The cells of one grapheme cluster: 0, 1 or 2.
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

  /// `❤` followed by it is a picture, two cells wide.
  private static let emojiSelector: UInt32 = 0xFE0F
}

extension DisplayWidth {
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

  /// A soft hyphen, and the signs that enclose the digits behind them, as Arabic has them.
  private static func isVisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Vowels and final consonants of Hangul, which are drawn into the cells of the first consonant.
  private static func joinsSyllable(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
  }
}
