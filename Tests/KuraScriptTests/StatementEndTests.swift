import Foundation
import KuraDiagnostics
import Testing

@testable import KuraScript

/// The end of a statement, and the message if the end is missing.
@Suite("The end of a statement")
struct StatementEndTests {
  private func events(_ text: String, joinsClauses: Bool = true, pieces: Int = .max) -> [String] {
    var reader = StatementReader(joinsClauses: joinsClauses)
    var (found, rest) = ([String](), Array(text.utf8)[...])
    func read() {
      while true {
        switch reader.next() {
        case .needsMore, .end: return
        case let event: found.append(event.summary.components(separatedBy: " ! ")[0])
        }
      }
    }
    while !rest.isEmpty {
      reader.feed(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      read()
    }
    reader.finish()
    read()
    return found
  }

  @Test(
    "in a file, a line with a clause continues the statement above",
    arguments: [
      ("fetch A\nwhere b == 1\nsort c\nlimit 2", ["fetch A where b == 1 sort c limit 2"]),
      ("  fetch A\nWHERE b == 1\n  sort c\nprint 1", ["fetch A where b == 1 sort c", "print 1"]),
      (
        "count A\nwhere b == 1\n  AND (c == 2\n)\nOR d == 3\ncount B",
        ["count A where (b == 1 AND c == 2) OR d == 3", "count B"]
      ),
      ("fetch A where b ==\n1\nsort c\nprint 1", ["fetch A where b == 1 sort c", "print 1"]),
      (
        "update A set b = 1\nwhere c == 2\ndelete A\nwhere b == 1",
        ["update A set b = 1 where c == 2", "delete A where b == 1"]
      ),
      ("-- x\nfetch A -- y\n-- z\nwhere b == 1 -- sort", ["fetch A where b == 1"]),
      (
        "update A/1 set b = 1\nupdate A/2 set b = 2\nwhere c == 3\nupdate A/3 set b = 3",
        ["update A/1 set b = 1", "update A/2 set b = 2 where c == 3", "update A/3 set b = 3"]
      ),
      (
        "show fetch A\nwhere b == 1\nas words\ncompare A\nwhere b == 1\nwith b == 2\nprint 1",
        nil
      ),
      ("watch fetch A\nwhere b == 1\nas x\nas of 3: count A", nil),
      ("insert A b = 1\nas \"first\"\nprint 1", nil),
      ("fetch A\ngroup by b\nhaving @count > 1", nil),
    ])
  func joined(_ text: String, _ expected: [String]?) {
    let found = events(text)
    let starts = text.split(separator: "\n").count { line in
      ["show", "compare", "watch", "as of", "insert", "fetch", "print"].contains(
        where: line.hasPrefix)
    }
    if let expected { #expect(found == expected) } else { #expect(found.count == starts) }
    for pieces in [1, 2, 7] { #expect(events(text, pieces: pieces) == found, "\(pieces)") }
    #expect(!found.contains { $0.hasPrefix("error") }, "\(found)")
  }

  @Test("is reported once for such a line, with its place")
  func note() throws {
    var reader = StatementReader(joinsClauses: true)
    reader.feed("fetch A\nwhere b == 1\nsort c\n".utf8)
    reader.finish()
    guard case .statement(let statement, let source) = reader.next() else {
      Issue.record("no statement")
      return
    }
    #expect(statement.warnings.map(\.severity) == [.note])
    #expect(statement.warnings.compactMap(\.span).map(source.text) == ["where"])
  }

  @Test(
    "precedes a line whose clause does not fit, or that follows a blank line",
    arguments: [
      "count A\nsort b", "fetch A\n\nwhere b == 1", "fetch A;\nwhere b == 1",
      "print 1\nwhere b == 1",
      "where b == 1", "count A\nselect title from A",
    ])
  func alone(_ text: String) {
    let found = events(text)
    #expect(found.last?.hasPrefix("error") == true, "\(found)")
    #expect(found == events(text, joinsClauses: false))
  }

  @Test("in a pipe is not delayed for such a line, and a complete statement runs")
  func pipe() {
    #expect(events("fetch A\nwhere b == 1", joinsClauses: false).count == 2)
    var reader = StatementReader()
    reader.feed("count A\ncount B\n".utf8)
    guard case .statement = reader.next(), case .needsMore = reader.next() else {
      Issue.record("the second line may go on")
      return
    }
    guard case .statement? = reader.nextWithoutMore() else {
      Issue.record("count B is whole")
      return
    }
    for text in ["fetch A where", "print (1\n", "print 1 \\\n", "print 1", "fetch A where b ==\n"] {
      reader.feed(text.utf8)
      #expect(reader.nextWithoutMore() == nil, "\(text)")
      reader = StatementReader()
    }
    reader.feed("print 1\n".utf8)
    guard case .needsMore = reader.next(), case .statement? = reader.nextWithoutMore() else {
      Issue.record("print 1 is whole")
      return
    }
    reader.feed("  + 2\nprint 3;\n".utf8)
    var found: [String] = []
    while found.count < 2 { found.append(reader.next().summary) }
    #expect(found.first?.hasPrefix("error") == true && found.last == "print 3", "\(found)")
  }

  @Test("is missing with a message for each beginning of each example that Enter does not run")
  func expectations() {
    for syntax in StatementCatalog.all {
      let words = syntax.example.split(separator: " ", omittingEmptySubsequences: false)
      for count in 1...words.count {
        for end in ["", ",", " (", " \\"] {
          let text = words.prefix(count).joined(separator: " ") + end
          guard case .incomplete = Completeness(text) else { continue }
          let said = Completeness(text).expected ?? ""
          #expect(!said.isEmpty && !said.contains("never closed"), "\(text): \(said)")
        }
      }
    }
    #expect(Completeness("show Item/4").expected == "expected \"as\" after \"Item/4\"")
    #expect(Completeness("diff 1").expected?.hasPrefix("expected the number of a save") == true)
    #expect(Completeness("print (1").expected == "\"(\" is still open")
    #expect(Completeness("fetch Item").expected == nil)
    #expect(Completeness("fetch Item wher").expected == nil)
  }
}
