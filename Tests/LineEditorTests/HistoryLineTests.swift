import TestSupport
import Testing

@testable import LineEditor

@Suite("A line of the history file")
struct HistoryLineTests {
  @Test(
    "is a JSON string",
    arguments: [
      ("fetch MemoDate", #""fetch MemoDate""#),
      ("title == \"誕生日\"\n  sort date", #""title == \"誕生日\"\n  sort date""#),
      ("a\\b\t\u{1}\r", #""a\\b\t\u0001\u000d""#),
    ])
  func isJSON(statement: String, line: String) {
    #expect(HistoryLine.encode(statement) == line + "\n")
    #expect(HistoryLine.decode(line.utf8) == statement)
  }

  @Test func readsEveryEscapeOfJSON() {
    #expect(HistoryLine.decode(#""\u8a95\/\b\f\r\ud83d\ude00""#.utf8) == "誕/\u{8}\u{C}\r😀")
  }

  @Test(
    "that is not a JSON string is skipped",
    arguments: [
      "", "\"", "x", "\"a", "\"a\"b", #""\x""#, #""\ud83d""#, #""\u12""#, #""\udc00""#, "{}",
    ])
  func isNone(line: String) {
    #expect(HistoryLine.decode(line.utf8) == nil)
  }

  @Test func thatIsNotUTF8IsNone() {
    #expect(HistoryLine.decode([0x22, 0xFF, 0x22]) == nil)
  }

  @Test("is read as it was written, whatever it contains", arguments: 1...50)
  func survives(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    let scalars = (0..<40).compactMap { _ in
      Unicode.Scalar(
        UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x1FFFF), using: &random))
    }
    var statement = ""
    statement.unicodeScalars.append(contentsOf: scalars)
    let line = HistoryLine.encode(statement)
    #expect(HistoryLine.decode(line.utf8.dropLast())?.utf8.elementsEqual(statement.utf8) == true)
    #expect(line.utf8.count { $0 == 10 } == 1)
  }
}
