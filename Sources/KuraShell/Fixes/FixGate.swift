import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

/// Decides whether a fix preserves what was typed.
///
///     delete dueDate from Task/6     // never becomes `delete Task/6`
///     count Task where foo(title)    // never becomes `count Task where title != NULL`
///
/// Every name, argument and literal remains, or is replaced by an equivalent: a similar spelling,
/// the same number or date in another form, or the word of another language. A change gets no
/// addition that would widen it. Rules whose replacements preserve the meaning bypass the gate.
struct FixGate {
  private let text: String
  private let bytes: [UInt8]
  private let context: CheckContext
  private let rules: RepairRules

  init(_ text: String, _ context: CheckContext, _ rules: RepairRules = .all) {
    (self.text, self.context, self.rules) = (text, context, rules)
    bytes = Array(text.utf8)
  }

  func permits(_ fix: FixIt) -> Bool {
    guard !fix.edits.isEmpty else { return true }
    let corrected = fix.applied(to: text)
    let kind = kind(of: statement(at: fix.span.start))
    // `set mode = csv` is a setting.
    if kind != nil, corrected.dropFirst(fix.span.start).hasPrefix(".") { return true }
    if statementKind(in: corrected, at: fix) == kind {
      let keeps =
        kind == .save
        ? keepsName(fix) : FixDifference(text, corrected, context, changes: kind).isEquivalent
      if keeps { return true }
    }
    return rules.isOfChange(fix, text, context)
  }

  /// Returns whether a statement at a place changes data.
  func isChange(at place: Int) -> Bool { kind(of: statement(at: place)) != nil }

  /// Returns the statement at a place. It begins after a semicolon, or at a line that begins with
  /// the word of a statement.
  private func statement(at place: Int) -> Substring {
    let start = bytes[..<min(max(0, place), bytes.count)].lastIndex { $0 == 10 || $0 == 59 }
    var before = start
    while let end = before {
      let line = Self.rest(of: bytes, from: end + 1)
      if kind(of: line) != nil || line.beginsStatement { return line }
      before = bytes[..<end].lastIndex { $0 == 10 || $0 == 59 }
    }
    return Self.rest(of: bytes, from: 0)
  }

  private static func rest(of bytes: [UInt8], from place: Int) -> Substring {
    String(decoding: bytes[place...], as: UTF8.self).drop { $0.isWhitespace }
  }

  private func statementKind(in corrected: String, at fix: FixIt) -> ChangeKind? {
    let gate = FixGate(corrected, context)
    return gate.kind(of: gate.statement(at: fix.span.start))
  }

  private func kind(of statement: Substring) -> ChangeKind? { ChangeKind(statement.firstWord) }

  /// Returns whether a fix keeps a file's name: `save "changes"` for `save changes` would write a
  /// file that the user did not name.
  private func keepsName(_ fix: FixIt) -> Bool {
    fix.edits.allSatisfy { edit in
      guard !edit.replacement.isEmpty else { return false }
      guard let name = edit.replacement.trimmingQuotes else { return true }
      let isOfEntity = context.model[String(name.prefix { $0 != "/" })] != nil
      return name.contains(".") || name.contains("/") && !isOfEntity
    }
  }
}

/// A kind of statement that changes data, read from its first word.
enum ChangeKind {
  case delete, update, insert, drop, alter, save

  init?(_ word: String) {
    switch word.lowercased() {
    case "delete", "remove", "erase", "del", "rm", "削除": self = .delete
    case "update", "set", "modify", "change", "edit", "更新", "変更": self = .update
    case "insert", "add", "create", "new", "追加", "挿入", "作成": self = .insert
    case "drop": self = .drop
    case "alter": self = .alter
    case "save", "write", "store", "persist", "保存": self = .save
    default: return nil
    }
  }
}

extension String {
  /// The content of a quoted text; nil if the string is something else.
  var trimmingQuotes: String? {
    guard count > 1, let first, first == last, "\"'".contains(first) else { return nil }
    return String(dropFirst().dropLast())
  }
}

extension Substring {
  /// Whether the first word begins a statement; `as` continues one, too.
  fileprivate var beginsStatement: Bool {
    let word = firstWord.lowercased()
    return word != "as" && StatementCatalog.syntax(beginning: word) != nil
  }

  fileprivate var firstWord: String { String(prefix { $0.isLetter }) }
}

extension [FixIt] {
  /// Returns the first of all fixes with the same meaning: `= "x"` and `== "x"` are the same.
  func differing(in text: String) -> [FixIt] {
    var (texts, meanings) = (Set<String>(), [StatementMeaning]())
    return filter { fix in
      let corrected = fix.applied(to: text)
      guard texts.insert(corrected).inserted else { return false }
      guard count > 1, let meaning = StatementMeaning(corrected) else { return true }
      if meanings.contains(meaning) { return false }
      meanings.append(meaning)
      return true
    }
  }

  /// The fixes without those that turn a possible condition into a column.
  var withoutColumns: [FixIt] {
    let others = filter { $0.edits.map(\.replacement) != ["select "] }
    return others.isEmpty ? self : others
  }
}

/// The meaning of a statement that is one fetch.
private struct StatementMeaning: Equatable {
  private let kind: String
  private let fetch: FetchTree

  /// Creates the meaning; nil for any other text.
  init?(_ text: String) {
    let all = TypedStatements(text).all
    guard all.count == 1, case .statement(let statement) = all[0],
      statement.tree.typedParts.count == 1,
      case .fetch(let fetch, let parameters) = statement.tree.typedParts[0], parameters.isEmpty
    else { return nil }
    kind = String(describing: type(of: statement.tree))
    self.fetch = fetch
  }
}

extension TypedStatements {
  /// The number of comparisons that do not depend on an object: `"2025-12-28" == ""`, `pages >
  /// pages`.
  var idleComparisons: Int {
    all.reduce(0) { sum, part in
      guard case .statement(let statement) = part else { return sum }
      return sum + Attempt.nodes(of: statement).comparisons.count(where: \.isIdle)
    }
  }
}

extension Comparison {
  /// Whether it compares two literals, or a key with itself.
  var isIdle: Bool {
    switch (left.kind, right.kind) {
    case (.constant, .constant): true
    case (.keyPath, .keyPath): left.expressionFormat == right.expressionFormat
    default: false
    }
  }
}
