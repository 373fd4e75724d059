/// The statements of before, oldest first.
struct History {
  private(set) var statements: [String] = []
  /// Those that failed when they were run last.
  private var failed: Set<String> = []

  /// Keeps a statement, and says whether it did.
  ///
  /// Not kept: a blank line, one that begins with a blank, and the same as the last one.
  mutating func add(_ statement: String) -> Bool {
    guard let first = statement.first, first != " ", first != "\t" else { return false }
    guard statement.contains(where: { !$0.isWhitespace }) else { return false }
    guard statement != statements.last else { return false }
    statements.append(statement)
    // How it ends this time is not known yet.
    failed.remove(statement)
    return true
  }

  /// Keeps how a statement ended, and says whether it ended otherwise before.
  mutating func note(_ statement: String, hasFailed: Bool) -> Bool {
    hasFailed ? failed.insert(statement).inserted : failed.remove(statement) != nil
  }

  /// The newest statement that begins with a text, has more, and did not fail.
  func newest(beginningWith text: String) -> String? {
    statements.last {
      $0.utf8.count > text.utf8.count && $0.hasPrefix(text) && !failed.contains($0)
    }
  }

  /// Which way a search goes.
  enum Direction { case backward, forward }

  /// The next statement from `index` on that contains a text, and is not what is shown already.
  ///
  /// Capitals in the text are looked for as they are; without any, every case is found.
  func index(
    of text: String, from index: Int, _ direction: Direction, unlike shown: String? = nil
  ) -> Int? {
    guard !text.isEmpty else { return nil }
    let isExact = text.contains(where: \.isUppercase)
    let fits = { (place: Int) in
      let statement = statements[place]
      return statement != shown && (isExact ? statement : statement.lowercased()).contains(text)
    }
    return switch direction {
    case .backward: (0..<max(0, min(index + 1, statements.count))).last(where: fits)
    case .forward: (max(0, index)..<max(max(0, index), statements.count)).first(where: fits)
    }
  }
}

/// The walk of Up and Down through the history, with the text that was being typed at its end.
///
/// Statements that are changed on the way keep the change until the line is finished.
struct HistoryWalk {
  private let statements: [String]
  private var changed: [Int: String] = [:]
  private var position: Int
  /// What was typed before the first step.
  private var typed = ""

  init(_ history: History) {
    statements = history.statements
    position = statements.count
  }

  /// The statement before, if there is one; or the one before that begins as what was typed.
  mutating func previous(from text: String, beginningAlike: Bool = false) -> String? {
    if position == statements.count { typed = text }
    let places = 0..<position
    return move(to: places.last { fits($0, text, beginningAlike) } ?? -1, from: text)
  }

  /// The statement after, and behind the last one what was being typed.
  mutating func next(from text: String, beginningAlike: Bool = false) -> String? {
    guard position < statements.count else { return nil }
    let places = position + 1..<statements.count
    return move(
      to: places.first { fits($0, text, beginningAlike) } ?? statements.count, from: text)
  }

  /// The statement with this index.
  mutating func jump(to index: Int, from text: String) -> String? { move(to: index, from: text) }

  /// Whether a walk stops there: not at what is shown already.
  private func fits(_ place: Int, _ text: String, _ beginningAlike: Bool) -> Bool {
    !beginningAlike || statements[place].hasPrefix(typed) && statements[place] != text
  }

  private mutating func move(to target: Int, from text: String) -> String? {
    guard (0...statements.count).contains(target) else { return nil }
    changed[position] = text
    position = target
    return changed[target] ?? (target < statements.count ? statements[target] : "")
  }
}
