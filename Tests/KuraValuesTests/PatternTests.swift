import Testing

@testable import KuraValues

@Suite("MATCHES")
struct PatternTests {
  static let matches: [(text: String, pattern: String, options: TextOptions, holds: Bool)] = [
    ("ab", "a|ab", [], true), ("hello", "hel{2}o", [], true), ("test", "tes", [], false),
    ("Farenight 451", "(F|g)\\w+\\s\\d{3}", [], true), ("JOHN", "john", .caseInsensitive, true),
    ("Álice", "([Á-B])\\w+", .diacriticInsensitive, true), ("a\n", "a", [], false),
    ("", "", [], false),
    ("a.b", "\\Qa.b", [], true), ("ab", "(?x) a b # note", [], true),
    ("1 2", "\\d \\d", .caseInsensitive, true),
    ("a\n", "a$", [], false), ("ab", "a(?x) b # note", [], true), ("日本👍", "..👍", [], true),
    ("ａｂ", "ab", .caseInsensitive, true), ("a b", "\\S+", .caseInsensitive, false),
    // A wide bracket is a character, and not syntax.
    ("(株)会社", "（株）.*", .caseInsensitive, true), ("（株）", "\\(株\\)", .caseInsensitive, true),
    ("a+", "ａ＋", .caseInsensitive, true), ("aa", "ａ＋", .caseInsensitive, false),
    ("a＋", "\\Qａ＋\\E", .diacriticInsensitive, true), ("B", "[Ａ-Ｚ]", .caseInsensitive, true),
    ("d1", "\\ｄ\\d", .caseInsensitive, true), ("11", "\\ｄ\\d", .caseInsensitive, false),
    ("ｶﾞ", "ガ", .caseInsensitive, true), ("か\u{3099}", ".", .diacriticInsensitive, true),
    ("か\u{3099}", ".", [], false),
    ("Élan", "e\\w+", [.caseInsensitive, .diacriticInsensitive], true),
    // Lines: `.` matches their ends, `^` and `$` match at each of them, and the complete text must
    // match.
    ("a\nb", "a.b", [], true), ("a\r\nb", "a.b", [], true),
    ("a\u{2028}b", "A.B", .caseInsensitive, true),
    ("a\nb", ".*^b$", [], true), ("a\nb", "^a$.*", [], true), ("a\nb", "a$\\n^b", [], true),
    ("a\nb", "^b$", [], false), ("a\nb", "^a$", [], false), ("a\nb", "(?-s)a.b", [], false),
    ("a\nb", "(?-m)a$.b", [], false),
  ]

  @Test("matches the whole string", arguments: matches)
  func regular(text: String, pattern: String, options: TextOptions, holds: Bool) throws {
    #expect(try RegularExpression.cached(pattern, options).matches(text) == holds)
  }

  @Test(
    "the first match and its groups are found",
    arguments: [
      ("昭和45年", "([0-9]+)年", 1, "45"), ("昭和45年", "([0-9]+)年", 0, "45年"), ("a", "(b)|a", 1, nil),
      ("x", "y", 0, nil), ("👍b", "b", 0, "b"), ("ab\nab", "^a(.)$", 1, "b"), ("a", "", 0, nil),
    ] as [(String, String, Int, String?)])
  func first(text: String, pattern: String, group: Int, found: String?) throws {
    let expression = try RegularExpression.cached(pattern, [])
    #expect(try expression.firstMatch(in: text, group: group) == found)
    #expect(expression.groups == 0...pattern.count { $0 == "(" })
  }

