import Testing

@testable import LineEditor

@Suite("A bracketed paste")
struct PastedTextTests {
  private func paste(_ sent: String) -> (text: String, taken: Int) {
    var pasted = PastedText()
    for (index, byte) in sent.utf8.enumerated() where pasted.take(byte) {
      return (pasted.text, index + 1)
    }
    return (pasted.text, sent.utf8.count)
  }

  @Test(
    "is text, whatever it contains",
    arguments: [
      ("誕生日", "誕生日"),
      ("a\tb", "a\tb"),
      ("a;b\rc", "a;b\nc"),
      ("a\r\nb\nc\r\r", "a\nb\nc\n\n"),
      ("\u{1B}[A\u{3}\u{7F}", "[A"),
      ("", ""),
    ])
  func isText(sent: String, text: String) {
    #expect(paste(sent + "\u{1B}[201~").text == text)
  }

  @Test func endsAtItsMarkAndNotBefore() {
    let sent = "a[201~b\u{1B}[201b\u{1B}\u{1B}[201~rest"
    #expect(paste(sent).taken == sent.utf8.count - 4)
    #expect(paste(sent).text == "a[201~b[201b")
  }
}
