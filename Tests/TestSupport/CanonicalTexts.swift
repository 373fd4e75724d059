import Foundation

/// Generated texts of many scripts, each in several canonically equal forms.
package struct CanonicalTexts {
  package var random: SeededNumbers

  package init(seed: UInt64) { random = SeededNumbers(seed: seed) }

  /// Letters of each script, including letters that decompose, and their parts.
  package static let scripts: [[String]] = [
    [
      "a", "A", "e", "é", "É", "ế", "ậ", "ộ", "ǰ", "İ", "Å", "\u{212B}", "ß", "x\u{301}", "e", " ",
      "7",
    ],
    ["α", "ά", "Σ", "ς", "ΐ", "ᾳ", "ᾴ", "ἀ", "Ω", "\u{2126}", "ι", "ο"],
    ["и", "й", "Й", "е", "ё", "ї", "і", "ж"],
    ["カ", "ガ", "ハ", "バ", "パ", "ス", "ヴ", "ウ", "ｶ", "ｶﾞ", "ﾊﾟ", "ﾊ", "か", "が", "は", "ぱ", "ゞ"],
    ["א", "שׁ", "שׂ", "ש", "בּ", "ב", "אַ", "שָׁ", "ל", "וֹ"],
    ["ا", "آ", "أ", "إ", "ؤ", "و", "ي", "ئ", "بً", "ب", "لا"],
    ["क", "क़", "का", "कि", "कु", "ऩ", "न", "ड़", "ड", "क्ष", "ो", "ি"],
    ["ก", "ที่", "ท", "น้ำ", "กี", "ก่"],
    ["가", "각", "하", "한", "ᄒ", "ᅡ", "ㅎ", "ﾡ", "힣"],
    ["漢", "神", "\u{FA19}", "豈", "\u{F900}", "葛\u{E0100}", "𠮷", "👍🏽", "👨‍👩‍👧", "❤️", "𑂚", "𐐀", "𐐨"],
  ]

  /// Returns letters of a script, or of two in every third text.
  package mutating func letters(upTo count: Int) -> [String] {
    let first = random.pick(Self.scripts)
    let second = random.oneIn(3) ? random.pick(Self.scripts) : first
    return (0..<1 + random.below(count)).map { _ in random.pick(random.flip() ? first : second) }
  }

  /// Returns letters of which some are those of a text, in another case or without marks.
  package mutating func needle(in letters: [String]) -> [String] {
    if random.oneIn(5) { return self.letters(upTo: 2) }
    let start = random.below(letters.count)
    let part = letters[start..<start + 1 + random.below(letters.count - start)]
    return part.map { letter in
      switch random.below(8) {
      case 0: letter.uppercased()
      case 1: letter.lowercased()
      case 2: String(letter.decomposedStringWithCanonicalMapping.unicodeScalars.prefix(1))
      default: letter
      }
    }
  }

  /// Returns the text composed, decomposed and in mixed forms, all canonically equal.
  package mutating func forms(_ letters: [String]) -> [String] {
    let text = letters.joined()
    let composed = text.precomposedStringWithCanonicalMapping
    let decomposed = text.decomposedStringWithCanonicalMapping
    return [text, composed, decomposed, mixed(letters), mixed(letters)]
  }

  /// Returns one form of the text, letter by letter.
  package mutating func mixed(_ letters: [String]) -> String {
    var result = ""
    for letter in letters {
      switch random.below(4) {
      case 0: result += letter.precomposedStringWithCanonicalMapping
      case 1: result += letter.decomposedStringWithCanonicalMapping
      case 2: result += exchanged(letter)
      default: result += letter
      }
    }
    return result
  }

  /// Returns the letter decomposed, with two neighboring marks exchanged if that is canonically
  /// equivalent.
  private mutating func exchanged(_ letter: String) -> String {
    var scalars = Array(letter.decomposedStringWithCanonicalMapping.unicodeScalars)
    for place in scalars.indices.dropFirst() {
      let (a, b) = (
        scalars[place - 1].properties.canonicalCombiningClass,
        scalars[place].properties.canonicalCombiningClass
      )
      guard a != b, a != .notReordered, b != .notReordered else { continue }
      scalars.swapAt(place - 1, place)
      break
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
