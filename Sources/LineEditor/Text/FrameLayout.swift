/// The picture of an edited text: the rows of the screen that it covers, and the cursor.
struct Frame: Equatable {
  struct Row: Equatable {
    /// Its characters, with the escape sequences of their colors.
    var content = ""
    /// The number of columns that they take.
    var width = 0
  }

  var rows: [Row]
  var cursorRow: Int
  var cursorColumn: Int
  /// The rows below the text: a menu, a note.
  var footer: [Row] = []

  /// Returns the visible rows of a frame that is higher than the screen: those around the cursor.
  func visibleRows(height: Int) -> Range<Int> {
    guard rows.count > height else { return 0..<rows.count }
    let top = min(max(0, cursorRow - height / 2), rows.count - height)
    return top..<(top + height)
  }
}

/// Lays a text out in rows: nothing is cut, and a wide character is never split.
///
///     kura> fetch MemoDate where      the first prompt
///      ...> title CONTAINS "誕生日"    the prompt of the other lines
struct FrameLayout {
  private let columns: Int
  private let width: (Character) -> Int
  private let visible: (String) -> String
  private var rows = [Frame.Row()]
  /// The column in which the text of the line begins, from which tabs count.
  private var indent = 0
  private var style = ""

  private init(
    columns: Int, _ width: @escaping (Character) -> Int, _ visible: @escaping (String) -> String
  ) {
    self.columns = max(2, columns)
    self.width = width
    self.visible = visible
  }

  /// Returns the frame of a text or, with a number of rows, of the part that is visible in them.
  ///
  /// Linear in the text, or in the visible part.
  static func frame(
    _ text: EditText, prompt: Prompt, columns: Int, rows: Int? = nil,
    highlight: [StyledSpan] = [], hint: String = "", width: @escaping (Character) -> Int,
    visible: @escaping (String) -> String = { $0 }
  ) -> Frame {
    var layout = FrameLayout(columns: columns, width, visible)
    let window = rows.map { text.window(rows: $0, columns: columns) }
    return layout.lay(text, window ?? 0..<text.characters.count, prompt, highlight, hint)
  }

  private mutating func lay(
    _ text: EditText, _ window: Range<Int>, _ prompt: Prompt, _ highlight: [StyledSpan],
    _ hint: String
  ) -> Frame {
    var styles = StyleWalk(spans: highlight)
    _ = window.isEmpty ? "" : styles.advance(by: text.bytes(before: window.lowerBound))
    var place = (row: 0, column: 0)
    put(prompt: window.lowerBound == 0 ? prompt.first : prompt.continuation, prompt.style)
    for (index, character) in zip(window, text.characters[window]) {
      if index == text.cursor { place = position(before: character) }
      put(character, prompt, style: styles.advance(by: character.utf8.count))
    }
    if text.cursor == window.upperBound { place = positionAtEnd() }
    put(style: "")
    if text.isAtEnd { put(hint: hint) }
    return Frame(rows: rows, cursorRow: place.row, cursorColumn: place.column)
  }

  private mutating func put(_ character: Character, _ prompt: Prompt, style: String) {
    switch character {
    case "\n":
      breakRow()
      put(prompt: prompt.continuation, prompt.style)
    case "\t":
      put(style: style)
      for _ in 0..<columnsOfTab { put(" ", width: 1) }
    default:
      put(style: style)
      put(shown: character)
    }
  }

  /// Puts a character; each part of an escape on its own, because an escape may be broken between
  /// two rows.
  private mutating func put(shown character: Character) {
    for part in parts(character) { put(part.text, width: part.width) }
  }

  private mutating func put(prompt: String, _ style: String) {
    put(style: style)
    for character in prompt { put(shown: character) }
    put(style: "")
    indent = rows[rows.count - 1].width
  }

  /// Puts a hint on the cursor's row; what does not fit is not shown.
  private mutating func put(hint: String) {
    guard !hint.isEmpty else { return }
    put(style: "2")
    for character in hint {
      let width = parts(character).reduce(0) { $0 + $1.width }
      guard character != "\n", rows[rows.count - 1].width + width < columns else { break }
      put(shown: character)
    }
    put(style: "")
  }
}

