import CLibEdit

/// The drawn rows, with the data for drawing over them.
struct Screen {
  private let output: Int32
  /// The widths of the rows above the cursor, and the cursor's column.
  private var widthsAbove: [Int] = []
  private var cursorColumn = 0
  private var height = 0

  init(output: Int32) { self.output = output }

  /// Columns and rows; 80 by 24 if the terminal does not report them.
  var size: (columns: Int, rows: Int) {
    var columns: Int32 = 80
    var rows: Int32 = 24
    _ = clibedit_window_size(output, &columns, &rows)
    return (Int(columns), Int(rows))
  }

  /// Draws a frame over the previous one, with one write.
  mutating func draw(_ frame: Frame) {
    let footer = frame.footer.prefix(max(0, size.rows - 1))
    let visible = frame.visibleRows(height: max(1, size.rows - footer.count))
    let below = visible.upperBound - 1 - frame.cursorRow + footer.count
    write(
      Escape.beginUpdate + toFirstRow + over(frame.rows[visible] + footer) + Escape.up(below)
        + "\r" + Escape.right(frame.cursorColumn) + Escape.endUpdate)
    widthsAbove = frame.rows[visible.lowerBound..<frame.cursorRow].map(\.width)
    cursorColumn = frame.cursorColumn
    height = visible.count + footer.count
  }

  /// Draws a complete frame for the last time, and moves to the row below it.
  mutating func finish(_ frame: Frame, with ending: String = "") {
    let rows = ending.isEmpty ? withoutRowOfCursor(frame.rows) : frame.rows[...]
    write(Escape.beginUpdate + toFirstRow + over(rows) + ending + "\r\n" + Escape.endUpdate)
    forget()
  }

  /// Removes the empty row after a full one, which the cursor needs only while the text is edited.
  private func withoutRowOfCursor(_ rows: [Frame.Row]) -> ArraySlice<Frame.Row> {
    let isOfCursor =
      rows.last?.width == 0 && rows.dropLast().last.map { $0.width >= size.columns } == true
    return isOfCursor ? rows.dropLast() : rows[...]
  }

  /// Writes a text below the frame, and starts over below it.
  mutating func show(_ text: String, below frame: Frame) {
    finish(frame)
    write(text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n") + "\r\n")
  }

  /// Starts over at the place of the cursor.
  mutating func forget() {
    widthsAbove = []
    cursorColumn = 0
    height = 0
  }

  func write(_ text: String) { System.write(text.utf8, to: output) }

  /// The sequence that moves to the first drawn row.
  ///
  /// If the terminal became narrower, it has broken wider rows into several.
  private var toFirstRow: String {
    let columns = max(1, size.columns)
    let above = widthsAbove.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    return Escape.up(above + cursorColumn / columns) + "\r"
  }

  /// Returns the rows, each on a cleared line, with nothing below the last.
  ///
  /// It does not clear from the first column down, because tmux treats that as a new screen and
  /// keeps the old one in its history. It clears nothing after a full row, whose end would be lost.
  private func over(_ rows: ArraySlice<Frame.Row>) -> String {
    let content = rows.map { Escape.clearRow + $0.content }.joined(separator: "\r\n")
    guard let last = rows.last else { return "" }
    if last.width < size.columns { return content + Escape.clearBelow }
    return rows.count < height
      ? content + "\r\n" + Escape.clearBelow + Escape.up(1) : content
  }
}

/// Escape sequences for a terminal.
enum Escape {
  static let clearBelow = "\u{1B}[J"
  static let clearRow = "\u{1B}[K"
  static let clearAll = "\u{1B}[H\u{1B}[2J"
  /// Between these two sequences, a terminal shows no partial frame.
  static let beginUpdate = "\u{1B}[?2026h"
  static let endUpdate = "\u{1B}[?2026l"
  static let beginPastes = "\u{1B}[?2004h"
  static let endPastes = "\u{1B}[?2004l"

  static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
  static func right(_ columns: Int) -> String { columns > 0 ? "\u{1B}[\(columns)C" : "" }
}
