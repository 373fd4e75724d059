import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("The orders for people are Foundation's")
struct OrderForPeopleTests {
  @Test("natural order compares digits by value, then case and width")
  func natural() {
    let sorted = ["Ñandu", "Note 1", "note 2", "note ２b", "Note 10", "note 10a", "日記 9", "日記 10"]
    for (i, a) in sorted.enumerated() {
      for (j, b) in sorted.enumerated() {
        let order = NaturalOrder.compare(a, b, [], Locale(identifier: "en_US"))
        #expect(order == ValueOrder(i, j), "\(a) and \(b)")
      }
    }
  }

  @Test("natural order is localizedStandardCompare", arguments: [5, 6] as [UInt64])
  func standard(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<3000 {
      let (a, b) = Self.pair(&random)
      let order = a.localizedStandardCompare(b).rawValue
      let answer = NaturalOrder.compare(a, b, [], .current)
      if order == 0 ? answer != Bytes.compare(a, b) : answer.rawValue != order {
        Issue.record("\(a) and \(b) are \(order), not \(answer), seed \(seed)")
      }
    }
  }

  @Test("l is compare with the locale", arguments: ["sv_SE", "de_DE", "ja_JP", "tr_TR"])
  func locale(name: String) {
    var random = SeededNumbers(seed: 7)
    let locale = Locale(identifier: name)
    for round in 0..<1500 {
      let (a, b) = Self.pair(&random)
      let options = TextSamples.optionSets[round & 3].union(.localeSensitive)
      let order = Self.composed(a, options).compare(
        Self.composed(b, options), options: options.foundation, range: nil, locale: locale
      ).rawValue
      let needle = TextNeedle(b, options, locale: locale)
      if needle.order(of: a).rawValue != order || needle.equals(a) != (order == 0) {
        Issue.record("\(a) and \(b) are \(order) in \(name), options \(options.rawValue)")
      }
    }
  }

  /// Composes a text, because Foundation distinguishes canonically equal texts with `[d]`.
  private static func composed(_ text: String, _ options: TextOptions) -> String {
    let decomposed = text.decomposedStringWithCanonicalMapping
    let narrow =
      options.folds ? decomposed.folding(options: .widthInsensitive, locale: nil) : decomposed
    return narrow.precomposedStringWithCanonicalMapping
  }

  private static func pair(_ random: inout SeededNumbers) -> (String, String) {
    let (a, b) = TextPairs.scripts.pair(&random)
    let numbers = ["", "1", "9", "10", "010", "２", " 3"]
    return (a + random.pick(numbers), b + random.pick(numbers))
  }
}
