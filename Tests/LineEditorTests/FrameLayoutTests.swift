import TestSupport
import Testing

@testable import LineEditor

@Suite("The picture of a text")
struct FrameLayoutTests {
  private let prompt = Prompt("> ", continuation: "- ")

  private func frame(
    _ text: String, at cursor: Int? = nil, columns width: Int, highlight: [StyledSpan] = [],
    hint: String = ""
  ) -> Frame {
    let characters = Array(text)
    return FrameLayout.frame(
      EditText(characters, cursor: cursor ?? characters.count), prompt: prompt, columns: width,
      highlight: highlight, hint: hint, width: columns)
  }

  private func contents(_ frame: Frame) -> [String] { frame.rows.map(\.content) }

  @Test func beginsWithThePromptAndEndsWithTheCursor() {
    let frame = frame("abc", columns: 20)
    #expect(contents(frame) == ["> abc"])
    #expect((frame.cursorRow, frame.cursorColumn) == (0, 5))
  }

  @Test func showsWhatIsHidden() {
    let frame = FrameLayout.frame(
      EditText(Array("a\u{9B}b"), cursor: 3), prompt: Prompt("\u{1B}> "), columns: 8,
      width: { _ in 1 }, visible: { $0 == "\u{9B}" ? "<9B>" : $0 })
    #expect(contents(frame) == ["^[> a<9B", ">b"])
    #expect((frame.cursorRow, frame.cursorColumn) == (1, 2))
  }

  @Test func countsTheColumnsOfWideCharacters() {
    let frame = frame("誕か\u{3099}日", at: 2, columns: 20)
    #expect(frame.rows[0].width == 8)
    #expect(frame.cursorColumn == 6)
  }

  @Test func neverSplitsAWideCharacter() {
    let frame = frame("a誕生日", columns: 6)
    #expect(contents(frame) == ["> a誕", "生日"])
    #expect(frame.rows.map(\.width) == [5, 4])
  }

  @Test func putsTheCursorWhereItsCharacterIs() {
    let frame = frame("a誕生日", at: 2, columns: 6)
    #expect((frame.cursorRow, frame.cursorColumn) == (1, 0))
  }

  @Test func givesTheCursorARowBehindAFullOne() {
    let frame = frame("abcd", columns: 6)
    #expect(contents(frame) == ["> abcd", ""])
    #expect((frame.cursorRow, frame.cursorColumn) == (1, 0))
  }

  @Test func putsTheOtherPromptBeforeOtherLines() {
    let frame = frame("a\nb\n", columns: 20)
    #expect(contents(frame) == ["> a", "- b", "- "])
    #expect((frame.cursorRow, frame.cursorColumn) == (2, 2))
  }

  @Test func countsTABsFromTheText() {
    #expect(contents(frame("a\tb\t", columns: 40)) == ["> a       b       "])
  }

  @Test func showsControlCharacters() {
    #expect(contents(frame("a\u{1}\u{7F}", columns: 40)) == ["> a^A^?"])
  }

  @Test func colorsSpansAndEndsColorsWithTheirRow() {
    let frame = frame("ab誕c", columns: 5, highlight: [StyledSpan(1..<5, style: "33")])
    #expect(contents(frame) == ["> a\u{1B}[0;33mb\u{1B}[0m", "\u{1B}[0;33m誕\u{1B}[0mc"])
  }

  @Test func showsAHintAsFarAsItFits() {
    #expect(contents(frame("ab", columns: 7, hint: "cdef")) == ["> ab\u{1B}[0;2mcd\u{1B}[0m"])
    #expect(contents(frame("ab", at: 0, columns: 7, hint: "cd")) == ["> ab"])
  }

  @Test func ofAHighTextShowsTheRowsAroundTheCursor() {
    let lines = (0..<9).map(String.init).joined(separator: "\n")
    #expect(frame(lines, columns: 20).visibleRows(height: 4) == 5..<9)
    #expect(frame(lines, at: 0, columns: 20).visibleRows(height: 4) == 0..<4)
    #expect(frame(lines, at: 8, columns: 20).visibleRows(height: 4) == 2..<6)
    #expect(frame(lines, columns: 20).visibleRows(height: 40) == 0..<9)
  }

  @Test("loses nothing and fits, for any text and columns", arguments: 1...200)
  func fits(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    let alphabet: [Character] = ["a", " ", "\n", "誕", "か\u{3099}", "👨‍👩‍👧", "\t", "\u{1}", "\u{301}"]
    let text = (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
      alphabet.randomElement(using: &random)
    }
    let width = Int.random(in: 1...30, using: &random)
    let cursor = Int.random(in: 0...text.count, using: &random)
    let frame = frame(String(text), at: cursor, columns: width)
    #expect(frame.rows.allSatisfy { $0.width <= max(2, width) })
    #expect(frame.rows.indices.contains(frame.cursorRow))
    #expect((0..<max(2, width)).contains(frame.cursorColumn))
    let shown = contents(frame).joined().filter { "誕か\u{3099}👨‍👩‍👧".contains($0) }
    #expect(shown == String(String(text).filter { "誕か\u{3099}👨‍👩‍👧".contains($0) }))
  }
}
