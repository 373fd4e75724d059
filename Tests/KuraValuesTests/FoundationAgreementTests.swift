import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Comparing texts with options agrees with Foundation")
struct FoundationAgreementTests {
  @Test(
    "over generated pairs of many scripts",
    arguments: [11, 12, 13, 14] as [UInt64], [TextPairs.scripts, TextPairs.folding])
  func pairs(seed: UInt64, scripts: TextPairs) {
    var random = SeededNumbers(seed: seed)
    var tally = Tally()
    for round in 0..<26_000 {
      let (text, needle) = scripts.pair(&random)
      tally.check(text, needle, TextSamples.optionSets[round & 3])
    }
    tally.report("seed \(seed)")
    // There must be enough matches to be meaningful.
    #expect(tally.found > 10_000)
  }

  static let pieces = [
    "e", "\u{301}", "é", "\u{308}", "か", "\u{3099}", "\u{200D}", "\u{FFFF}", "\u{10000}",
    "\u{378}", "ß",
  ]

  @Test("over all short texts of marks, parts of letters and scalars at the borders")
  func shortTexts() {
    let texts = [""] + Self.pieces + Self.pieces.flatMap { a in Self.pieces.map { a + $0 } }
    var tally = Tally()
    for (i, text) in texts.enumerated() {
      for (j, needle) in texts.enumerated() {
        tally.check(text, needle, TextSamples.optionSets[(i + j) & 3])
      }
    }
    #expect(tally.found > texts.count)
    tally.report("short texts")
  }

  @Test("at the borders of the odd scalars", arguments: TextSamples.optionSets)
  func borders(options: TextOptions) {
    var tally = Tally()
    for range in OddScalars.ranges {
      for value in [
        range.lowerBound - 1, range.lowerBound, range.upperBound, range.upperBound + 1,
      ] {
        guard let scalar = Unicode.Scalar(value).map({ String(Character($0)) }) else { continue }
        for (text, needle) in [
          ("a" + scalar, "a"), (scalar + "a", "a"), ("Aa" + scalar + "é", "a" + scalar),
          ("a" + scalar, scalar), (scalar, scalar), ("aか" + scalar + "a", "か"),
        ] {
          tally.check(text, needle, options)
        }
      }
    }
    #expect(tally.found > OddScalars.ranges.count)
    tally.report("options \(options.rawValue)")
  }
}
