import KuraDiagnostics
import KuraPredicates
import TestSupport
import Testing

@testable import KuraScript

/// Lines of `insert` that are alike are read from the one before, and come to the same.
@Suite("Inserts that come again and again") struct RepeatedInsertTests {
  /// Everything that a reader gives, with all places; `fromBefore`: as it reads, else each line anew.
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

  private static func text(_ seed: UInt64) -> String {
    var dice = SeededNumbers(seed: seed)
    return (0..<60).map { _ in
      let head = dice.pick([
        "insert Item", "insert Item", "INSERT  Item", "insert Tag", " insert Item",
      ])
      let keys = dice.pick([["title"], ["title", "n"], ["title", "n"], ["title", "n", "done"]])
      let values = keys.map {
        "\($0) = \(dice.pick(dice.flip() ? ["\"x\"", "5", "YES"] : literals))"
      }
      return head + " " + values.joined(separator: ", ") + dice.pick(ends)
    }.joined()
  }

  @Test("are the statements that they are when each is read anew", arguments: 0..<60)
  func generated(seed: UInt64) {
    let text = Self.text(seed)
    let anew = read(text, fromBefore: false)
    #expect(read(text, fromBefore: true) == anew)
    #expect(read(text, fromBefore: true, pieces: 7) == anew)
  }

  @Test("are read from the one before where texts and numbers alone are others")
  func isRead() {
    var reader = StatementReader()
    reader.feed(
      """
      insert Item title = "x", n = 1, done = YES
      insert Item title = "誕生日", n = -22.5, done = YES
      insert Item title = "y", n = 3, done = NO
      print 1

      """.utf8)
    // The third has another word, which is no text and no number.
    let isRepeated = (0..<3).map { _ in
      let found = reader.readRepeated() != nil
      if !found { _ = reader.next() }
      return found
    }
    #expect(isRepeated == [false, true, false])
    #expect(reader.readRepeated() == nil)
  }
}

extension Statement {
  /// The tree with the places of all its parts.
  fileprivate var places: String {
    guard let insert = tree as? InsertStatement else { return "\(tree)" }
    guard case .assignments(let assignments) = insert.values else { return "\(insert)" }
    let values = assignments.map { assignment -> String in
      let value = assignment.value
      var digits = ""
      if case .constant(let constant) = value.kind { digits = constant.digits ?? "" }
      return "\(assignment.key) \(assignment.operation) \(value.kind) \(digits) \(value.span)"
    }
    return "\(insert.entity) \(values) \(insert.actionName?.text ?? "-")"
      + warnings.map { " ! \($0.facts.sentence) \($0.span ?? .none)" }.joined()
  }
}
