import KuraDiagnostics
import Testing

@Suite struct SourceTextTests {
  @Test(
    "A byte offset has a line and a column of characters, with LF and CRLF",
    arguments: [
      ("", 0, 1, 1), ("abc", 0, 1, 1), ("abc", 3, 1, 4), ("abc", 99, 1, 4), ("abc", -1, 1, 1),
      ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1), ("a\r\nb", 1, 1, 2), ("a\r\nb", 2, 1, 2),
      ("a\r\nb", 3, 2, 1),
      ("a\r\n\r\n誕生日", 8, 3, 2), ("誕生日", 3, 1, 2), ("誕生日", 4, 1, 2), ("か\u{3099}x", 6, 1, 2),
      ("か\u{3099}x", 3, 1, 1), ("e\u{301}x", 1, 1, 1), ("e\u{301}x", 3, 1, 2), ("👨‍👩‍👧x", 18, 1, 2),
      ("a\n", 2, 2, 1),
    ] as [(String, Int, Int, Int)])
  func location(text: String, offset: Int, line: Int, column: Int) {
    #expect(SourceText(text).location(of: offset) == SourceLocation(line: line, column: column))
  }

  @Test("The first line may have another number than one")
  func firstLine() {
    let text = SourceText("a\nb", firstLine: 7)
    #expect(text.location(of: 2) == SourceLocation(line: 8, column: 1))
  }

  @Test("The text of a span is clipped to the existing text")
  func text() {
    #expect(SourceText("誕生日").text(SourceSpan(3, 6)) == "生")
    #expect(SourceText("誕生日").text(SourceSpan(6, 600)) == "日")
    #expect(SourceText("誕生日").text(SourceSpan(-5, 3)) == "誕")
    #expect(SourceText("誕生日").text(SourceSpan(50, 60)) == "")
  }
}
