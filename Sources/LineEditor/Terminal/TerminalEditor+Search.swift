import CLibEdit

/// The search for a statement of before: it follows the query while that is typed.
extension TerminalEditor {
  /// A search under way.
  private struct Search {
    var direction: History.Direction
    var query = ""
    /// The statement that was found; nil before the first.
    var index: Int?
    var isFound = true
  }

  func search(_ direction: History.Direction) {
    var search = Search(direction: direction)
    while let key = nextKey(drawing: { draw(search) }) {
      switch key {
      case .scalar("\u{12}"): go(.backward, &search)
      case .scalar("\u{13}"): go(.forward, &search)
      case .scalar("\u{7}"): return
      case .scalar("\u{8}"), .scalar("\u{7F}"):
        search.query = String(search.query.dropLast())
        find(&search, from: start(search.direction))
      case .scalar(let scalar) where scalar.value >= 0x20:
        search.query.unicodeScalars.append(scalar)
        find(&search, from: search.index ?? start(search.direction))
      case .paste, .scalar, .sequence: return take(search, then: key)
      }
    }
  }

  private func start(_ direction: History.Direction) -> Int {
    direction == .backward ? history.statements.count - 1 : 0
  }

  /// To the next one that is found, which is another statement.
  private func go(_ direction: History.Direction, _ search: inout Search) {
    search.direction = direction
    let step = direction == .backward ? -1 : 1
    let shown = search.index.map { history.statements[$0] }
    find(&search, from: search.index.map { $0 + step } ?? start(direction), unlike: shown)
  }

  private func find(_ search: inout Search, from index: Int, unlike shown: String? = nil) {
    let found = history.index(
      of: hooks.composed(search.query), from: index, search.direction, unlike: shown)
    search.isFound = found != nil || search.query.isEmpty
    if let found { search.index = found }
  }

  /// Any other key takes what was found, and then does what it always does; Escape only takes it.
  private func take(_ search: Search, then key: Key) {
    if let index = search.index { show(walk.jump(to: index, from: text.text)) }
    if key != .escape { putBack = key }
  }

  private func draw(_ search: Search) {
    let shown = search.index.map { history.statements[$0] } ?? text.text
    let query = Sentences.searchPrompt(query: search.query, found: search.isFound)
    screen.draw(
      FrameLayout.frame(
        EditText(Array(shown), cursor: 0),
        prompt: Prompt(query, continuation: prompt.continuation, style: prompt.style),
        columns: screen.size.columns, rows: screen.size.rows,
        highlight: highlight(of: shown, for: hooks.composed(search.query)),
        width: hooks.displayWidth, visible: hooks.visible))
  }

  /// The colours of a statement, and on them what was found in it.
  private func highlight(of statement: String, for query: String) -> [StyledSpan] {
    let spans = hooks.highlight(statement, -1)
    let isExact = query.contains(where: \.isUppercase)
    let searched = isExact ? statement : statement.lowercased()
    guard !query.isEmpty, searched.utf8.count == statement.utf8.count,
      let range = searched.firstRange(of: query)
    else { return spans }
    let start = searched.utf8.distance(from: searched.startIndex, to: range.lowerBound)
    let match = StyledSpan(start..<start + query.utf8.count, style: hooks.styles.match)
    let others = spans.flatMap { $0.parts(outside: match.range) }
    return (others + [match]).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension StyledSpan {
  /// What of a span stands before and behind a range.
  func parts(outside range: Range<Int>) -> [StyledSpan] {
    let (start, end) = (self.range.lowerBound, self.range.upperBound)
    let parts = [(start, min(end, range.lowerBound)), (max(start, range.upperBound), end)]
    return parts.filter { $0.0 < $0.1 }.map { StyledSpan($0.0..<$0.1, style: style) }
  }
}
