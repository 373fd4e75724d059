import Testing

@testable import KuraScript

@Suite("The check of a text that grows")
struct CompletenessCheckTests {
  private static let texts = [
    "fetch A where a == 1 AND\n  b == 2 AND\n  c == 3 AND\n  d == 4\n",
    "print 1 +\n  2 +\n  (3 *\n4) -\n\n  5",
    "insert A {\"a\": [1,\n\n2,\n \"]}\",\n3]}\nprint 1",
    "fetch A;\nfetch B where\n  c == 1;\nprint 3",
    "entity A {\n  a: string\n  b: [C]\n}\ndelete A\n  where b == 1",
    "print 1 + \\\n 2 \\\n + 3\nprint {1,\n2,\n3}, \\\n 4",
    "fetch A where title\n  == 3 AND name\n  == 4",
    "-- a comment\n\nfetch A -- where\n.mode json\nfetch A where a IN\n {1,\n 2}",
    "誕生 x\nfetch 日付 where 題 == \"父の\n誕生\"",
  ]

  /// Returns the text line by line, each time with one more line.
  private static func prefixes(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.map { lines[...$0].joined(separator: "\n") }
  }

  private func isComplete(_ text: String) -> Bool {
    if case .incomplete = Completeness(text) { false } else { true }
  }

  @Test("agrees with reading the complete text at each new line", arguments: texts)
  func agrees(_ text: String) {
    let check = CompletenessCheck(longText: 0)
    for prefix in Self.prefixes(text) {
      let wanted = isComplete(prefix)
      #expect(check.isComplete(prefix) == wanted, "\(prefix)")
      // A complete text would be run; the following lines belong to another text.
      if wanted { break }
    }
  }

  @Test("starts over if the beginning was changed", arguments: texts)
  func editedBefore(_ text: String) {
    let check = CompletenessCheck(longText: 0)
    for prefix in Self.prefixes(text) {
      #expect(check.isComplete("print 1\n" + prefix) == isComplete("print 1\n" + prefix))
      #expect(check.isComplete(prefix) == isComplete(prefix), "\(prefix)")
    }
  }

  @Test("reads a condition of two thousand lines, and finds its end")
  func long() {
    let check = CompletenessCheck()
    var text = "fetch A where"
    for line in 0..<2000 {
      text += "\n  a\(line) == \(line) AND"
      #expect(!check.isComplete(text))
    }
    #expect(check.isComplete(text + "\n  b == 1"))
    #expect(!check.isComplete(text + "\n  b == 1 OR"))
  }

  @Test("shows an error in a long text before it has more than doubled")
  func longError() {
    let check = CompletenessCheck(longText: 0)
    var text = "fetch A where\n  a === 1 AND"
    #expect(check.isComplete(text))
    text = "fetch A where\n  b == 1 AND"
    #expect(!check.isComplete(text))
    text += "\n  a === 1 AND"
    let length = text.utf8.count
    while !check.isComplete(text), text.utf8.count < 3 * length { text += "\n  c == 2 AND" }
    #expect(text.utf8.count <= 2 * length + 20)
  }
}
