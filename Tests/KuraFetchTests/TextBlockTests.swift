import Foundation
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Operations on the texts of a chunk together, compared with Swift and Foundation for each text.
@Suite("Many texts at once") struct TextBlockTests {
  /// Returns texts of several scripts: some are odd, some long, and some have another length in the other case.
  private static func texts(_ seed: UInt64, _ count: Int, plain: Bool) -> [String] {
    var dice = Dice(seed)
    let parts = [
      "passport ", "Café", "Ångström", "歯医者", "ガス", "77", " ", "父の日", "ÀÉ", "ΩΣ", "Ж", "ｱ", "",
      "x", "résumé of a long text, longer than the others",
    ]
    let odd = ["İ", "ﬁ", "e\u{301}", "👩‍🚀", "𠮷", "が", "ẞ", "\u{3000}", "\u{A0}", "\r\n", "🇯🇵"]
    return (0..<count).map { _ in
      (0..<dice.below(4)).map { _ in
        !plain && dice.chance(0.2) ? dice.pick(odd) : dice.pick(parts)
      }.joined()
    }
  }

  private static func views(_ texts: [String]) -> TextViews {
    var chunk = TextChunk()
    for text in texts {
      let utf8 = Array(text.utf8)
      chunk.append(utf8, isOdd: utf8.withUnsafeBufferPointer { OddScalars.areIn($0) })
    }
    return TextViews(chunk)
  }

  private static func strings(_ views: TextViews) -> [String] {
    let lane = TextLane(texts: views, places: .own)
    return (0..<views.count).map { lane.string($0) }
  }

  @Test("change their case", arguments: [true, false], [1, 2, 3] as [UInt64])
  func cases(plain: Bool, seed: UInt64) {
    let texts = Self.texts(seed, 700, plain: plain)
    for (textCase, wanted) in [
      (TextCase.lower, texts.map { $0.lowercased() }), (.upper, texts.map { $0.uppercased() }),
    ] {
      let views = Self.views(texts).changed(textCase)
      #expect(Self.strings(views) == wanted, "seed \(seed)")
      #expect(plain == (CaseBlock(Self.views(texts).bytes, textCase) != nil))
      for (row, text) in wanted.enumerated() where views.oddTexts?.has(row) != true {
        #expect(!Array(text.utf8).withUnsafeBufferPointer { OddScalars.areIn($0) }, "\(text)")
      }
    }
  }

  @Test("change their case, scalar by scalar", arguments: [true, false])
  func mappings(isUpper: Bool) {
    let scalars = (UInt32(0x80)...0x1FFFF).compactMap(Unicode.Scalar.init)
    for scalar in scalars {
      let mapping =
        isUpper ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
      let bytes = Array("aB\(scalar)".utf8)
      let block = CaseBlock(bytes, isUpper ? .upper : .lower)
      let keepsLength = mapping.utf8.count == String(scalar).utf8.count
      let wanted = Array(((isUpper ? "AB" : "ab") + mapping).utf8)
      #expect(block?.bytes == (keepsLength ? wanted : nil), "\(scalar.value)")
    }
  }

  @Test("are cut like each one", arguments: [4, 5, 6] as [UInt64], [0, 1, 2, 3, 5, 9] as [Int64])
  func parts(seed: UInt64, from: Int64) {
    let texts = Self.texts(seed, 600, plain: seed == 4)
    for units in [0, 1, 2, 4, 30] as [Int64] {
      let found = Self.strings(Self.views(texts).parts(from: from, units: units))
      let wanted = texts.map { $0.part(from: from, count: units) }
      #expect(found == wanted, "seed \(seed), \(from), \(units)")
    }
  }

  @Test("have their lengths", arguments: [7, 8] as [UInt64])
  func lengths(seed: UInt64) {
    let texts = Self.texts(seed, 600, plain: false)
    let lane = TextLane(texts: Self.views(texts), places: .own)
    #expect(lane.unitCounts(texts.count).spread(600) == texts.map { Int64($0.utf16.count) })
  }

  @Test("are trimmed at their ends", arguments: [9, 10, 11] as [UInt64])
  func trimmed(seed: UInt64) {
    let texts = Self.texts(seed, 300, plain: seed == 9).map { seed == 10 ? "x\($0)。" : $0 }
    let wanted = texts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    #expect(Self.strings(TextChange.trim.apply(Self.views(texts))) == wanted)
  }

  @Test("are trimmed of each space at an end")
  func blanks() {
    for scalar in (UInt32(1)...0xFFFF).compactMap(Unicode.Scalar.init) {
      let texts = ["a", "\(scalar)b", "c\(scalar)", "日\(scalar)"]
      let wanted = texts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      let found = Self.strings(TextChange.trim.apply(Self.views(texts)))
      if !zip(found, wanted).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }) {
        Issue.record("\(scalar.value): \(found)")
      }
    }
  }

  @Test("are compared with another text", arguments: [12, 13] as [UInt64])
  func equal(seed: UInt64) {
    let texts = Self.texts(seed, 500, plain: false)
    let lane = TextLane(texts: Self.views(texts), places: .own)
    for text in texts.prefix(40) + ["passport", "", "passport 77x"] {
      let found = lane.equal(to: Array(text.utf8), texts.count)
      #expect(texts.indices.allSatisfy { found[$0] == texts[$0].utf8.elementsEqual(text.utf8) })
    }
  }
}
