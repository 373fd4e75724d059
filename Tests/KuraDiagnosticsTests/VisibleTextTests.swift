import KuraDiagnostics
import Testing

@Suite struct VisibleTextTests {
  @Test(
    "Controls, separators and turns of direction become escapes of the language; the rest stays",
    arguments: [
      ("", ""), ("父の誕生日 “x” …", "父の誕生日 “x” …"), ("a\nb\r\n\tc", #"a\nb\r\n\tc"#),
      ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("\u{7F}\u{0}", #"\u{7F}\u{0}"#),
      ("\u{9B}31m\u{A0}", #"\u{9B}31m"# + "\u{A0}"), ("a\u{202E}b\u{2069}", #"a\u{202E}b\u{2069}"#),
      ("\u{2028}é", #"\u{2028}é"#), (#"C:\new"#, #"C:\new"#), ("か\u{3099}👨‍👩‍👧", "か\u{3099}👨‍👩‍👧"),
    ] as [(String, String)])
  func escapes(text: String, expected: String) {
    #expect(Array(VisibleText.of(text).utf8) == Array(expected.utf8))
  }
}
