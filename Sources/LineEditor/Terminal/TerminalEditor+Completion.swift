import CLibEdit

/// The menu of what may stand at the cursor: Tab opens it, typing on narrows it.
extension TerminalEditor {
  /// What Tab does: the only thing that fits is put there at once, of several the menu opens.
  func complete() {
    let text = text
    guard !isAnswer, let found = completions(of: text) else { return insert("\t") }
    guard !found.items.isEmpty else { return notice = Sentences.nothingFits }
    if found.items.count == 1 { return take(found.items[0], from: found.start) }
    typeCommonStart(of: found, in: text)
    menu = completions(of: self.text).map(CompletionMenu.init)
  }

  private func completions(of text: EditText) -> Completions? {
    hooks.complete(text.text, text.bytes(before: text.cursor))
  }

  /// Types what all of them go on with.
  private func typeCommonStart(of found: Completions, in text: EditText) {
    let typed = text.text.utf8.dropFirst(found.start).prefix(
      text.bytes(before: text.cursor) - found.start)
    let common = found.items.dropFirst().reduce(found.items[0].text) { common, item in
      String(zip(common, item.text).prefix { $0 == $1 }.map(\.0))
    }
    guard common.utf8.count > typed.count, common.utf8.starts(with: typed) else { return }
    insert(String(common.dropFirst(String(Substring(typed)).count)))
  }

  private func take(_ choice: Completion, from start: Int) {
    let text = text
    delete(text.index(ofByte: start)..<text.cursor)
    insert(choice.text)
    hasBlankOfChoice = choice.text.hasSuffix(" ")
  }

  /// Lets the menu have a key; true if that was all.
  func menuTakes(_ key: Key) -> Bool {
    guard var open = menu else { return false }
    menu = nil
    switch key {
    case .tab, .sequence("\u{1B}[B"), .sequence("\u{1B}OB"), .scalar("\u{E}"): open.move(by: 1)
    case .sequence("\u{1B}[Z"), .sequence("\u{1B}[A"), .sequence("\u{1B}OA"), .scalar("\u{10}"):
      open.move(by: -1)
    case .sequence("\u{1B}[6~"): open.page(by: menuHeight(open))
    case .sequence("\u{1B}[5~"): open.page(by: -menuHeight(open))
    case .scalar("\r"), .scalar("\n"):
      if let choice = open.choice { take(choice, from: open.completions.start) }
      return true
    case .escape, .scalar("\u{7}"): return true
    case .scalar(let scalar) where scalar.value >= 0x20:
      narrows = open.completions.start
      return false
    default: return false
    }
    menu = open
    return true
  }

  private func menuHeight(_ menu: CompletionMenu) -> Int {
    CompletionMenu.height(menu.items.count, screen: screen.size.rows)
  }

  /// Opens the menu anew for what was typed on in it.
  func narrowMenu() {
    guard let start = narrows else { return }
    narrows = nil
    guard let found = completions(of: text), found.start == start, !found.items.isEmpty else {
      return
    }
    menu = CompletionMenu(found)
  }

  /// The rows below the text.
  func footer() -> [Frame.Row] {
    let size = screen.size
    if var open = menu {
      let rows = open.rows(
        columns: size.columns, screen: size.rows, hooks.styles, width: hooks.displayWidth)
      menu = open
      return rows
    }
    let text = text
    let said = notice ?? (isAnswer ? "" : hooks.notice(text.text, text.bytes(before: text.cursor)))
    return said.isEmpty ? [] : [noticeRow(said, columns: size.columns)]
  }

  private func noticeRow(_ text: String, columns: Int) -> Frame.Row {
    let cells = CellWriter(width: hooks.displayWidth)
    let shown = cells.cut(text.map { hooks.visible(String($0)) }.joined(), to: max(1, columns - 1))
    let style = hooks.styles.notice
    let content = style.isEmpty ? shown : "\u{1B}[\(style)m" + shown + "\u{1B}[0m"
    return Frame.Row(content: content, width: cells.width(shown))
  }
}
