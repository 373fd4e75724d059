import KuraDiagnostics
import Testing

@Suite struct DisplayWidthTests {
  private let width = DisplayWidth()

  @Test(
    "A character has its number of cells on a terminal",
    arguments: [
      ("", 0), ("a", 1), ("~", 1), ("誕", 2), ("誕生日", 6), ("が", 2), ("か\u{3099}", 2),
      ("ｶ\u{FF9E}", 2), ("ｱ", 1), ("Ａ", 2), ("、", 2), ("\u{3000}", 2), ("〿", 1), ("한", 2),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("é", 1), ("e\u{301}", 1), ("e\u{301}\u{302}", 1),
      ("👨‍👩‍👧", 2), ("👍🏽", 2), ("🇯🇵", 2), ("🇯", 1), ("1\u{FE0F}\u{20E3}", 2), ("❤", 1), ("❤️", 2),
      ("⌚", 2), ("🀄", 2), ("𠮷", 2), ("〰️", 2), ("葛\u{E0100}", 2), ("\u{200B}", 0), ("\u{200D}", 0),
      ("\u{7}", 0), ("\r\n", 0), ("\u{AD}", 1), ("ก\u{E33}", 2), ("क्ष", 2), ("○", 1), ("…", 1),
      ("ﬁ", 1),
      ("か゚x\u{301}👩‍🚀日", 7),
    ] as [(String, Int)])
  func cells(text: String, expected: Int) {
    #expect(width.cells(text) == expected)
    #expect(width.cells(Array(text.utf8)) == expected)
    #expect(width.cells("a" + text + "生") == expected + 3 || text.isEmpty || text == "\u{200D}")
  }

  @Test("Ambiguous characters take two cells if the setting says so")
  func ambiguous() {
    let wide = DisplayWidth(ambiguousIsWide: true)
    #expect(wide.cells("○α…─é") == 10)
    #expect(width.cells("○α…─é") == 5)
    #expect(wide.cells("aん日") == 5)
  }

  @Test("Every emoji with picture presentation takes two cells, except the letters of flags")
  func emoji() {
    var seen = 0
    for value in (0x80...0x1FFFF) as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isEmojiPresentation else {
        continue
      }
      seen += 1
      let isFlagLetter = (0x1F1E6...0x1F1FF).contains(value)
      #expect(
        width.cells(Character(scalar)) == (isFlagLetter ? 1 : 2), "U+\(String(value, radix: 16))")
    }
    #expect(seen > 1_000)
  }

  @Test("The fast path counts like the path with clusters")
  func quick() {
    for value in (0x20...0xFFFF) as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "日\(scalar)本"
      #expect(width.cells(text) == text.reduce(0) { $0 + width.cells($1) })
    }
  }

  @Test(
    "A text is cut at a cluster, with an ellipsis, and never through a wide character",
    arguments: [
      ("父の誕生日", 10, "父の誕生日"), ("父の誕生日", 9, "父の誕生…"), ("父の誕生日", 8, "父の誕…"),
      ("父の誕生日", 2, "…"), ("父の誕生日", 1, "…"), ("父の誕生日", 0, ""), ("title", 5, "title"),
      ("title", 4, "tit…"), ("か\u{3099}か\u{3099}", 3, "か\u{3099}…"), ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
      ("e\u{301}a", 2, "e\u{301}a"),
    ] as [(String, Int, String)])
  func truncation(text: String, room: Int, expected: String) {
    let cut = width.truncated(text, to: room)
    #expect(Array(cut.utf8) == Array(expected.utf8))
    #expect(width.cells(cut) <= room)
  }

  @Test("Spaces pad a text to a width on either side")
  func padding() {
    #expect(width.padded("誕生", to: 6) == "誕生  ")
    #expect(width.padded("17", to: 6, .right) == "    17")
    #expect(width.padded("誕生日", to: 5) == "誕生日")
  }
}
