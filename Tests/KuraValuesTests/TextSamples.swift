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
    "א", "ب", "ა", "ｗ", "Ⅷ", "ⅷ", "ⓐ", "Ⓐ", "ạ", "Ạ", "ế", "e", "ı", "i", "I",
  ]
  static let odd: [String] = [
    "\u{301}", "\u{3099}", "\u{309A}", "ﾞ", "ﾟ", "ß", "ẞ", "ﬁ", "İ", "\u{212A}", "\u{212B}",
    "\u{200D}", "\u{FE0F}",
    "\u{E0100}", "👍", "👍🏽", "𠮷", "𝒜", "\u{1112}", "\u{1161}", "\u{11A8}", "\u{FA19}", "ΐ", "ἀ", "का",
    "ที่", "\u{323}", "e\u{301}", "か\u{3099}", "ｶﾞ", "🇯🇵", "👨‍👩‍👧",
  ]
  static let optionSets: [TextOptions] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  static func text(_ pieces: [String], upTo count: Int, _ random: inout SeededNumbers) -> String {
    let length = Int(random.next() % UInt64(count + 1))
    return (0..<length).reduce(into: "") { text, _ in text += random.pick(pieces) }
  }

  /// A part of a text, sometimes in another case, width or form, or a text of its own.
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

/// Foundation's own answers, but for its error about letters with marks: in texts without odd scalars it
/// takes a letter before one that folds for the letter with a mark. Of them it is asked to fold each, and
/// for the scalars that come of that.
enum Reference {
  private static func folded(_ text: String, _ options: TextOptions) -> String? {
    var text = text
    guard !text.withUTF8(OddScalars.areIn) else { return nil }
    return options.folds ? text.folding(options: options.foundation, locale: nil) : text
  }

  private static func folded(
    _ a: String, _ b: String, _ options: TextOptions
  ) -> (a: String, b: String)? {
    folded(a, options).flatMap { a in folded(b, options).map { (a, $0) } }
  }

  /// With halfwidth kana and their marks as one, where width does not count.
  private static func composed(_ text: String, _ options: TextOptions) -> String {
    guard options.folds else { return text }
    return text.unicodeScalars.reduce(into: [String]()) { parts, scalar in
      let mayTake = parts.last.map { $0 >= "ｦ" && $0 <= "ﾝ" && $0.unicodeScalars.count == 1 }
      if mayTake == true, "\u{FF9E}\u{FF9F}".unicodeScalars.contains(scalar) {
        parts[parts.count - 1] =
          (parts[parts.count - 1] + String(scalar)).precomposedStringWithCompatibilityMapping
      } else {
        parts.append(String(scalar))
      }
    }.joined()
  }

  static func finds(
    _ needle: String, in text: String, _ options: TextOptions, _ place: String.CompareOptions = []
  ) -> Bool {
    guard !needle.isEmpty else { return false }
    let (needle, text) = (composed(needle, options), composed(text, options))
    let plain = folded(text, needle, options)
    let all = NSString(string: plain?.a ?? text)
    let found = all.range(
      of: plain?.b ?? needle,
      options: (plain == nil ? options.foundation : .literal).union(place),
      range: NSRange(location: 0, length: all.length))
    return found.location != NSNotFound
  }

  static func order(_ a: String, _ b: String, _ options: TextOptions) -> Int {
    let (a, b) = (composed(a, options), composed(b, options))
    let order = NSString(string: a).compare(b, options: options.foundation).rawValue
    guard order == 0, let plain = folded(a, b, options) else { return order }
    let (x, y) = (plain.a.unicodeScalars, plain.b.unicodeScalars)
    return x.elementsEqual(y) ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
  }
}
