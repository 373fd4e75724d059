/// The picture of a text under edit: the rows of the screen that it covers, and the cursor.
struct Frame: Equatable {
  /// A row of the screen.
  struct Row: Equatable {
    /// Its characters, with the escape sequences of their colours.
    var content = ""
    /// The columns they take.
    var width = 0
  }

  var rows: [Row]
  var cursorRow: Int
  var cursorColumn: Int

  /// The rows that are shown of a frame that is higher than the screen: those around the cursor.
  func visibleRows(height: Int) -> Range<Int> {
    guard rows.count > height else { return 0..<rows.count }
    let top = min(max(0, cursorRow - height / 2), rows.count - height)
    return top..<(top + height)
  }
}
