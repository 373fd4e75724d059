import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraValues
import TestSupport
import Testing

@testable import KuraShell

/// Similar lines of `insert` are performed together, with the same result as separately.
@Suite("Lines of insert") struct InsertLinesTests {
  private static let dates = [
    "\"1935-06-11\"", "\"2011-01-13\"", "\"2024-02-29T10:00:00Z\"", "\"1939-10-16\"",
    "\"tomorrow\"", "\"1935-13-41\"", "nil", "7", "today()", "\"1951-05-06T00:30\"",
  ]
  private static let others = [
    "undo", "undo\nredo", "undo\nundo\nundo", "count MemoDate", "save", "begin try",
    "commit", "discard", "rollback", "update MemoDate set title = \"x\" where objectID > 9",
    "delete MemoDate where title == \"5\"", "insert Tag name = \"x\"", "insert MemoDate",
    "insert MemoDate title = \"a\\nb\"", "-- nothing", "", "print 3", "undo list", ".validate on",
    ".validate off", ".mode csv", ".once /dev/null", "insert Item title = \"i\", tags = Tag/1",
    ".watch", "alter entity MemoDate add n: integer = 3",
  ]

  /// Returns many similar lines, with occasional others.
  private static func script(_ seed: UInt64) -> String {
    var dice = SeededNumbers(seed: seed)
    var lines: [String] = []
    while lines.count < 400 {
      let category = dice.flip() ? ", category = \"\(dice.pick(["家", "Office"]))\"" : ""
      for i in 0..<dice.below(40) {
        let title = dice.oneIn(40) ? "" : "誕生日 \(i) \(dice.below(99))"
        let date = dice.pick(dice.oneIn(20) ? dates : Array(dates[..<4]))
        lines.append("insert MemoDate title = \"\(title)\", date = \(date)\(category)")
      }
      lines.append(dice.pick(others))
    }
    let end = "undo list\nfetch MemoDate\nsave\nfetch Item\nundo\nundo\ncount MemoDate"
    return lines.joined(separator: "\n") + "\n" + end + "\n"
  }

  private func done(_ script: String, alone: Bool, continues: Bool) throws -> (String, String?) {
    let folder = try TestFolder()
    let result = folder.run(script) {
      // A statement with a limit is timed separately.
      $0.timeout = alone ? .seconds(3600) : nil
      $0.continuesAfterErrors = continues
      $0.savesAtEnd = true
    }
    return ("\(result.output)\(result.status)", folder.text("dates.json"))
  }

  @Test("are performed together if nothing must be reported about each")
  func together() throws {
    let folder = try TestFolder()
    let session = try Session(Launch(), folder.services)
    session.run("entity A { t: string }\ninsert A t = \"first\"")
    var reader = StatementReader()
    reader.feed((1...9).map { "insert A t = \"\($0)\"\n" }.joined().utf8)
    _ = reader.next()
    #expect(session.insertLines(&reader) && session.context.graph.objectCount(of: "A") == 8)
    session.settings.isTimed = true
    reader.feed("insert A t = \"x\"\ninsert A t = \"y\"\nprint 1\n".utf8)
    let isTogether = session.insertLines(&reader)
    #expect(!isTogether)
  }

  @Test("have the same result as one by one", arguments: 1...UInt64(TestLength.count(8, long: 20)))
  func same(seed: UInt64) throws {
    let script = Self.script(seed)
    let alone = try done(script, alone: true, continues: seed % 4 != 0)
    let together = try done(script, alone: false, continues: seed % 4 != 0)
    #expect(together.0 == alone.0)
    #expect(together.1 == alone.1)
  }

  @Test("are reported with their places if a save finds broken rules")
  func placed() throws {
    let lines = (1...30).map {
      "insert MemoDate title = \"\($0 == 17 || $0 == 30 ? "" : "x")\", date = \"1935-06-11\""
    }
    let folder = try TestFolder()
    let output = folder.run(lines.joined(separator: "\n") + "\nsave\n").output
    #expect(output.contains("FOLDER/script.kura:17:8:"), "\(output)")
    #expect(output.contains("FOLDER/script.kura:30:8:"))
    #expect(!output.contains("script.kura:16:") && !output.contains("script.kura:18:"))
  }

  @Test("are read together only as far as they are accepted")
  func taken() {
    var reader = StatementReader(name: "x.kura")
    let lines = (1...9).map { "insert Item n = \($0)\n" }.joined() + "print 1\n"
    reader.feed(lines.utf8)
    let untaken = reader.takeRepeated { _, _, _ in true }
    #expect(untaken == nil)
    _ = reader.next()
    var seen: [Int64] = []
    let none = reader.takeRepeated { _, _, _ in false }
    #expect(none == nil)
    let some = reader.takeRepeated { _, _, values in
      if case .integer(let number) = values[0] { seen.append(number) }
      return seen.count < 4
    }
    #expect(seen == [2, 3, 4, 5] && some?.text.firstLine == 2)
    #expect(some?.line(2).bytes == Array("insert Item n = 4".utf8) && some?.line(2).firstLine == 4)
    guard case .statement(let statement, let source) = reader.next() else {
      Issue.record("the fifth is left to be read")
      return
    }
    #expect(source.firstLine == 5 && source.text(statement.span) == "insert Item n = 5")
    let rest = reader.takeRepeated { _, _, _ in true }
    #expect(rest?.text.firstLine == 6)
    guard case .statement(_, let source) = reader.next() else { return }
    #expect(source.firstLine == 10)
  }
}
