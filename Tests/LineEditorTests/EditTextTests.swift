import Testing

@testable import LineEditor

@Suite("The cursor in a text")
struct EditTextTests {
  /// Returns a text with the cursor at `|`.
  private func text(_ marked: String) -> EditText {
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
    return EditText(Array(parts.joined()), cursor: parts[0].count)
  }

  private func marked(_ text: EditText, at index: Int) -> String {
    String(text.characters[..<index]) + "|" + String(text.characters[index...])
  }

  @Test(
    "moves by whole characters",
    arguments: [("か\u{3099}|", "|か\u{3099}"), ("a👨‍👩‍👧|b", "a|👨‍👩‍👧b"), ("|x", "|x")])
  func left(from: String, to: String) {
    let text = text(from)
    #expect(marked(text, at: text.left) == to)
  }

  @Test(
    "finds the ends of its line",
    arguments: [
      ("ab|c", "|abc", "abc|"), ("a\nb|c\nd", "a\n|bc\nd", "a\nbc|\nd"), ("a\n|", "a\n|", "a\n|"),
    ])
  func line(from: String, start: String, end: String) {
    let text = text(from)
    #expect(marked(text, at: text.lineStart) == start)
    #expect(marked(text, at: text.lineEnd) == end)
  }

  @Test(
    "keeps its column from line to line",
    arguments: [
      ("abc\nde|f", "ab|c\ndef"), ("誕生日\nabc|d", "誕|生日\nabcd"), ("a\nbcd|", "a|\nbcd"),
      ("\n|x", "|\nx"),
    ])
  func up(from: String, to: String) throws {
    let text = text(from)
    let index = try #require(text.up(width: columns))
    #expect(marked(text, at: index) == to)
  }

  @Test(
    "moves down to where it moved up from",
    arguments: [("ab|c\ndef", "abc\nde|f"), ("abc|\nd", "abc\nd|"), ("誕生|\nabcdef", "誕生\nabcd|ef")])
  func down(from: String, to: String) throws {
    let text = text(from)
    let index = try #require(text.down(width: columns))
    #expect(marked(text, at: index) == to)
  }

  @Test func hasNoLineAboveTheFirstOrBelowTheLast() {
    #expect(text("a|b").up(width: columns) == nil)
    #expect(text("a\nb|").down(width: columns) == nil)
  }

  @Test func isCountedInScalarsByLibedit() {
    let text = EditText("xか\u{3099}y", scalarCursor: 2)
    #expect(text.cursor == 1)
    #expect(text.scalars(before: 2) == 3)
    #expect(EditText("xか\u{3099}y", scalarCursor: 4).isAtEnd)
  }
}

/// Returns widths for tests: ASCII 1, a single mark 0, everything else 2.
func columns(_ character: Character) -> Int {
  if character.isASCII { return 1 }
  return character.unicodeScalars.first?.properties.generalCategory == .nonspacingMark ? 0 : 2
}
