import KuraDiagnostics
import Testing

@Suite struct VisibleTextTests {
  @Test(
    "Control characters, separators and changes of direction are escaped; the rest is unchanged",
    arguments: [
      ("", ""), ("父の誕生日 “x” …", "父の誕生日 “x” …"), ("a\nb\r\n\tc", #"a\nb\r\n\tc"#),
      ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("\u{7F}\u{0}", #"\u{7F}\u{0}"#),
      ("\u{9B}31m\u{A0}", #"\u{9B}31m"# + "\u{A0}"), ("a\u{202E}b\u{2069}", #"a\u{202E}b\u{2069}"#),
      ("\u{2028}é", #"\u{2028}é"#), (#"C:\new"#, #"C:\new"#), ("か\u{3099}👨‍👩‍👧", "か\u{3099}👨‍👩‍👧"),
      ("a\u{200B}b\u{FEFF}\u{2060}c\u{AD}", #"a\u{200B}b\u{FEFF}\u{2060}c\u{AD}"#),
      ("\u{200D}x\u{200D}y\u{200C}", #"\u{200D}x\u{200D}y\u{200C}"#),
      ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("\u{61C}\u{180E}", #"\u{61C}\u{180E}"#),
      ("\u{200E}\u{200F}", #"\u{200E}\u{200F}"#), ("x\u{E0041}", #"x\u{E0041}"#),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}"),
      ("誕\u{200B}\u{200D}生", #"誕\u{200B}\u{200D}生"#),
    ] as [(String, String)])
  func escapes(text: String, expected: String) {
    #expect(Array(VisibleText.of(text).utf8) == Array(expected.utf8))
  }

  @Test("Lines keep their ends and tabs")
  func lines() {
    var shown: [UInt8] = []
    Array("a\tb\u{1B}\r\n誕\u{9B}".utf8).withUnsafeBytes {
      VisibleText.append(lines: $0, to: &shown)
    }
    #expect(String(decoding: shown, as: UTF8.self) == "a\tb\\u{1B}\\r\n誕\\u{9B}")
  }
}
