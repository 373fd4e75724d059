import Foundation
import TestSupport

@testable import KuraValues

/// Pieces of texts in which scalars fold, combine and are odd.
enum TextSamples {
  static let ordinary: [String] = [
    "a", "A", "b", "B", "e", "E", "z", "_", "@", "[", "`", " ", "\n", "\r", "0", "é", "É", "è", "ñ",
    "ö", "Ö", "ø", "Ø", "ł", "đ", "ç", "ſ", "ǆ", "ǅ", "Ǆ", "α", "Α", "ά", "Ά", "σ", "ς", "Σ", "и",
    "й", "И", "Й", "ё", "е", "Ａ", "ａ", "Ｂ", "１", "￥", "¥", "か", "が", "カ", "ガ", "ｶ", "メ",
    "モ", "ﾒ", "ﾓ", "ー", "ｰ", "。", "｡", "ぱ", "は", "誕", "生", "日", "々", "〇", "가", "각", "힣",
    "א", "ب", "ა", "👍", "𠮷", "ｗ", "Ⅷ", "ⅷ", "ⓐ", "Ⓐ", "ạ", "Ạ", "ế", "e", "ı", "i", "I",
  ]
  static let odd: [String] = [
    "\u{301}", "\u{3099}", "\u{309A}", "ﾞ", "ﾟ", "ß", "ẞ", "ﬁ", "İ", "\u{212A}", "\u{212B}",
    "\u{200D}", "\u{FE0F}",
    "\u{E0100}", "👍🏽", "𝒜", "\u{1112}", "\u{1161}", "\u{11A8}", "\u{FA19}", "ΐ", "ἀ", "का",
    "ที่", "\u{323}", "e\u{301}", "か\u{3099}", "ｶﾞ", "🇯🇵", "👨‍👩‍👧",
  ]
  static let optionSets: [TextOptions] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  static func text(_ pieces: [String], upTo count: Int, _ random: inout SeededNumbers) -> String {
    let length = Int(random.next() % UInt64(count + 1))
    return (0..<length).reduce(into: "") { text, _ in text += random.pick(pieces) }
  }

  /// Returns a part of a text, sometimes in another case, width or form, or another text.
  static func needle(in text: String, _ pieces: [String], _ random: inout SeededNumbers) -> String {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty, random.next() % 4 != 0 else {
      return Self.text(pieces, upTo: 3, &random)
    }
    let start = Int(random.next() % UInt64(scalars.count))
    let end = min(scalars.count, start + 1 + Int(random.next() % 3))
    var part = String(String.UnicodeScalarView(scalars[start..<end]))
    switch random.next() % 6 {
    case 0: part = part.uppercased()
    case 1: part = part.lowercased()
    case 2: part = part.decomposedStringWithCanonicalMapping
    case 3: part = part.precomposedStringWithCanonicalMapping
    case 4: part = part.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    default: break
    }
    return part
  }
}

/// Foundation's results.
///
/// Foundation itself folds texts without odd scalars, and compares the results. It distinguishes
/// canonically equal texts with `[d]`, so other texts are converted to their key, scalar by scalar,
/// and Foundation searches the keys.
enum Reference {
  private static func folded(
    _ a: String, _ b: String, _ options: TextOptions
  ) -> (a: String, b: String)? {
    func folded(_ text: String) -> String? {
      var text = text
      guard !text.withUTF8(OddScalars.areIn) else { return nil }
      return options.folds ? text.folding(options: options.foundation, locale: nil) : text
    }
    return folded(a).flatMap { a in folded(b).map { (a, $0) } }
  }

  /// Returns the text decomposed, then folded, then composed.
  static func key(_ text: String, _ options: TextOptions) -> String {
    let foldsCase = options.folds && options.contains(.caseInsensitive)
    let dropsMarks = options.folds && options.contains(.diacriticInsensitive)
    var (result, base): (String, Unicode.Scalar?) = ("", nil)
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      var letter = String(scalar)
      if options.folds { letter = letter.folding(options: .widthInsensitive, locale: nil) }
      if isMark(scalar) {
        if !dropsMarks || base.map({ $0.value >= 0x510 }) ?? true { result += letter }
        continue
      }
      if foldsCase { letter = letter.folding(options: .caseInsensitive, locale: nil) }
      result += letter
      base = letter.decomposedStringWithCanonicalMapping.unicodeScalars.last
    }
    return result.precomposedStringWithCanonicalMapping
  }

  static func finds(
    _ needle: String, in text: String, _ options: TextOptions, _ place: String.CompareOptions = []
  ) -> Bool {
    guard !needle.isEmpty else { return false }
    let plain = folded(text, needle, options)
    let (a, b) = plain ?? (key(text, options), key(needle, options))
    let all = NSString(string: a)
    func isFound(_ way: String.CompareOptions) -> Bool {
      let whole = NSRange(location: 0, length: all.length)
      return all.range(of: b, options: way.union(place), range: whole).location != NSNotFound
    }
    // Foundation finds "é́" in "eé", unlike the literal search.
    guard isFound(.literal) else { return false }
    // Without [d] a letter without a mark is not found in the letter with the mark.
    return plain != nil || options.contains(.diacriticInsensitive) || isFound([])
  }

  /// Compares letter by letter, as Foundation compares each: for complete texts it orders "가각"
  /// after "각", confuses a letter before a mark with the letter with the mark, and finds different
  /// texts equal.
  static func order(_ a: String, _ b: String, _ options: TextOptions) -> Int {
    let (a, b) = folded(a, b, options) ?? (key(a, options), key(b, options))
    let (x, y) = (letters(a), letters(b))
    for (x, y) in zip(x, y) where !x.unicodeScalars.elementsEqual(y.unicodeScalars) {
      let parts = [x, y].map { letter in
        letter.unicodeScalars.flatMap {
          String($0).decomposedStringWithCanonicalMapping.unicodeScalars
        }
      }
      if parts.allSatisfy({ $0.count < 3 }) { return NSString(string: x).compare(y).rawValue }
      // For letters with several marks, Foundation's result depends on whether they are composed;
      // the key is composed.
      return parts[0].lexicographicallyPrecedes(parts[1]) ? -1 : 1
    }
    return x.count == y.count ? 0 : x.count < y.count ? -1 : 1
  }

  /// Returns each letter with its marks; marks at the start are letters.
  private static func letters(_ text: String) -> [String] {
    text.unicodeScalars.reduce(into: []) { letters, scalar in
      if let letter = letters.last?.unicodeScalars.first, !isMark(letter),
        isMark(scalar) || 0x1160...0x11FF ~= scalar.value
      {
        letters[letters.count - 1] += String(scalar)
      } else {
        letters.append(String(scalar))
      }
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isGraphemeExtend && scalar != "\u{200D}"
      || scalar.properties.isEmojiModifier
  }
}
