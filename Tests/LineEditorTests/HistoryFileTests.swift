import Foundation
import Testing

@testable import LineEditor

@Suite("The history file")
final class HistoryFileTests {
  private let path = NSTemporaryDirectory() + "kura-history-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @Test func isEmptyBeforeTheFirstStatement() {
    #expect(HistoryFile(path: path).load() == [])
  }

  @Test func keepsStatementsOfSeveralLines() {
    let file = HistoryFile(path: path)
    let statements = ["fetch MemoDate\n  where title CONTAINS \"誕生\"", "count MemoDate"]
    for statement in statements { #expect(file.append(statement)) }
    #expect(file.load() == statements)
  }

  @Test func keepsWhichStatementsFailed() {
    let file = HistoryFile(path: path)
    for statement in ["fetch A", "fetch B"] {
      file.append(statement)
      file.append(statement, hasFailed: true)
    }
    file.append("fetch A")
    #expect(file.load() == ["fetch A", "fetch B", "fetch A"])
    var history = History()
    for entry in file.entries() {
      if !entry.hasFailed { _ = history.add(entry.statement) }
      _ = history.note(entry.statement, hasFailed: entry.hasFailed)
    }
    #expect(history.newest(beginningWith: "fetch ") == "fetch A")
    let isNew = history.note("fetch A", hasFailed: true)
    #expect(isNew && history.newest(beginningWith: "fetch ") == nil)
    for statement in ["fetch C", "fetch A"] { _ = history.add(statement) }
    let failsAgain = history.note("fetch A", hasFailed: true)
    #expect(failsAgain && history.newest(beginningWith: "fetch ") == "fetch C")
  }

  @Test func isItsOwnersAlone() throws {
    HistoryFile(path: path).append("x")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func isNotWaitedForWhereItIsAPipe() {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(HistoryFile(path: path).load() == [])
    #expect(!HistoryFile(path: path).append("x"))
  }

  @Test func isLeftAloneWhereItIsADevice() {
    #expect(HistoryFile(path: "/dev/zero").load() == [])
    #expect(!HistoryFile(path: "/dev/null").append("x"))
  }

  @Test func ofTwoSessionsKeepsBoth() {
    let one = HistoryFile(path: path)
    let other = HistoryFile(path: path)
    for number in 0..<5 {
      one.append("one \(number)")
      other.append("other \(number)")
    }
    #expect(one.load().count == 10)
    #expect(Set(one.load()).count == 10)
  }

  @Test func losesNothingButALineThatWasCutShort() throws {
    let file = HistoryFile(path: path)
    file.append("before")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    handle.seekToEndOfFile()
    handle.write(Data("\"cut sh".utf8))
    try handle.close()
    file.append("after")
    #expect(file.load() == ["before", "after"])
  }

  @Test(
    "returns the newest statements, across the borders of its blocks",
    arguments: [1, 7, 4_999, 9_000])
  func givesTheNewest(limit: Int) throws {
    let lines = (0..<6_000).map { "\"statement \($0) 誕生日\"\n" }
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    let loaded = HistoryFile(path: path).load(limit: limit)
    #expect(loaded.count == min(limit, 6_000))
    #expect(loaded.last == "statement 5999 誕生日")
    #expect(loaded.first == "statement \(6_000 - min(limit, 6_000)) 誕生日")
  }

  @Test func thatCannotBeWrittenSaysSo() {
    #expect(!HistoryFile(path: "/nowhere/at/all/history").append("x"))
  }
}
