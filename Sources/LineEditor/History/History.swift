/// The statements of before, oldest first.
struct History {
  private(set) var statements: [String] = []

  /// Keeps a statement, and says whether it did.
  ///
  /// Not kept: a blank line, one that begins with a blank, and the same as the last one.
  mutating func add(_ statement: String) -> Bool {
    guard let first = statement.first, first != " ", first != "\t" else { return false }
    guard statement.contains(where: { !$0.isWhitespace }) else { return false }
    guard statement != statements.last else { return false }
    statements.append(statement)
    return true
  }

  /// The newest statement before `index` that contains a text.
  func index(of text: String, before index: Int) -> Int? {
    guard !text.isEmpty else { return nil }
    return statements[..<min(index, statements.count)].lastIndex { $0.contains(text) }
  }
}

/// The walk of Up and Down through the history, with the text that was being typed at its end.
///
/// Statements that are changed on the way keep the change until the line is finished.
struct HistoryWalk {
  private let statements: [String]
  private var changed: [Int: String] = [:]
  private var position: Int

  init(_ history: History) {
    statements = history.statements
    position = statements.count
  }

  /// The statement before, if there is one.
  mutating func previous(from text: String) -> String? { move(to: position - 1, from: text) }

  /// The statement after, and behind the last one what was being typed.
  mutating func next(from text: String) -> String? { move(to: position + 1, from: text) }

  /// The statement with this index.
  mutating func jump(to index: Int, from text: String) -> String? { move(to: index, from: text) }

  private mutating func move(to target: Int, from text: String) -> String? {
    guard (0...statements.count).contains(target) else { return nil }
    changed[position] = text
    position = target
    return changed[target] ?? (target < statements.count ? statements[target] : "")
  }
}
