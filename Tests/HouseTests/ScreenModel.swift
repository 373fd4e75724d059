import KuraDiagnostics

/// A terminal's screen, as far as Kura draws on one: what a person would see.
struct ScreenModel {
  private let columns: Int
  private let height: Int
  private var rows: [[Character?]] = [[]]
  private var cursor = (row: 0, column: 0)
  private let width = DisplayWidth()

  init(columns: Int, rows height: Int) {
    self.columns = columns
    self.height = height
  }

  /// The rows without the blanks at their ends, and without empty ones at the end.
  var lines: [String] {
    let lines = rows.map { row in
      let text = row.reduce(into: "") { text, cell in if let cell { text.append(cell) } }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    return Array(lines.reversed().drop(while: \.isEmpty).reversed())
  }

  mutating func show(_ text: String) {
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
    case "J" where parameters == ["2"]: rows = [[]]
    case "J":
      cutRow()
      rows.removeSubrange(min(cursor.row + 1, rows.count)...)
    case "K": cutRow()
    default: break
    }
  }

  private mutating func cutRow() {
    fill(to: cursor.row)
    rows[cursor.row] = Array(rows[cursor.row].prefix(cursor.column))
  }

  private mutating func fill(to row: Int) { while rows.count <= row { rows.append([]) } }

  private mutating func goDown() {
    cursor.row += 1
    fill(to: cursor.row)
    guard rows.count > height else { return }
    rows.removeFirst(rows.count - height)
    cursor.row = min(cursor.row, height - 1)
  }

  private mutating func put(_ character: Character) {
    let cells = width.cells(String(character))
    if cursor.column + cells > columns {
      cursor.column = 0
      goDown()
    }
    fill(to: cursor.row)
    while rows[cursor.row].count < cursor.column + cells { rows[cursor.row].append(" ") }
    guard cells > 0 else { return }
    rows[cursor.row][cursor.column] = character
    if cells == 2 { rows[cursor.row][cursor.column + 1] = nil }
    cursor.column += cells
  }
}
