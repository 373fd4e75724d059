@testable import LineEditor

/// A terminal of the kind that tests need: it understands what the editor sends, nothing else.
struct TerminalModel {
  private(set) var rows: [[Character?]] = [[]]
  private(set) var cursor = (row: 0, column: 0)
  /// The sequences that draw nothing, such as the one that announces pastes.
  private(set) var modes: [String] = []

  /// The rows as text, without the blanks at their ends.
  var screen: [String] {
    rows.map { row in
      let text = row.compactMap { $0 }.reduce(into: "") { $0.append($1) }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  mutating func show(_ text: String) {
    var characters = Array(text.replacing("\r\n", with: "\r\u{B}"))[...]
    while let character = characters.popFirst() {
      switch character {
      case "\r": cursor.column = 0
      case "\u{B}", "\n": goDown()
      case "\u{1B}": obey(&characters)
      default: put(character)
      }
    }
  }

  private mutating func obey(_ characters: inout ArraySlice<Character>) {
    guard characters.popFirst() == "[" else { return }
    let parameters = characters.prefix { !$0.isLetter }
    characters = characters.dropFirst(parameters.count)
    let number = Int(String(parameters)) ?? 1
    switch characters.popFirst() {
    case "A": cursor.row = max(0, cursor.row - number)
    case "C": cursor.column += number
    case "J":
      clearRow()
      rows.removeSubrange((cursor.row + 1)...)
    case "K": clearRow()
    case "m": break
    case let final?: modes.append(String(parameters) + String(final))
    case nil: break
    }
  }

  private mutating func clearRow() {
    rows[cursor.row] = Array(rows[cursor.row].prefix(cursor.column))
  }

  private mutating func goDown() {
    cursor.row += 1
    if cursor.row == rows.count { rows.append([]) }
  }

  private mutating func put(_ character: Character) {
    let width = columns(character)
    while rows[cursor.row].count < cursor.column + width { rows[cursor.row].append(" ") }
    rows[cursor.row][cursor.column] = character
    if width == 2 { rows[cursor.row][cursor.column + 1] = nil }
    cursor.column += width
  }
}
