/// A menu of completions, in rows below the text, with one selected.
struct CompletionMenu {
  let completions: Completions
  private(set) var selected = 0
  /// The first visible item.
  private var top = 0

  init(_ completions: Completions) { self.completions = completions }

  var items: [Completion] { completions.items }
  var choice: Completion? { items.isEmpty ? nil : items[selected] }

  /// Moves the selection by a number of items; wraps around.
  mutating func move(by steps: Int) {
    guard !items.isEmpty else { return }
    selected = ((selected + steps) % items.count + items.count) % items.count
  }

  /// Moves the selection by a number of items; stops at the ends.
  mutating func page(by steps: Int) {
    selected = min(max(0, selected + steps), max(0, items.count - 1))
  }

  /// Returns the number of rows of a menu on a screen.
  static func height(_ count: Int, screen rows: Int) -> Int {
    min(count, max(1, min(10, rows / 2 - 1)))
  }

  /// Returns the rows: the completions, and their descriptions in a second column.
  mutating func rows(
    columns: Int, screen: Int, _ styles: EditorStyles, width: @escaping (Character) -> Int
  ) -> [Frame.Row] {
    let count = Self.height(items.count, screen: screen)
    top = min(max(top, selected - count + 1), selected)
    let shown = items[top..<min(items.count, top + count)]
    let cells = CellWriter(width: width)
    let longest = shown.map { cells.width($0.label) }.max() ?? 0
    let label = min(longest, max(8, columns * 3 / 5))
    return zip(shown.indices, shown).map { index, item in
      let place =
        index == shown.endIndex - 1 && count < items.count
        ? "  \(selected + 1)/\(items.count)" : ""
      return row(item, isSelected: index == selected, place, label, columns, styles, cells)
    }
  }

  private func row(
    _ item: Completion, isSelected: Bool, _ place: String, _ label: Int, _ columns: Int,
    _ styles: EditorStyles, _ cells: CellWriter
  ) -> Frame.Row {
    let room = max(1, columns - 1)
    let mark = isSelected ? ">" : " "
    let left = cells.fitted(mark + cells.fitted(item.label, to: label), to: min(room, label + 1))
    let rest = room - cells.width(left) - cells.width(place)
    let right = rest > 4 ? cells.cut("  " + item.meaning, to: rest) : ""
    let tail = cells.cut(right + place, to: max(0, room - cells.width(left)))
    return Frame.Row(
      content: styled(left, isSelected ? styles.selected : "") + styled(tail, styles.meaning),
      width: cells.width(left) + cells.width(tail))
  }

  private func styled(_ text: String, _ style: String) -> String {
    style.isEmpty || text.isEmpty ? text : "\u{1B}[\(style)m" + text + "\u{1B}[0m"
  }
}

/// Cuts and fills texts to columns.
struct CellWriter {
  let width: (Character) -> Int

  func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// Returns the text, with `…` if it was cut.
  func cut(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var (result, used) = ("", 0)
    for character in text {
      let next = width(character)
      if used + next > columns - width("…") { break }
      result.append(character)
      used += next
    }
    return result + "…"
  }

  /// Returns the text in exactly this many columns.
  func fitted(_ text: String, to columns: Int) -> String {
    let text = cut(text, to: columns)
    return text + String(repeating: " ", count: max(0, columns - width(text)))
  }
}
