import CLibEdit

/// The search for a statement of before: it follows the query while that is typed.
extension TerminalEditor {
  /// A search under way.
  private struct Search {
    var query = ""
    /// The statement that was found; nil before the first.
    var index: Int?
    var isFound = true
  }

  func search() {
    var search = Search()
    while let scalar = nextScalar(drawing: { draw(search) }) {
      switch scalar {
      case "\u{12}": find(&search, before: search.index ?? history.statements.count)
      case "\u{7}": return
      case "\u{8}", "\u{7F}":
        search.query = String(search.query.dropLast())
        find(&search, before: history.statements.count)
      case "\u{0}"..."\u{1F}": return take(search, then: scalar)
      default:
        search.query.unicodeScalars.append(scalar)
        find(&search, before: (search.index ?? history.statements.count - 1) + 1)
      }
    }
  }

  private func find(_ search: inout Search, before index: Int) {
    let found = history.index(of: hooks.composed(search.query), before: index)
    search.isFound = found != nil || search.query.isEmpty
    if let found { search.index = found }
  }

  /// Any other key takes what was found, and then does what it always does; Escape only takes it.
  private func take(_ search: Search, then key: Unicode.Scalar) {
    if let index = search.index { show(walk.jump(to: index, from: text.text)) }
    if !isLoneEscape(key) { input.putBack(String(key).utf8) }
  }

  private func draw(_ search: Search) {
    let shown = search.index.map { history.statements[$0] } ?? text.text
    let query = Sentences.searchPrompt(query: search.query, found: search.isFound)
    screen.draw(
      FrameLayout.frame(
        EditText(Array(shown), cursor: 0),
        prompt: Prompt(query, continuation: prompt.continuation, style: prompt.style),
        columns: screen.size.columns, highlight: hooks.highlight(shown), width: hooks.displayWidth,
        visible: hooks.visible))
  }
}
