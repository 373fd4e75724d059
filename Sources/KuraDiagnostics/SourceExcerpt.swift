/// A line of a text with a mark under a span, as shown below an error.
///
///     fetch MemoDate where titl == "x"
///                          ^~~~
///
/// A long line is truncated around the span, with `…` at the ends.
struct SourceExcerpt {
  private let width: DisplayWidth
  private let pieces: [Piece]
  private let marked: Range<Int>
  private var shown: Range<Int>
  private let isCutBefore: Bool
  private let isCutAfter: Bool
}

/// A character as displayed.
private struct Piece {
  var text: String
  var cells: Int
}

extension SourceExcerpt {
  /// Creates an excerpt of at most this many columns; nil if the line is empty.
  init?(_ source: SourceText, _ span: SourceSpan, columns: Int, width: DisplayWidth) {
    let line = source.lineRange(at: span.start)
    guard !line.isEmpty else { return nil }
    let start = min(max(span.start, line.lowerBound), line.upperBound)
    let near = source.neighbourhood(of: start, in: line)
    let end = source.scalarStart(min(max(span.end, start), near.upperBound), upTo: near.upperBound)
    let parts = source.parts(near, start, end)
    self.width = width
    pieces = parts.joined().map { Piece($0, width) }
    marked = parts[0].count..<(parts[0].count + parts[1].count)
    shown = marked.lowerBound..<marked.lowerBound
    isCutBefore = near.lowerBound > line.lowerBound
    isCutAfter = near.upperBound < line.upperBound
    chooseWindow(max(columns, 10))
  }

  /// Gives two fifths of the window to the text before the span, and the rest to the span and the
  /// text after it.
  private mutating func chooseWindow(_ columns: Int) {
    var room = columns
    growLeft(&room, leaving: columns - columns * 2 / 5)
    growRight(&room)
    growLeft(&room, leaving: 0)
  }

  private mutating func growLeft(_ room: inout Int, leaving rest: Int) {
    while let next = pieces[..<shown.lowerBound].last, room - next.cells >= rest {
      shown = (shown.lowerBound - 1)..<shown.upperBound
      room -= next.cells
    }
  }

  private mutating func growRight(_ room: inout Int) {
    while let next = pieces[shown.upperBound...].first, room >= next.cells {
      shown = shown.lowerBound..<(shown.upperBound + 1)
      room -= next.cells
    }
  }

  /// The line as displayed.
  var line: String { prefix + pieces[shown].map(\.text).joined() + suffix }

  /// The mark: blanks, and `^~~~` under the span.
  var mark: String {
    let blanks = width.cells(prefix) + cells(shown.lowerBound..<marked.lowerBound)
    let tildes = cells(marked.clamped(to: shown)) - 1
    return String(repeating: " ", count: blanks) + "^"
      + String(repeating: "~", count: max(0, tildes))
  }

  private var prefix: String {
    isCutBefore || shown.lowerBound > 0 ? String(DisplayWidth.ellipsis) : ""
  }

  private var suffix: String {
    isCutAfter || shown.upperBound < pieces.count ? String(DisplayWidth.ellipsis) : ""
  }

  private func cells(_ range: Range<Int>) -> Int { pieces[range].reduce(0) { $0 + $1.cells } }
}

extension Piece {
  init(_ character: Character, _ width: DisplayWidth) {
    text = character == "\t" ? "  " : VisibleText.of(String(character))
    cells = width.cells(text)
  }
}

extension SourceText {
  /// Returns the part of a line around an offset. A line can be a file of many megabytes.
  fileprivate func neighbourhood(of place: Int, in line: Range<Int>) -> Range<Int> {
    let reach = 2_000
    let start = max(line.lowerBound, place - reach)
    let end = min(line.upperBound, place + reach)
    return scalarStart(start, upTo: place)..<max(place, scalarStart(end, upTo: line.upperBound))
  }

  /// Returns the offset itself, or the end of the scalar that it splits.
  fileprivate func scalarStart(_ place: Int, upTo end: Int) -> Int {
    bytes[place..<end].firstIndex { $0 & 0xC0 != 0x80 } ?? end
  }

  /// Returns the characters before, under and after a span. A character that the span splits counts
  /// as under it.
  fileprivate func parts(_ range: Range<Int>, _ start: Int, _ end: Int) -> [[Character]] {
    var before = String(decoding: bytes[range.lowerBound..<start], as: UTF8.self)
    var under = String(decoding: bytes[start..<end], as: UTF8.self)
    var after = String(decoding: bytes[end..<range.upperBound], as: UTF8.self)
    if under.isEmpty { return [before, "", after].map(Array.init) }
    if before.runsInto(under) { under = String(before.removeLast()) + under }
    if under.runsInto(after) { under += String(after.removeFirst()) }
    return [before, under, after].map(Array.init)
  }
}
