/// A terminal's screen, as far as Kura draws on one.
package struct ScreenModel {
  package private(set) var columns: Int
  private let height: Int
  package private(set) var rows: [Row] = [Row()]
  package private(set) var cursor = (row: 0, column: 0)
  /// Sequences that draw nothing, such as the one that enables bracketed paste.
  package private(set) var modes: [String] = []
  private var style = ScreenStyle()
  private let width: (Character) -> Int

  package struct Row {
    package var cells: [Cell] = []
    /// Whether the row was full, so that the next one continues it.
    package var continues = false
  }

  package struct Cell {
    /// Nil in the right half of a wide character.
    package var character: Character?
    package var style = ScreenStyle()
  }

  /// Creates a window in which `width` gives the columns of a character; `Int.max` columns mean no
  /// limit.
  package init(columns: Int, rows height: Int, width: @escaping (Character) -> Int) {
    self.columns = columns
    self.height = height
    self.width = width
  }

  /// The rows without the spaces at their ends, and without empty rows at the end.
  package var lines: [String] {
    let lines = rows.map { row in
      let text = String(row.cells.compactMap(\.character))
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    return Array(lines.reversed().drop(while: \.isEmpty).reversed())
  }

  package mutating func show(_ text: String) {
    var rest = Array(text.replacing("\r\n", with: "\r\u{B}"))[...]
    while let character = rest.popFirst() {
      switch character {
      case "\r": cursor.column = 0
      case "\n", "\u{B}": goDown()
      case "\u{1B}": obey(&rest)
      case "\u{7}": break
      default: put(character)
      }
    }
  }

  private mutating func obey(_ rest: inout ArraySlice<Character>) {
    guard rest.popFirst() == "[" else { return }
    let parameters = rest.prefix { !$0.isLetter }
    rest = rest.dropFirst(parameters.count)
    let number = max(1, Int(String(parameters)) ?? 1)
    switch rest.popFirst() {
    case "A": cursor.row = max(0, cursor.row - number)
    case "B": cursor.row = min(height - 1, cursor.row + number)
    case "C": cursor.column = min(columns - 1, cursor.column + number)
    case "D": cursor.column = max(0, cursor.column - number)
    case "G": cursor.column = number - 1
    case "H": cursor = (0, 0)
    case "J" where parameters == ["2"]: rows = [Row()]
    case "J":
      cutRow()
      rows.removeSubrange(min(cursor.row + 1, rows.count)...)
    case "K": cutRow()
    case "m": style.obey(String(parameters))
    case let final?: modes.append(String(parameters) + String(final))
    case nil: break
    }
  }

  private mutating func cutRow() {
    fill(to: cursor.row)
    rows[cursor.row] = Row(cells: Array(rows[cursor.row].cells.prefix(cursor.column)))
  }

  private mutating func fill(to row: Int) { while rows.count <= row { rows.append(Row()) } }

  private mutating func goDown() {
    cursor.row += 1
    fill(to: cursor.row)
    scroll()
  }

  private mutating func scroll() {
    let gone = rows.count - height
    guard gone > 0 else { return }
    rows.removeFirst(gone)
    cursor.row = max(0, cursor.row - gone)
  }

  private mutating func put(_ character: Character) {
    let cells = width(character)
    if cursor.column + cells > columns {
      fill(to: cursor.row)
      rows[cursor.row].continues = true
      cursor.column = 0
      goDown()
    }
    fill(to: cursor.row)
    guard cells > 0 else { return }
    while rows[cursor.row].cells.count < cursor.column + cells {
      rows[cursor.row].cells.append(Cell(character: " "))
    }
    rows[cursor.row].cells[cursor.column] = Cell(character: character, style: style)
    if cells == 2 {
      rows[cursor.row].cells[cursor.column + 1] = Cell(character: nil, style: style)
    }
    cursor.column += cells
  }
}

extension ScreenModel {
  /// Makes the window wider or narrower like most terminals: a row that is too wide continues in
  /// the next, and is joined again later.
  package mutating func resize(columns new: Int) {
    var made: [Row] = []
    var place = cursor
    var line: [Cell] = []
    for (number, row) in rows.enumerated() {
      if number == cursor.row {
        let offset = line.count + cursor.column
        place = (made.count + offset / new, offset % new)
      }
      line += row.cells
      if row.continues { continue }
      made += Self.rows(of: line, new)
      line = []
    }
    (rows, cursor, columns) = (made + (line.isEmpty ? [] : Self.rows(of: line, new)), place, new)
    fill(to: cursor.row)
    scroll()
  }

  private static func rows(of line: [Cell], _ columns: Int) -> [Row] {
    var rest = line[...]
    var rows: [Row] = []
    repeat {
      var count = min(columns, rest.count)
      // A wide character is not split.
      if count < rest.count, rest[rest.startIndex + count].character == nil { count -= 1 }
      rows.append(Row(cells: Array(rest.prefix(count)), continues: count < rest.count))
      rest = rest.dropFirst(count)
    } while !rest.isEmpty
    return rows
  }
}

/// The style of a character.
package struct ScreenStyle: Hashable {
  package var isBold = false
  package var isDim = false
  package var isUnderlined = false
  package var isReversed = false
  /// One of the sixteen named colours of a terminal; nil for the default.
  package var color: Int?

  /// Applies parameters such as `0;1;34`.
  mutating func obey(_ parameters: String) {
    for part in parameters.split(separator: ";", omittingEmptySubsequences: false) {
      switch Int(part) ?? 0 {
      case 0: self = ScreenStyle()
      case 1: isBold = true
      case 2: isDim = true
      case 4: isUnderlined = true
      case 7: isReversed = true
      case 22: (isBold, isDim) = (false, false)
      case 24: isUnderlined = false
      case 27: isReversed = false
      case let number where (30...37).contains(number): color = number - 30
      case let number where (90...97).contains(number): color = number - 90 + 8
      case 39: color = nil
      default: break
      }
    }
  }
}
