/// The previous statements, oldest first.
struct History {
  private(set) var statements: [String] = []
  /// The statements that failed when they were last run.
  private var failed: Set<String> = []

  /// Adds a statement; returns whether it was added.
  ///
  /// A blank line, one that begins with a blank, and a repetition of the last statement are not
  /// added.
  mutating func add(_ statement: String) -> Bool {
    guard let first = statement.first, first != " ", first != "\t" else { return false }
    guard statement.contains(where: { !$0.isWhitespace }) else { return false }
    guard statement != statements.last else { return false }
    statements.append(statement)
    // Its result is still unknown.
    failed.remove(statement)
    return true
  }

  /// Records whether a statement failed; returns whether that has changed.
  mutating func note(_ statement: String, hasFailed: Bool) -> Bool {
    hasFailed ? failed.insert(statement).inserted : failed.remove(statement) != nil
  }

  /// Returns the newest statement that begins with a text, is longer, and did not fail.
  func newest(beginningWith text: String) -> String? {
    statements.last {
      $0.utf8.count > text.utf8.count && $0.hasPrefix(text) && !failed.contains($0)
    }
  }

  /// The direction of a search.
  enum Direction { case backward, forward }

  /// Returns the index of the next statement from `index` on that contains a text and differs from
  /// what is shown.
  ///
  /// The search is case-sensitive only if the text contains capitals.
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

/// The position of Up and Down in the history, with the typed text at its end.
///
/// Changes of statements on the way are kept until the line is finished.
struct HistoryWalk {
  private let statements: [String]
  private var changed: [Int: String] = [:]
  private var position: Int
  /// The text before the first step.
  private var typed = ""

  init(_ history: History) {
    statements = history.statements
    position = statements.count
  }

  /// Returns the previous statement, or the previous one that begins with the typed text; nil if
  /// there is none.
  mutating func previous(from text: String, beginningAlike: Bool = false) -> String? {
    if position == statements.count { typed = text }
    let places = 0..<position
    return move(to: places.last { fits($0, text, beginningAlike) } ?? -1, from: text)
  }

  /// Returns the next statement, and after the last one the typed text.
  mutating func next(from text: String, beginningAlike: Bool = false) -> String? {
    guard position < statements.count else { return nil }
    let places = position + 1..<statements.count
    return move(
      to: places.first { fits($0, text, beginningAlike) } ?? statements.count, from: text)
  }

  /// Returns the statement with this index.
  mutating func jump(to index: Int, from text: String) -> String? { move(to: index, from: text) }

  /// Returns whether the walk stops at a statement: one that fits and differs from what is shown.
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
