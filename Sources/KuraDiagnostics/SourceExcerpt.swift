/// A line of a text with a mark under a span: what stands below an error.
///
///     fetch MemoDate where titl == "x"
///                          ^~~~
///
/// A long line is cut around the span, with `…` where it was cut.
struct SourceExcerpt {
  private let width: DisplayWidth
  private let pieces: [Piece]
  private let marked: Range<Int>
  private var shown: Range<Int>
  private let isCutBefore: Bool
  private let isCutBehind: Bool
}

/// A character as it is shown.
private struct Piece {
  var text: String
  var cells: Int
}

extension SourceExcerpt {
  /// The excerpt of at most so many columns; nil where the line is empty.
  init?(_ source: SourceText, _ span: SourceSpan, columns: Int, width: DisplayWidth) {
    let line = source.lineRange(at: span.start)
    guard !line.isEmpty else { return nil }
    let start = min(max(span.start, line.lowerBound), line.upperBound)
    let near = source.neighbourhood(of: start, in: line)
    let end = min(max(span.end, start), near.upperBound)
    let parts = source.parts(near, start, end)
    self.width = width
    pieces = parts.joined().map { Piece($0, width) }
    marked = parts[0].count..<(parts[0].count + parts[1].count)
    shown = marked.lowerBound..<marked.lowerBound
    isCutBefore = near.lowerBound > line.lowerBound
    isCutBehind = near.upperBound < line.upperBound
    chooseWindow(max(columns, 10))
  }

  /// Two fifths of the window for what stands before, and the rest for the span and what follows.
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
}

extension SourceExcerpt {
  /// The line as it is shown.
  var line: String { prefix + pieces[shown].map(\.text).joined() + suffix }

  /// Blanks, and `^~~~` under the span.
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
    isCutBehind || shown.upperBound < pieces.count ? String(DisplayWidth.ellipsis) : ""
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
  /// The part of a line that is worth a look: a line may be a file of many megabytes.
  fileprivate func neighbourhood(of place: Int, in line: Range<Int>) -> Range<Int> {
    let reach = 2_000
    let start = max(line.lowerBound, place - reach)
    let end = min(line.upperBound, place + reach)
    return scalarStart(start, upTo: place)..<max(place, scalarStart(end, upTo: line.upperBound))
  }

  /// The place itself, or behind the scalar that it cuts.
  private func scalarStart(_ place: Int, upTo end: Int) -> Int {
    bytes[place..<end].firstIndex { $0 & 0xC0 != 0x80 } ?? end
  }

  /// The characters before, under and behind a span; one that the span cuts is under it.
  fileprivate func parts(_ range: Range<Int>, _ start: Int, _ end: Int) -> [[Character]] {
    var before = String(decoding: bytes[range.lowerBound..<start], as: UTF8.self)
    var under = String(decoding: bytes[start..<end], as: UTF8.self)
    var behind = String(decoding: bytes[end..<range.upperBound], as: UTF8.self)
    if under.isEmpty { return [before, "", behind].map(Array.init) }
    if before.runsInto(under) { under = String(before.removeLast()) + under }
    if under.runsInto(behind) { under += String(behind.removeFirst()) }
    return [before, under, behind].map(Array.init)
  }
}
