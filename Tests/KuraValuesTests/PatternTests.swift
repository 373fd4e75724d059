import Testing

@testable import KuraValues

@Suite("LIKE and MATCHES")
struct PatternTests {
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
    ("a\\b", "a\\b", [], true), ("mississippi", "*iss*ip*", [], true), ("aaab", "*a?b", [], true),
  ]

  @Test("LIKE knows two wildcards", arguments: likes)
  func like(text: String, pattern: String, options: TextOptions, holds: Bool) {
    #expect(LikePattern(pattern, options).matches(text) == holds)
  }

  @Test("LIKE stays quick where a backtracking matcher does not")
  func quick() {
    let pattern = LikePattern(String(repeating: "a*", count: 50) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 20_000)))
  }

  static let matches: [(text: String, pattern: String, options: TextOptions, holds: Bool)] = [
    ("ab", "a|ab", [], true), ("hello", "hel{2}o", [], true), ("test", "tes", [], false),
    ("Farenight 451", "(F|g)\\w+\\s\\d{3}", [], true), ("JOHN", "john", .caseInsensitive, true),
    ("Álice", "([Á-B])\\w+", .diacriticInsensitive, true), ("a\n", "a", [], false),
    ("", "", [], false),
    ("a.b", "\\Qa.b", [], true), ("ab", "(?x) a b # note", [], true),
    ("1 2", "\\d \\d", .caseInsensitive, true),
    ("ａｂ", "ab", .caseInsensitive, true), ("a b", "\\S+", .caseInsensitive, false),
  ]

  @Test("MATCHES is about the whole string", arguments: matches)
  func regular(text: String, pattern: String, options: TextOptions, holds: Bool) throws {
    #expect(try RegularExpression.cached(pattern, options).matches(text) == holds)
  }

  @Test(
    "a pattern that is none says why",
    arguments: [
      ("a(b", "missing ) for this (", 1), ("a)(b", "this ) closes nothing", 1),
      ("[z-a]", "this range runs backwards", 1), ("*a", "nothing to repeat", 0),
      ("[ab", "missing ] for this [", 0), ("a{x}", "bad { } interval", 1),
    ])
  func bad(pattern: String, reason: String, offset: Int) {
    #expect(throws: ValueError.badPattern(reason: reason, offset: offset)) {
      _ = try RegularExpression(pattern, [])
    }
  }
}
