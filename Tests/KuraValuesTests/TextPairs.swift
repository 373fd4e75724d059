import Foundation
import TestSupport
import Testing

@testable import KuraValues

/// Texts of many scripts, with a needle that they probably contain, ignoring case, width and form.
struct TextPairs: Sendable {
  /// The pieces of each script, each with its other forms.
  private let forms: [[[String]]]

  private init(_ scripts: [[String]]) { forms = scripts.map { $0.map(Self.forms) } }

  /// Letters that fold next to letters with marks. They are few, so that they often meet.
  static let folding = TextPairs([
    ["е", "Е", "ё", "Ё", "и", "й", "Й", "Ж", "Ａ", "x"],
    ["か", "が", "Ａ", "A", "É", "ｱ", "は", "ぱ"], ["カ", "ガ", "ｶ", "ﾊ", "パ", "Ａ", "É", "x"],
    ["e", "é", "E", "É", "ế", "ê", "Ê", "Ø", "１"], ["α", "ά", "Ά", "Σ", "σ", "ς", "Α", "ο"],
    ["ا", "أ", "１", "إ", "Ａ", "أ"], ["가", "각", "ㄱ", "Ａ", "É"], ["न", "ऩ", "Ａ", "É"],
  ])

  /// The scripts that most people use.
  static let scripts = TextPairs([
    ["a", "e", "o", "s", "S", "K", "k", "i", "I", "ı", "z", "0", "1", " ", "-", "_", "\n"],
    ["é", "É", "è", "ê", "ñ", "ö", "ø", "ł", "ç", "å", "Å", "ạ", "ế", "ǆ", "ȷ", "ũ", "đ", "ā"],
    [
      "ß", "ẞ", "İ", "\u{212A}", "\u{212B}", "ﬁ", "ﬀ", "ﬅ", "ŉ", "ǰ", "ſ", "æ", "œ", "ẖ", "K", "ſt",
    ],
    ["\u{301}", "\u{308}", "\u{323}", "\u{327}", "\u{30A}", "\u{307}", "e", "q", "a\u{301}"],
    ["α", "ά", "Σ", "σ", "ς", "ΐ", "ΰ", "ᾳ", "ἀ", "Ἀ", "ᾼ", "Ω", "\u{2126}", "ϑ", "ο", "ό", "ϊ"],
    ["и", "й", "Й", "е", "ё", "Ё", "ж", "ї", "є", "ґ", "ъ", "\u{306}", "ѓ"],
    ["か", "が", "は", "ば", "ぱ", "っ", "つ", "う", "ゔ", "ゝ", "ゞ", "ー", "\u{3099}", "\u{309A}", "゛"],
    [
      "カ", "ガ", "ハ", "バ", "パ", "ッ", "ウ", "ヴ", "ヷ", "ー", "ｶ", "ﾊ", "ｳ", "ﾞ", "ﾟ", "ｰ", "ｯ", "メ", "ﾒ",
    ],
    ["Ａ", "ａ", "ｅ", "Ｋ", "１", "（", "！", "￥", "￦", "　", "｡", "､", "「", "｢", "￠", "～"],
    ["誕", "生", "日", "々", "〇", "葛", "\u{E0100}", "\u{FA19}", "神", "\u{F900}", "豈", "𠮷", "㐂"],
    [
      "가", "각", "힣", "한", "\u{1112}", "\u{1161}", "\u{11AB}", "ㅎ", "ㅏ", "\u{FFA0}", "ﾡ", "\u{1100}",
    ],
    ["א", "ב", "שׁ", "\u{FB2A}", "\u{5B8}", "\u{5C1}", "ש", "וֹ", "\u{FB4B}", "\u{FB4F}", "ל"],
    [
      "ا", "أ", "إ", "آ", "ي", "ئ", "\u{64E}", "\u{651}", "\u{653}", "لا", "\u{FEFB}", "ة", "ك",
      "ـ",
    ],
    ["ก", "ที่", "\u{E31}", "น้ำ", "\u{E33}", "เ", "า", "\u{E48}", "ไ"],
    ["क", "क़", "\u{958}", "का", "\u{93F}", "\u{94D}", "ष", "त", "न", "ऩ", "\u{93C}", "ि"],
    ["👍", "👍🏽", "👨‍👩‍👧", "🇯🇵", "🇺🇸", "❤️", "❤", "\u{200D}", "\u{FE0F}", "🏽", "1️⃣", "𝒜", "𐐀", "𐐨"],
    ["Ⅷ", "ⅷ", "Ⓐ", "ⓐ", "²", "½", "℃", "㎏", "ª", "µ", "μ", "Ⱥ", "ⱥ", "Ა", "ა", "Ꭰ", "ꭰ"],
    [
      "\u{FFFF}", "\u{FFFE}", "\u{10000}", "\u{10FFFF}", "\u{E000}", "\u{378}", "\u{D7FF}",
      "\u{FFFD}",
    ],
  ])

  private static func forms(_ piece: String) -> [String] {
    let marks = piece.folding(options: .diacriticInsensitive, locale: nil)
    let width = piece.folding(options: .widthInsensitive, locale: nil)
    let forms = [
      piece.uppercased(), piece.lowercased(), piece.decomposedStringWithCanonicalMapping,
      piece.precomposedStringWithCanonicalMapping, marks, width, marks.uppercased(),
      wide(piece), width.precomposedStringWithCanonicalMapping,
    ]
    return [piece]
      + Set(forms).subtracting([piece, ""]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func wide(_ piece: String) -> String {
    String(
      String.UnicodeScalarView(
        piece.unicodeScalars.map {
          (0x21...0x7E).contains($0.value) ? Unicode.Scalar($0.value + 0xFEE0) ?? $0 : $0
        }))
  }

  /// Returns a text and a needle.
  func pair(_ random: inout SeededNumbers) -> (text: String, needle: String) {
    let bits = random.next()
    let first = Int(bits & 0xFFFF) % forms.count
    // Pieces of two scripts in every third pair.
    let second = bits >> 60 < 11 ? first : Int(bits >> 16 & 0xFFFF) % forms.count
    let pieces = (0..<Int(bits >> 32 & 7)).map { _ in
      random.pick(forms[random.next() & 1 == 0 ? first : second])
    }
    let text = pieces.reduce(into: "") { $0 += random.pick($1) }
    return (text, needle(pieces, random.pick(forms[first]), text, &random))
  }

  private func needle(
    _ pieces: [[String]], _ other: [String], _ text: String, _ random: inout SeededNumbers
  ) -> String {
    let choice = random.next() & 15
    if pieces.isEmpty || choice == 0 { return random.pick(other) }
    if choice < 4 { return part(of: text, &random) }
    let all = choice < 7
    let start = all ? 0 : Int(random.next() % UInt64(pieces.count))
    let end = all ? pieces.count : start + 1 + Int(random.next() % UInt64(pieces.count - start))
    return pieces[start..<end].reduce(into: "") { $0 += random.pick($1) }
  }

  /// Returns a part of a text, cut between scalars, possibly within a character.
  private func part(of text: String, _ random: inout SeededNumbers) -> String {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty else { return text }
    let start = Int(random.next() % UInt64(scalars.count))
    let end = start + 1 + Int(random.next() % UInt64(min(4, scalars.count - start)))
    return String(String.UnicodeScalarView(scalars[start..<end]))
  }
}

extension TextPairs: CustomTestStringConvertible {
  var testDescription: String { "\(forms.count) scripts" }
}
