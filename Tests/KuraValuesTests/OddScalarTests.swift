import Foundation
import Testing

@testable import KuraValues

@Suite("Texts without odd scalars are searched by their bytes")
struct OddScalarTests {
  static let ordinary = (Array(1...0xFFFF) + beyond).compactMap(Unicode.Scalar.init)
    .filter { !OddScalars.contains($0.value) }
  /// All pictographs, and one in sixty of the ideographs.
  private static let beyond = OddScalars.plain.flatMap { range in
    stride(from: range.lowerBound, through: range.upperBound, by: range.count > 4096 ? 61 : 1)
  }

  @Test(
    "next to every ordinary scalar of the plane", arguments: ["誕生", "ひら", "각가", "ab", "\n", "🍣🎉"])
  func neighbors(needle: String) {
    let parts = needle.unicodeScalars.map { String(Character($0)) }
    var searched = 0
    for options in TextSamples.optionSets {
      let prepared = TextNeedle(needle, options)
      guard prepared.isStable || !options.folds else { continue }
      let bytes = prepared.key
      searched += 1
      for scalar in Self.ordinary {
        let other = String(Character(scalar))
        for text in [other + needle, needle + other, parts.joined(separator: other)] {
          let answer = Reference.finds(needle, in: text, options)
          let found = contains(text, bytes)
          if found != answer {
            Issue.record("U+\(String(scalar.value, radix: 16)) \(needle) \(options.rawValue)")
          }
        }
      }
    }
    #expect(searched > 0)
  }

  @Test("because no scalar folds to a stable scalar", arguments: TextSamples.optionSets)
  func stable(options: TextOptions) throws {
    let fold = TextFold.of(options) ?? .composing
    var stable = 0
    for scalar in (0x20...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
      let text = String(Character(scalar))
      let isStable = StableScalars.contain(scalar, folded: options.folds)
      let key = fold.key(text)
      let unchanged = key.unicodeScalars.elementsEqual([scalar])
      stable += isStable ? 1 : 0
      if unchanged { continue }
      let arises = key.unicodeScalars.contains {
        StableScalars.contain($0, folded: options.folds)
      }
      if isStable || arises { Issue.record("U+\(String(scalar.value, radix: 16))") }
    }
    #expect(stable > 27_000)
  }

  @Test("and no ordinary scalar is a mark, except those that Foundation does not know")
  func noMarks() {
    let marks = Self.ordinary.filter { $0.isMark && $0.value != 0x0897 }
    #expect(marks.isEmpty)
  }

  @Test("every scalar equals what it folds to", arguments: TextSamples.optionSets)
  func folds(options: TextOptions) throws {
    let fold = TextFold.of(options)
    #expect((fold != nil) == options.folds)
    guard let fold else { return }
    for scalar in Self.ordinary {
      let folded = try #require(Unicode.Scalar(fold.folded(scalar.value)))
      let same =
        Reference.order(
          String(Character(scalar)), String(Character(folded)), options) == 0
      if !same || OddScalars.contains(folded.value) {
        Issue.record("U+\(String(scalar.value, radix: 16)) options \(options.rawValue)")
      }
    }
  }

  @Test("and nothing from U+4000 to U+9FFF is odd or folds", arguments: TextSamples.optionSets)
  func ideographs(options: TextOptions) {
    for number in UInt32(0x40)...0x9F {
      let scalars = (number << 8)..<((number + 1) << 8)
      let page = FoldPage(number, options.foundation).table
      #expect(!scalars.contains(where: OddScalars.contains))
      #expect((0..<256).map { UInt32(page[$0]) } == Array(scalars))
      #expect(!(0..<256).contains(where: page.decomposes))
    }
  }

  @Test("and scalars next to marks, jamo, and outside the plane are odd")
  func odd() {
    for piece in TextSamples.odd {
      #expect(isOdd(piece), "\(piece)")
    }
    let plain = "Straße ohne".replacingOccurrences(of: "ß", with: "ss") + " 誕生日 ガス"
    #expect(!isOdd(plain))
  }

  private func isOdd(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(OddScalars.areIn)
  }

  private func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in bytes.withUnsafeBufferPointer { Bytes.contains(utf8, $0) } }
  }

  @Test("and split at separators next to most scalars")
  func separators() throws {
    var known = 0
    let separator = try #require(ByteSeparator(", "))
    let scalars =
      (0x21...0xFFFF).map { UInt32($0) } + Array(0x1F000...0x1FAFF) + [0x20B9F, 0xE0100]
    let pieces =
      scalars.compactMap(Unicode.Scalar.init).map { String($0) }
      + ["❤️", "👍🏽", "👨‍👩‍👧", "🇯🇵", "e\u{301}", "か\u{3099}", "क्ष"]
    for piece in pieces {
      let text = "a\(piece), \(piece)b, \(piece), c"
      let bytes = Array(text.utf8)
      var parts: [String] = []
      let isKnown = bytes.withUnsafeBufferPointer { bytes in
        separator.parts(of: bytes) { parts.append(String(decoding: bytes[$0], as: UTF8.self)) }
      }
      guard isKnown else { continue }
      known += 1
      let wanted = text.components(separatedBy: ", ")
      if parts.map({ Array($0.utf8) }) != wanted.map({ Array($0.utf8) }) {
        Issue.record(
          "\(piece.unicodeScalars.map { String($0.value, radix: 16) }): \(parts), \(wanted)")
      }
    }
    #expect(known > 55_000)
  }
}
