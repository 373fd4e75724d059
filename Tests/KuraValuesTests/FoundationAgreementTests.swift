import Foundation
import Testing

@testable import KuraValues

@Suite("Comparing texts under options agrees with Foundation")
struct FoundationAgreementTests {
  @Test(
    "over generated pairs of many scripts",
    arguments: [11, 12, 13, 14] as [UInt64], [TextPairs.scripts, TextPairs.folding])
  func pairs(seed: UInt64, scripts: TextPairs) {
    var random = Seeded(seed)
    var tally = Tally()
    for round in 0..<30_000 {
      let (text, needle) = scripts.pair(&random)
      tally.check(text, needle, TextSamples.optionSets[round & 3])
    }
    for (name, pairs) in tally.disagreements {
      let examples = pairs.prefix(10).joined(separator: "\n")
      Issue.record("\(name) on \(pairs.count) pairs of seed \(seed):\n\(examples)")
    }
    // What is asked must hold often enough to say something.
    #expect(tally.found > 10_000)
  }
}

/// What came of the comparisons.
private struct Tally {
  var found = 0
  var disagreements: [String: [String]] = [:]

  mutating func check(_ text: String, _ needle: String, _ options: TextOptions) {
    let prepared = TextNeedle(needle, options)
    func note(_ name: String, _ answer: Bool, _ foundation: Bool) {
      guard answer != foundation else { return }
      disagreements[name, default: []].append(
        "\(text) [\(hex(text))], \(needle) [\(hex(needle))], options \(options.rawValue): \(answer)"
      )
    }
    let isFound = Reference.finds(needle, in: text, options)
    if isFound { found += 1 }
    note("CONTAINS", prepared.isContained(in: text), isFound)
    note("BEGINSWITH", prepared.begins(text), Reference.finds(needle, in: text, options, .anchored))
    note(
      "ENDSWITH", prepared.ends(text),
      Reference.finds(needle, in: text, options, [.anchored, .backwards]))
    guard options.folds else { return }
    let order = Reference.order(text, needle, options)
    note("==", prepared.equals(text), order == 0)
    note("<", prepared.order(of: text) == .before, order < 0)
    note(">", prepared.order(of: text) == .after, order > 0)
  }

  private func hex(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }
}
