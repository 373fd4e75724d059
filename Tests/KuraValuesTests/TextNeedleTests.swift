import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("A search for a text has Foundation's result")
struct TextNeedleTests {
  @Test("over generated pairs of ordinary and odd texts", arguments: [1, 2, 3] as [UInt64])
  func generated(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    for round in 0..<3000 {
      let pieces =
        round % 3 == 0 ? TextSamples.ordinary + TextSamples.odd : TextSamples.ordinary
      let text = TextSamples.text(pieces, upTo: 8, &random)
      let needle = TextSamples.needle(in: text, pieces, &random)
      for options in TextSamples.optionSets { check(text, needle, options, seed) }
    }
  }

  private func check(_ text: String, _ needle: String, _ options: TextOptions, _ seed: UInt64) {
    let prepared = TextNeedle(needle, options)
    let facts = Comment(
      rawValue: "\(hex(text)) / \(hex(needle)), options \(options.rawValue), seed \(seed)")
    #expect(
      prepared.isContained(in: text) == Reference.finds(needle, in: text, options), facts)
    #expect(
      prepared.begins(text) == Reference.finds(needle, in: text, options, .anchored), facts)
    #expect(
      prepared.ends(text)
        == Reference.finds(needle, in: text, options, [.anchored, .backwards]), facts)
    guard options.folds else { return }
    let order = Reference.order(text, needle, options)
    #expect(prepared.order(of: text).rawValue == order, facts)
    #expect(prepared.equals(text) == (order == 0), facts)
  }

  private func hex(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }

  @Test(
    "except where it confuses a letter before one that folds with a letter with a mark",
    arguments: [
      ("かＡ", "が"), ("ИЄ", "Й"), ("йжЕҐ", "ЙжЁ"), ("xиЄЖ", "xйж"), ("e１", "é"), ("かA", "が"),
      ("がＡ", "かＡ"), ("Й", "ИЄ"), ("иЄx", "йx"), ("eé", "ế"), ("EEé", "Ế"), ("xEÉ", "xế"),
    ])
  func takenForAnother(text: String, needle: String) {
    for options in TextSamples.optionSets { check(text, needle, options, 0) }
    let prepared = TextNeedle(needle, .caseInsensitive)
    #expect(!prepared.isContained(in: text) && !prepared.begins(text) && !prepared.ends(text))
    #expect(!prepared.equals(text) && prepared.order(of: text) != .same)
  }

  @Test(
    "and halfwidth kana with their marks equal the letters",
    arguments: [("ｶﾞｽ", "ガス"), ("ﾊﾟﾝ", "パン"), ("ｳﾞ", "ヴ"), ("ﾜﾞ", "ヷ"), ("ﾒﾓ", "メモ")])
  func halfwidth(half: String, full: String) {
    for options in TextSamples.optionSets where options.folds {
      #expect(TextNeedle(half, options).equals(full) && TextNeedle(full, options).equals(half))
      #expect(TextNeedle(half, options).isContained(in: "東京" + full + "店"))
      #expect(TextNeedle(full, options).begins(half + "店"))
      #expect(TextNeedle(full, options).ends("東京" + half))
      #expect(TextNeedle(full, options).order(of: half) == .same)
    }
    #expect(!TextNeedle(half).equals(full))
  }

  @Test("so that a letter does not equal its voiced form")
  func voiced() {
    for options in [.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]] as [TextOptions] {
      #expect(!TextNeedle("が", options).isContained(in: "たしかＡさん"))
      #expect(!TextNeedle("ば", options).equals("はｱ"))
      #expect(TextNeedle("がａ", options).isContained(in: "たしがＡさん"))
    }
    #expect(!TextNeedle("café", .caseInsensitive).equals("cafeД"))
  }

  @Test("and the empty needle is not found", arguments: TextSamples.optionSets)
  func empty(options: TextOptions) {
    let needle = TextNeedle("", options)
    #expect(!needle.isContained(in: "") && !needle.isContained(in: "a"))
    #expect(!needle.begins("a") && !needle.ends("a") && !needle.begins(""))
    #expect(needle.equals("") && !needle.equals("a"))
  }

  @Test("while n compares bytes and nothing else")
  func normalized() {
    let needle = TextNeedle("が", [.normalized, .caseInsensitive])
    #expect(needle.isContained(in: "ながめ"))
    #expect(!needle.isContained(in: "か\u{3099}"))
    #expect(TextNeedle("a", [.normalized, .caseInsensitive]).equals("A") == false)
  }

  @Test("and equality without options compares scalars")
  func scalars() {
    #expect(!TextNeedle("が").equals("か\u{3099}"))
    #expect(TextNeedle("が", .caseInsensitive).equals("か\u{3099}"))
  }

  @Test("and l sorts according to the locale")
  func locale() {
    let german = TextNeedle("z", .localeSensitive, locale: Locale(identifier: "de_DE"))
    let swedish = TextNeedle("z", .localeSensitive, locale: Locale(identifier: "sv_SE"))
    #expect(german.order(of: "ä") == .before)
    #expect(swedish.order(of: "ä") == .after)
  }
}
