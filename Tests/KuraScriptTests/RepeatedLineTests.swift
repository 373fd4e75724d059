import KuraDiagnostics
import KuraPredicates
import TestSupport
import Testing

@testable import KuraScript

/// Similar lines of `insert` and `update` are read with the pattern of a previous one, with the
/// same result.
@Suite("Repeated lines") struct RepeatedLineTests {
  /// Returns everything that a reader returns, with all spans; without `fromBefore` each line is
  /// parsed.
  private func read(_ text: String, fromBefore: Bool, pieces: Int = .max) -> [String] {
    var reader = StatementReader(name: "x.kura")
    var rest = Array(text.utf8)[...]
    var found: [String] = []
    while true {
      if !fromBefore { reader.repeated = [] }
      switch reader.next() {
      case .statement(let statement, let source):
        found.append(
          "\(source.firstLine) \(String(decoding: source.bytes, as: UTF8.self)) \(statement.span) "
            + statement.places)
      case .failure(let diagnostic, let source):
        found.append("\(diagnostic.summary(in: source)) \(diagnostic.span ?? .none)")
      case .needsMore:
        if rest.isEmpty { reader.finish() } else { reader.feed(rest.prefix(pieces)) }
        rest = rest.dropFirst(pieces)
      case .end: return found
      }
    }
  }

  private static let literals = [
    "\"x\"", "\"誕生日\"", "'y'", "\"\"", "\"a \\\" b\"", "\"\\d\"", "\"50 %\"", "\"%@\"", "\"open",
    "\"1935-06-11\"", "1", "-1", "- 1", "--1", "1.5", "-0.25", "1.", ".5", "1e3", "0x1F", "12px",
    "007",
    "9223372036854775808", "YES", "nil", "1 + 2", "today()", "(\"x\")", "\"a\"\"b\"", "$x", "Tag/3",
    "\"-- no comment\"", "\";\"",
  ]
  private static let ends = [
    "\n", "\n", "\n", "\n", "\n\n", ";\n", "; ", " \n", " -- why\n", "\r\n", "\n  as \"name\"\n",
    "\n-- why\n", "\nprint 1\n", "\n  + 1\n", "\nas \"name\"\n", "\\\n", "\n.mode csv\n",
    "\n\"x\"\n",
  ]

  private static let inserts = [
    "insert Item", "insert Item", "INSERT  Item", "insert Tag", " insert Item",
  ]
  private static let updates = [
    "update Item/7 set", "update Item/12345 set", "update Item/12345 set", "update Item/07 set",
    "update Item/-7 set", "update Item/7.5 set", "update Item/7.owner set", "update #Item/7 set",
    "UPDATE Item/7  set", "update Item/7 -- of one\n  set", "update Tag/9223372036854775808 set",
    "update Item/0 set", "update Tag/8 set", "update _ set", "update Item / 7 set",
  ]

  private static func text(_ seed: UInt64) -> String {
    var dice = SeededNumbers(seed: seed)
    return (0..<60).map { _ in
      let head = dice.pick(dice.flip() ? inserts : updates)
      let keys = dice.pick([["title"], ["title", "n"], ["title", "n"], ["title", "n", "done"]])
      let values = keys.map {
        "\($0) \(dice.pick(["=", "=", "=", "+="])) \(dice.pick(dice.flip() ? ["\"x\"", "5", "YES"] : literals))"
      }
      return head + " " + values.joined(separator: ", ") + dice.pick(ends)
    }.joined()
  }

  @Test("equal the statements that are parsed one by one", arguments: 0..<60)
  func generated(seed: UInt64) {
    let text = Self.text(seed)
    let anew = read(text, fromBefore: false)
    #expect(read(text, fromBefore: true) == anew)
    #expect(read(text, fromBefore: true, pieces: 7) == anew)
  }

  @Test("are read with a previous pattern if only texts and numbers differ")
  func isRead() {
    var reader = StatementReader()
    reader.feed(
      """
      insert Item title = "x", n = 1, done = YES
      insert Item title = "誕生日", n = -22.5, done = YES
      insert Item title = "y", n = 3, done = NO
      update Item/7 set n = 3, done = NO
      update Item/12345 set n = -1, done = NO
      .timer on
      update Item/8 set n = "x", done = NO
      print 1

      """.utf8)
    // The third has another word, which is neither a text nor a number.
    let isRepeated = (0..<7).map { _ in
      let found = reader.readRepeated() != nil
      if !found { _ = reader.next() }
      return found
    }
    #expect(isRepeated == [false, true, false, false, true, false, false])
    #expect(reader.readRepeated() == nil)
  }
}

extension Statement {
  /// The tree with the spans of all its parts.
  fileprivate var places: String {
    let told = warnings.map { " ! \($0.facts.sentence) \($0.span ?? .none)" }.joined()
    if let insert = tree as? InsertStatement, case .assignments(let all) = insert.values {
      return "\(insert.entity) \(all.map(\.places)) \(insert.actionName?.text ?? "-")" + told
    }
    guard let update = tree as? UpdateStatement else { return "\(tree)" }
    var source = "\(update.target)"
    if case .objects(let tree) = update.target.source.kind {
      source = "\(update.target.source.span) \(tree.kind) \(tree.span)"
    }
    return "\(source) \(update.assignments.map(\.places)) \(update.actionName?.text ?? "-")"
      + " \(update.target.predicate.map { "\($0)" } ?? "-")" + told
  }
}

extension Assignment {
  fileprivate var places: String {
    var digits = ""
    if case .constant(let constant) = value.kind { digits = constant.digits ?? "" }
    return "\(key) \(operation) \(value.kind) \(digits) \(value.span)"
  }
}
