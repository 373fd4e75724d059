import Foundation
import KuraBytes
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

@Suite("Texts prepared for the order of a locale")
struct CollatedTextsTests {
  private static let pieces = [
    "a", "A", "z", "é", "e\u{301}", "ß", "ss", "ﬀ", "9", "10", "010", "０９", "１０", "ｱ", "ア", "ｶﾞ",
    "ガ", "か", "が",
    "家", "父", " ", "-", "_", "\u{0}", "\u{200D}", "👨‍👩‍👧", "🇯🇵", "İ", "ı", "i", "Œ", "Ä", "\u{AD}", "²",
    "٣", "١",
  ]

  private static func texts(_ random: inout SeededNumbers, _ count: Int) -> [String] {
    (0..<count).map { _ in (0..<random.below(5)).map { _ in random.pick(pieces) }.joined() }
  }

  @Test(
    "are ordered as by Foundation",
    arguments: ["en_US_POSIX", "ja_JP", "de_DE", "tr_TR", "sv_SE", "da_DK", ""], [true, false])
  func order(locale: String, isNatural: Bool) throws {
    var random = SeededNumbers(seed: 7)
    let locale = Locale(identifier: locale)
    for options in [[], .caseInsensitive, .diacriticInsensitive] as [TextOptions] {
      let options = isNatural ? options : options.union(.localeSensitive)
      let texts = Self.texts(&random, 60)
      guard let collated = CollatedTexts(texts, isNatural: isNatural, options, locale) else {
        #if canImport(Darwin)
          return
        #else
          Issue.record("nothing is made of them")
          return
        #endif
      }
      for (i, a) in texts.enumerated() {
        for (j, b) in texts.enumerated() {
          let expected =
            isNatural
            ? NaturalOrder.compare(a, b, options, locale)
            : TextNeedle(b, options, locale: locale).order(of: a)
          #expect(collated.order(i, j) == expected, "\(a.debugDescription) \(b.debugDescription)")
        }
      }
    }
  }

  @Test("have ranks in the same order, also many on both cores", arguments: [1, 2] as [UInt64])
  func ranks(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let texts = (0..<40_000).map { _ in "\(random.pick(["a", "B", "家", "ア"])) \(random.below(3000))"
    }
    let locale = Locale(identifier: "ja")
    guard let collated = CollatedTexts(texts, isNatural: seed == 1, .localeSensitive, locale),
      let ranks = collated.ranks(CancelFlag())
    else { return }
    for _ in 0..<20_000 {
      let (i, j) = (random.below(texts.count), random.below(texts.count))
      #expect(ValueOrder(ranks[i], ranks[j]) == collated.order(i, j), "\(texts[i]) \(texts[j])")
    }
  }

  @Test("are abandoned on cancellation")
  func stopped() {
    let cancel = CancelFlag()
    cancel.request()
    let texts = CollatedTexts(["b", "a"], isNatural: true, [], Locale(identifier: "en"))
    #expect(texts == nil || texts?.ranks(cancel) == nil)
  }
}
