import CLibEdit

/// What was drawn on a terminal: enough to draw over it.
struct Screen {
  private let output: Int32
  /// The widths of the rows above the cursor, and the cursor's column.
  private var widthsAbove: [Int] = []
  private var cursorColumn = 0

  init(output: Int32) { self.output = output }

  /// Columns and rows; 80 by 24 if the terminal does not say.
  var size: (columns: Int, rows: Int) {
    var columns: Int32 = 80
    var rows: Int32 = 24
    _ = clibedit_window_size(output, &columns, &rows)
    return (Int(columns), Int(rows))
  }

  /// Draws a frame over the one before, with one write.
  mutating func draw(_ frame: Frame) {
    let visible = frame.visibleRows(height: size.rows)
    let below = visible.upperBound - 1 - frame.cursorRow
    write(
      Escape.beginUpdate + overwriting + Self.join(frame.rows[visible]) + Escape.up(below)
        + "\r" + Escape.right(frame.cursorColumn) + Escape.endUpdate)
    widthsAbove = frame.rows[visible.lowerBound..<frame.cursorRow].map(\.width)
    cursorColumn = frame.cursorColumn
  }

  /// Draws a frame for the last time, whole, and goes to the row below it.
  mutating func finish(_ frame: Frame, with ending: String = "") {
    write(
      Escape.beginUpdate + overwriting + Self.join(frame.rows[...]) + ending + "\r\n"
        + Escape.endUpdate)
    forget()
  }

  /// Begins anew at the place where the cursor is.
  mutating func forget() {
    widthsAbove = []
    cursorColumn = 0
  }

  func write(_ text: String) { System.write(text.utf8, to: output) }

  /// To the frame's first row, and all below it cleared.
  ///
  /// A terminal that was made narrower has broken the rows that were wider: they count as several.
  private var overwriting: String {
    let columns = max(1, size.columns)
    let above = widthsAbove.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    return Escape.up(above + cursorColumn / columns) + "\r" + Escape.clearBelow
  }

  private static func join(_ rows: ArraySlice<Frame.Row>) -> String {
    rows.map(\.content).joined(separator: "\r\n")
  }
}

/// What is sent to a terminal.
enum Escape {
  static let clearBelow = "\u{1B}[J"
  static let clearAll = "\u{1B}[H\u{1B}[2J"
  /// Between these two a terminal shows nothing half drawn.
  static let beginUpdate = "\u{1B}[?2026h"
  static let endUpdate = "\u{1B}[?2026l"
  static let beginPastes = "\u{1B}[?2004h"
  static let endPastes = "\u{1B}[?2004l"

  static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
  static func right(_ columns: Int) -> String { columns > 0 ? "\u{1B}[\(columns)C" : "" }
}
