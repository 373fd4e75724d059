import Foundation
import KuraDiagnostics
import Testing

@testable import KuraScript

/// Returns the events of a text that is fed at once or in pieces.
func events(of text: String, inPieces isPieces: Bool = false) -> [String] {
  var reader = StatementReader()
  var found: [String] = []
  func readAll() {
    while true {
      switch reader.next() {
      case .end, .needsMore: return
      case let event: found.append(event.summary)
      }
    }
  }
  if isPieces {
    for byte in text.utf8 {
      reader.feed(CollectionOfOne(byte))
      readAll()
    }
  } else {
    reader.feed(text.utf8)
    readAll()
  }
  reader.finish()
  readAll()
  return found
}

@Suite struct StatementTableTests {
  /// A text, `⏎` for a line's end, and below it the events, each after `=>`.
  private struct Row {
    var text: String
    var events: [String] = []
  }

  private func rows(from file: String = #filePath) throws -> [Row] {
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Tables")
    let table = try String(contentsOf: folder.appending(path: "statements.txt"), encoding: .utf8)
    var rows: [Row] = []
    for line in table.split(separator: "\n") where !line.hasPrefix("# ") {
      let text = String(line).replacing("⏎", with: "\n")
      if text.hasPrefix("=> ") {
        rows[rows.count - 1].events.append(String(text.dropFirst(3)))
      } else {
        rows.append(Row(text: text))
      }
    }
    return rows
  }

  @Test func everyTextGivesItsEvents() throws {
    let rows = try rows()
    #expect(rows.count > 150)
    for row in rows { #expect(events(of: row.text) == row.events, "\(row.text)") }
  }

  @Test func textInPiecesGivesTheSameEvents() throws {
    for row in try rows() {
      #expect(events(of: row.text, inPieces: true) == row.events, "\(row.text)")
      let twice = row.text + "\n\n" + row.text
      #expect(events(of: twice, inPieces: true) == events(of: twice), "\(row.text)")
    }
  }

  @Test func textWithReturnsGivesTheSameStatements() throws {
    let rows = try rows().filter { !$0.text.contains("insert") && !$0.text.contains("error") }
    #expect(rows.count > 150)
    for row in rows {
      let text = row.text.replacing("\n", with: "\r\n")
      #expect(events(of: text).count == row.events.count, "\(row.text)")
    }
  }
}