  @Test(
    "an invalid pattern has a reason",
    arguments: [
      ("a(b", "missing ) for this (", 1), ("a)(b", "missing ( for this )", 1),
      ("[z-a]", "range out of order", 1), ("*a", "nothing to repeat", 0),
      ("[ab", "missing ] for this [", 0), ("a{x}", "bad { } interval", 1),
      ("a\\", "a backslash at the end", 1), ("a\n(", "missing ) for this (", 2),
      ("a\r\nb\\p{Foo}", "unknown character property or class", 10),
      ("[[:foo:]]", "unknown character property or class", 7),
      ("a{3,1}", "m is greater than n in {m,n}", 5),
      ("(?<=a*)b", "a look-behind must have a limited length", 6),
      ("𠮷\\1", "back reference to a group that does not exist", 2), ("(?", "syntax error", 1),
      ("a{99999999999}", "number too large", 11), ("\\u12", "bad escape sequence", 1),
      ("(?<n", "invalid group name", 3),
    ])
  func bad(pattern: String, reason: String, offset: Int) {
    #expect(throws: ValueError.badPattern(reason: reason, offset: offset)) {
      _ = try RegularExpression(pattern, [])
    }
  }

  @Test("a pattern that is invalid with an option has its place in the written one")
  func folded() {
    #expect(throws: ValueError.badPattern(reason: "missing ) for this (", offset: 1)) {
      _ = try RegularExpression("（(", .caseInsensitive)
    }
  }

  @Test("unbalanced brackets are refused, and do not end the program")
  func deep() {
    let pattern = String(repeating: "(", count: 50_000)
    #expect(throws: ValueError.self) { _ = try RegularExpression(pattern, []) }
    #expect(throws: ValueError.self) {
      let closed = pattern + "a" + String(repeating: ")", count: 50_000)
      _ = try RegularExpression(closed, []).matches("a")
    }
  }
}

@Suite("A match that takes too long is abandoned")
struct MatchLimitTests {
  static let long = String(repeating: "a", count: 100_000)
  static let limit = MatchLimit(steps: 200_000, bytes: 8 << 20, seconds: 60)

  @Test("after a number of steps", arguments: ["(a+)+b", "(a|aa)+b", "(.*)(.*)(.*)x", "(a*)*\\1b"])
  func steps(pattern: String) throws {
    let expression = try RegularExpression(pattern, [], Self.limit)
    #expect(throws: ValueError.matchLimit(.steps(200_000))) {
      try expression.matches(Self.long)
    }
  }

  @Test("after a limit of memory")
  func memory() throws {
    var limit = MatchLimit.standard
    limit.bytes = 1 << 20
    let expression = try RegularExpression("(a|b)*", [], limit)
    #expect(throws: ValueError.matchLimit(.bytes(1 << 20))) { try expression.matches(Self.long) }
  }

  @Test("after a CPU time if steps are slow")
  func clock() throws {
    var limit = MatchLimit.standard
    limit.seconds = 0
    let expression = try RegularExpression("(a*)(a*)\\1\\2b", [], limit)
    #expect(throws: ValueError.matchLimit(.seconds(0))) {
      try expression.matches(String(Self.long.prefix(4000)))
    }
  }

  @Test("after the standard limits")
  func standard() throws {
    #expect(throws: ValueError.matchLimit(.steps(20_000_000))) {
      try RegularExpression.cached("(a+)+b", []).matches(Self.long)
    }
  }

  @Test("and the next match starts over")
  func next() throws {
    let expression = try RegularExpression("(a+)+b", [], Self.limit)
    #expect(throws: ValueError.self) { try expression.matches(String(Self.long.prefix(1000))) }
    #expect(try expression.matches("aaab"))
    #expect(throws: ValueError.self) { try expression.matches(String(Self.long.prefix(1000))) }
  }

  @Test(
    "while slow ones succeed on a text of 100 KB",
    arguments: [
      (".*foo.*bar.*", false), ("(\\w+\\s)+", true), ("((w)|(o)|(r)|(d)|( )|(f))*", true),
      ("(?=.*foo)(?=.*word).*", true), ("(?:[^ ]* ){3}.*", true), (".*?foo.*?foo.*?foo.*", true),
    ])
  func passing(pattern: String, holds: Bool) throws {
    let text = (0..<20_000).map { $0 % 100 == 0 ? "foo " : "word " }.joined()
    #expect(try RegularExpression.cached(pattern, []).matches(text) == holds)
  }

  @Test("and several threads may match at once")
  func threads() async throws {
    let expression = try RegularExpression("(?:title|name) (\\d+)", .caseInsensitive)
    let counts = await withTaskGroup(of: Int.self) { group in
      for part in 0..<8 {
        group.addTask {
          (0..<2000).count { (try? expression.matches("TITLE \($0)\(part)")) == true }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 2000, count: 8))
  }
}
