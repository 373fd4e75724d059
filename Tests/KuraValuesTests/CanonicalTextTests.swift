import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Canonically equal texts have equal results")
struct CanonicalTextTests {
  static let options: [TextOptions] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    .localeSensitive, [.caseInsensitive, .localeSensitive],
    [.caseInsensitive, .diacriticInsensitive, .localeSensitive],
  ]
  static let locale = Locale(identifier: "en_US")

  @Test(
    "with every operator and option, in any form of both sides",
    arguments: [1, 2, 3] as [UInt64])
  func generated(seed: UInt64) throws {
    var texts = CanonicalTexts(seed: seed)
    var held = 0
    for round in 0..<210 {
      let letters = texts.letters(upTo: 4)
      let needles = texts.needle(in: letters)
      let (texts, needle) = (texts.forms(letters), texts.forms(needles))
      for text in texts { #expect(text == texts[0], "not a form: \(Self.hex(text)), seed \(seed)") }
      let options = Self.options[round % Self.options.count]
      let answer = try Self.answers(texts[0], needle[0], options)
      held += answer.isEmpty ? 0 : 1
      for text in texts {
        for needle in needle {
          let other = try Self.answers(text, needle, options)
          if other != answer {
            Issue.record(
              """
              \(Self.hex(text)) / \(Self.hex(needle)), options \(options.rawValue), seed \(seed): \
              \(other.sorted()), and \(answer.sorted()) in the first form
              """)
          }
        }
      }
    }
    #expect(held > 50)
  }

  /// The key of a text with odd scalars consists of the keys of its parts.
  @Test("have the key of the whole decomposed text", arguments: [4, 5, 6] as [UInt64])
  func wholeKeys(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    for fold in [TextFold.c, .d, .cd, .width, .composing] {
      for _ in 0..<400 {
        let text = TextSamples.text(TextSamples.ordinary + TextSamples.odd, upTo: 9, &random)
        let expected = Self.wholeKey(text, fold)
        #expect(
          Array(fold.key(text).utf8) == Array(expected.utf8), "\(Self.hex(text)), seed \(seed)")
      }
    }
  }

  /// Decomposes a text, folds it scalar by scalar, drops marks, and composes it.
  private static func wholeKey(_ text: String, _ fold: TextFold) -> String {
    var key = String.UnicodeScalarView()
    var base: Unicode.Scalar?
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      let folded = fold.key(String(scalar)).unicodeScalars
      if scalar.isMark {
        let isDropped = fold.options.contains(.diacriticInsensitive)
        if isDropped, let base, base.value < 0x510 { continue }
      } else {
        base = folded.last
      }
      key.append(contentsOf: folded)
    }
    return String(key).precomposedStringWithCanonicalMapping
  }

  /// Returns the operators that hold for a text and a needle.
  ///
  /// Without options `==`, `<`, LIKE and MATCHES compare scalars, so forms differ.
  private static func answers(
    _ text: String, _ needle: String, _ options: TextOptions
  ) throws -> Set<String> {
    let prepared = TextNeedle(needle, options, locale: locale)
    var answers: Set<String> = []
    func note(_ name: String, _ holds: Bool) { if holds { answers.insert(name) } }
    note("CONTAINS", prepared.isContained(in: text))
    note("BEGINSWITH", prepared.begins(text))
    note("ENDSWITH", prepared.ends(text))
    guard !options.isEmpty else { return answers }
    note("==", prepared.equals(text))
    note("<", prepared.order(of: text) == .before)
    note(">", prepared.order(of: text) == .after)
    guard options.folds else { return answers }
    note("LIKE x", LikePattern(needle, options).matches(text))
    note("LIKE x*", LikePattern(needle + "*", options).matches(text))
    note("LIKE *x*", LikePattern("*" + needle + "*", options).matches(text))
    note("LIKE ?x", LikePattern("?" + needle, options).matches(text))
    note("MATCHES x", try RegularExpression(needle, options).matches(text))
    note("MATCHES .x.*", try RegularExpression("." + needle + ".*", options).matches(text))
    return answers
  }

  @Test("and the operators are consistent", arguments: [5, 6] as [UInt64])
  func equivalence(seed: UInt64) {
    var texts = CanonicalTexts(seed: seed)
    for _ in 0..<300 {
      let letters = texts.letters(upTo: 3)
      let text = texts.mixed(letters)
      let needle = texts.mixed(texts.needle(in: letters))
      for options in TextSamples.optionSets where options.folds {
        let prepared = TextNeedle(needle, options)
        let equal = prepared.equals(text)
        let facts = Comment(
          rawValue:
            "\(Self.hex(text)) / \(Self.hex(needle)), options \(options.rawValue), seed \(seed)")
        #expect(equal == TextNeedle(text, options).equals(needle), facts)
        #expect(equal == (prepared.order(of: text) == .same), facts)
        #expect(equal == LikePattern(needle, options).matches(text), facts)
        let key = TextFold.of(options)?.key(text)
        #expect(equal == (key == TextFold.of(options)?.key(needle)), facts)
        #expect(key.map { TextNeedle($0, options).equals(text) } == true, facts)
        guard options.contains(.diacriticInsensitive) else { continue }
        #expect(prepared.begins(text) == LikePattern(needle + "*", options).matches(text), facts)
        #expect(prepared.ends(text) == LikePattern("*" + needle, options).matches(text), facts)
      }
    }
  }

  @Test("except with n, which compares bytes, and without options, where == compares scalars")
  func exact() {
    #expect(!TextNeedle("ガ").equals("カ\u{3099}"))
    #expect(TextNeedle("ガ").isContained(in: "カ\u{3099}ス"))
    #expect(!TextNeedle("ガ", .normalized).isContained(in: "カ\u{3099}ス"))
    #expect(!TextNeedle("ガ").isContained(in: "ｶﾞｽ"))
  }

  /// A letter in all of its forms, and a different letter.
  static let letters: [(forms: [String], other: String)] = [
    (["ガ", "カ\u{3099}", "ｶﾞ", "ｶ\u{3099}"], "カ"), (["ぱ", "は\u{309A}"], "は"), (["ｳﾞ", "ヴ"], "ウ"),
    (["\u{622}", "\u{627}\u{653}"], "\u{627}"), (["\u{626}", "\u{64A}\u{654}"], "\u{64A}"),
    (["\u{D55C}", "\u{1112}\u{1161}\u{11AB}", "\u{D558}\u{11AB}"], "\u{D558}"),
    (["\u{958}", "\u{915}\u{93C}"], "\u{915}"), (["\u{FB2A}", "\u{5E9}\u{5C1}"], "\u{5E9}"),
    (["\u{9CB}", "\u{9C7}\u{9BE}"], "\u{9C7}"),
  ]

  @Test(
    "and no mark of a script other than Latin, Greek and Cyrillic is dropped", arguments: letters)
  func kept(forms: [String], other: String) {
    for options in TextSamples.optionSets where options.folds {
      for form in forms {
        for needle in forms {
          #expect(TextNeedle(needle, options).equals(form))
          #expect(LikePattern(needle + "*", options).matches(form + "x"))
          #expect(TextNeedle(needle, options).begins(form + "x"))
        }
        #expect(!TextNeedle(other, options).equals(form))
        #expect(!TextNeedle(form, options).equals(other))
        #expect(!LikePattern(other, options).matches(form))
        #expect(TextNeedle(other, options).order(of: form) == .after)
      }
    }
  }

  @Test(
    "and marks of Latin, Greek and Cyrillic are",
    arguments: [
      ("é", "e"), ("Ế", "E"), ("ộ", "o"), ("й", "и"), ("ΐ", "ι"), ("ᾴ", "α"), ("İ", "I"),
      ("x\u{301}\u{323}", "x"), ("Å", "A"), ("\u{212B}", "A"), ("≠", "="),
    ])
  func dropped(letter: String, plain: String) {
    var texts = CanonicalTexts(seed: 1)
    for form in texts.forms([letter]) {
      for options in [.diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
        as [TextOptions]
      {
        #expect(TextNeedle(plain, options).equals(form))
        #expect(TextNeedle(form, options).equals(plain))
        #expect(TextNeedle(plain, options).begins(form + "z"))
        #expect(LikePattern(form + "*", options).matches(plain + "z"))
      }
      #expect(!TextNeedle(plain, .caseInsensitive).equals(form))
      #expect(!TextNeedle(plain, .caseInsensitive).isContained(in: form))
      #expect(!TextNeedle(plain).isContained(in: form))
    }
  }

  @Test(
    "and the key of a text is that of all its forms, and is stable", arguments: [7, 8] as [UInt64])
  func keys(seed: UInt64) {
    var texts = CanonicalTexts(seed: seed)
    for _ in 0..<500 {
      let forms = texts.forms(texts.letters(upTo: 5))
      for fold in [TextFold.c, .d, .cd, .width, .composing] {
        let key = fold.key(forms[0])
        #expect(fold.key(key).utf8.elementsEqual(key.utf8), "\(Self.hex(forms[0])), seed \(seed)")
        for form in forms {
          #expect(fold.key(form).utf8.elementsEqual(key.utf8), "\(Self.hex(form)), seed \(seed)")
        }
      }
    }
  }

  static func hex(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }
}