extension FrameLayout {
  private mutating func put(_ content: String, width: Int) {
    if rows[rows.count - 1].width + width > columns { breakRow() }
    rows[rows.count - 1].content += content
    rows[rows.count - 1].width += width
  }

  /// Begins a new row. Colors end with their row, so that nothing outside the text is colored.
  private mutating func breakRow() {
    let style = style
    put(style: "")
    rows.append(Frame.Row())
    put(style: style)
  }

  private mutating func put(style new: String) {
    guard new != style else { return }
    rows[rows.count - 1].content += new.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(new)m"
    style = new
  }

  /// Returns the position of the cursor before a character, which can be in the next row.
  private func position(before character: Character) -> (row: Int, column: Int) {
    let row = rows.count - 1
    let isBroken = character != "\n" && rows[row].width + firstWidth(of: character) > columns
    if isBroken { return (row + 1, 0) }
    return (row, min(rows[row].width, columns - 1))
  }

  /// Returns the position of the cursor at the end; after a full row it has a row of its own.
  private mutating func positionAtEnd() -> (row: Int, column: Int) {
    if rows[rows.count - 1].width >= columns { breakRow() }
    return (rows.count - 1, rows[rows.count - 1].width)
  }

  private var columnsOfTab: Int {
    let column = max(0, rows[rows.count - 1].width - indent)
    return 8 - column % 8
  }

  private func firstWidth(of character: Character) -> Int { parts(character).first?.width ?? 0 }

  /// Returns a character as it is drawn: a control character as `^A`, other hidden ones as escapes.
  private func parts(_ character: Character) -> [(text: String, width: Int)] {
    if isControl(character), let ascii = character.asciiValue {
      return [("^" + String(Unicode.Scalar(ascii ^ 0x40)), 2)]
    }
    let text = String(character)
    let shown = character.isASCII ? text : visible(text)
    guard shown != text else { return [(text, columns(of: character))] }
    return shown.map { (String($0), columns(of: $0)) }
  }

  private func columns(of character: Character) -> Int { min(max(0, width(character)), 2) }

  private func isControl(_ character: Character) -> Bool {
    character.asciiValue.map { $0 < 0x20 || $0 == 0x7F } ?? false
  }
}

extension EditText {
  /// Returns the characters that a screen can show around the cursor: whole lines, or a part of one
  /// that is longer than the screen.
  func window(rows: Int, columns: Int) -> Range<Int> {
    let most = max(1, rows) * max(1, columns) + 1
    guard characters.count > most else { return 0..<characters.count }
    let above = start(going: -1, from: cursor, lines: rows, atMost: most)
    let below = start(going: 1, from: cursor, lines: rows, atMost: most)
    return above..<below
  }

  /// Returns the place a number of lines away. In a longer line, the place is a multiple of the
  /// maximum, so that the window does not move with the cursor.
  private func start(going step: Int, from cursor: Int, lines: Int, atMost most: Int) -> Int {
    var (index, left) = (cursor, lines)
    let end = step < 0 ? 0 : characters.count
    while index != end, left > 0 {
      if characters[step < 0 ? index - 1 : index] == "\n" {
        left -= 1
        if left == 0 { return index }
      }
      index += step
      if abs(index - cursor) >= 2 * most { return index / most * most }
    }
    return index
  }
}

/// Returns the style of each character in turn, from spans of UTF-8 offsets.
struct StyleWalk {
  private let spans: [StyledSpan]
  private var next = 0
  private var offset = 0

  init(spans: [StyledSpan]) { self.spans = spans }

  /// Returns the style at the current place, and moves on by the length of a character.
  mutating func advance(by length: Int) -> String {
    defer { offset += length }
    while next < spans.count, spans[next].range.upperBound <= offset { next += 1 }
    guard next < spans.count, spans[next].range.contains(offset) else { return "" }
    return spans[next].style
  }
}
