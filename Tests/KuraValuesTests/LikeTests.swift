import TestSupport
import Testing

@testable import KuraValues

@Suite("LIKE")
struct LikeTests {
  static let likes: [(text: String, pattern: String, options: TextOptions, holds: Bool)] = [
    ("hello", "hel*o", [], true), ("helo", "hel?o", [], false), ("abbc", "a?c", [], false),
    ("aabbcczzeeffzZ?", "?a*z?\\?", [], true), ("", "*", [], true), ("", "", [], true),
    ("a", "", [], false), ("", "?", [], false), ("誕生日", "誕?日", [], true),
    ("a*b", "a\\*b", [], true),
    ("axb", "a\\*b", [], false), ("a.b", "a.b", [], true), ("axb", "a.b", [], false),
    ("HELLO", "hel*o", .caseInsensitive, true),
    ("Café", "cafe", [.caseInsensitive, .diacriticInsensitive], true),
    ("ＡＢＣ", "a?c", .caseInsensitive, true), ("か\u{3099}す", "が?", .caseInsensitive, true),
    ("Straße", "STRASSE", .caseInsensitive, true), ("👍!", "?!", [], true),
    ("a\\b", "a\\b", [], true), ("a\\b", "a\\\\b", [], true), ("a\\", "a\\", [], true),
    ("a\\\\b", "a\\\\b", [], false), ("a\\xy", "a\\\\*", [], true), ("a*", "a\\\\*", [], false),
    ("a\\*", "a\\\\\\*", [], true), ("mississippi", "*iss*ip*", [], true),
    ("aaab", "*a?b", [], true),
  ]

  @Test("has two wildcards", arguments: likes)
  func like(text: String, pattern: String, options: TextOptions, holds: Bool) {
    #expect(LikePattern(pattern, options).matches(text) == holds)
  }

  @Test(
    "reads a text once, with any number of stars",
    arguments: [
      ("*a", 1000, "*b"), ("a", 1000, "b*"), ("*aab", 500, ""), ("*a?a*a??b*", 1, ""),
      ("?", 60, "*a*b"), ("?*", 1000, "b"), ("*aaaa?aaaab*", 1, ""), ("a*?*a?*b", 1, ""),
    ])
  func linear(part: String, times: Int, rest: String) {
    let pattern = "*" + String(repeating: part, count: times) + rest
    var steps = 0
    let count = 100_000
    _ = LikePattern(pattern).matches(String(repeating: "a", count: count), &steps)
    #expect(steps <= 2 * count + pattern.utf8.count)
  }

  @Test("and once for every 64 characters between stars that include ?")
  func wide() {
    var steps = 0
    let part = "a" + String(repeating: "a?", count: 160) + "b"
    #expect(!LikePattern("*\(part)*").matches(String(repeating: "a", count: 10_000), &steps))
    #expect(steps <= 6 * 10_000)
    #expect(LikePattern("*\(part)*").matches("xx" + String(repeating: "a", count: 400) + "b"))
  }

  @Test("agrees with a matcher that tries everything", arguments: [1, 2, 3] as [UInt64])
  func generated(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    var held = 0
    for _ in 0..<20_000 {
      let text = String((0..<(random.next() % 9)).map { _ in random.pick(Array("aabé👍")) })
      let pattern = String(
        (0..<(random.next() % 8)).map { _ in random.pick(Array("aab**??é👍")) })
      let holds = Self.brute(Array(pattern.unicodeScalars)[...], Array(text.unicodeScalars)[...])
      if holds { held += 1 }
      if LikePattern(pattern).matches(text) != holds {
        Issue.record("\(text) LIKE \(pattern) is \(holds), seed \(seed)")
      }
    }
    #expect(held > 1000)
  }

  private static func brute(
    _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return (0...text.count).contains { brute(rest, text.dropFirst($0)) }
    }
    guard let letter = text.first, first == "?" || first == letter else { return false }
    return brute(rest, text.dropFirst())
  }

  @Test(
    "counts a scalar of the composed text as a character",
    arguments: [
      ("é", "?", [], true), ("e\u{301}", "?", [], false), ("e\u{301}", "??", [], true),
      ("e\u{301}", "?", .caseInsensitive, true), ("👨‍👩‍👧", "?????", [], true),
      ("🇯🇵", "??", [], true), ("ｶﾞ", "?", .caseInsensitive, true),
      ("ｶﾞ", "ガ", .diacriticInsensitive, true), ("\n", "?", [], true), ("\r\n", "??", [], true),
    ] as [(String, String, TextOptions, Bool)])
  func characters(text: String, pattern: String, options: TextOptions, holds: Bool) {
    #expect(LikePattern(pattern, options).matches(text) == holds)
  }
}
