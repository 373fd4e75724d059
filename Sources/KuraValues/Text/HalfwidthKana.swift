import Foundation

/// Halfwidth kana, whose voicing marks are characters of their own: ｶﾞ is ガ in halves.
enum HalfwidthKana {
  /// A text with each such letter and its mark as the one letter that they are: "ガス" for "ｶﾞス"; nil where
  /// there is none.
  ///
  /// Linear, and a look at some bytes for most texts.
  static func composed(_ text: String) -> String? {
    guard hasMarks(text.utf8) else { return nil }
    var result = String.UnicodeScalarView()
    var isChanged = false
    for scalar in text.unicodeScalars {
      guard isMark(scalar), let last = result.last, isLetter(last) else {
        result.append(scalar)
        continue
      }
      result.removeLast()
      let pair = String(String.UnicodeScalarView([last, scalar]))
      result.append(contentsOf: pair.precomposedStringWithCompatibilityMapping.unicodeScalars)
      isChanged = true
    }
    return isChanged ? String(result) : nil
  }

  /// ﾞ and ﾟ are EF BE 9E and EF BE 9F.
  private static func hasMarks(_ utf8: String.UTF8View) -> Bool {
    var before: (UInt8, UInt8) = (0, 0)
    for byte in utf8 {
      if before == (0xEF, 0xBE), byte & 0xFE == 0x9E { return true }
      before = (before.1, byte)
    }
    return false
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFF9E || scalar.value == 0xFF9F
  }

  /// ｦ to ﾝ
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    (0xFF66...0xFF9D).contains(scalar.value)
  }
}
