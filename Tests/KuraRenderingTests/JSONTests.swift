import Foundation
import KuraRendering
import KuraValues
import Testing

@Suite struct JSONTests {
  private func row(_ value: Value, isShortDate: Bool = false) throws -> String {
    let line = try Grid(value, isShortDate: isShortDate).text(as: .of("jsonl"))
    return String(line.dropFirst(#"{"x": "#.count).dropLast(2))
  }

  @Test("A result is one array with one object per line")
  func array() throws {
    #expect(
      try Grid.memos.text(as: .of("json"), RenderingOptions(nullText: "–", width: 20)) == #"""
        [
          {"objectID": 1, "title": "父の誕生日", "category": "Family", "date": "1935-06-11", "notifiable": true, "price": 12},
          {"objectID": 2, "title": "がくせいの日, \"X\"", "category": null, "date": null, "notifiable": false, "price": 2.0},
          {"objectID": 10, "title": "👨‍👩‍👧 at home\nand | away", "category": "", "date": "2010-07-20", "notifiable": null, "price": 0.10000000000000000001}
        ]

        """#)
  }

  @Test("The output can be read as JSON, line by line and as a whole")
  func readable() throws {
    let whole = try Grid.memos.text(as: .of("json"))
    let rows = try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [[String: Any]]
    #expect(rows?.count == 3 && rows?[2]["title"] as? String == "👨‍👩‍👧 at home\nand | away")
    for line in try Grid.memos.text(as: .of("jsonl")).split(separator: "\n") {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    }
  }

  @Test("A row that fails ends the array after the previous rows, if some have been written")
  func failing() throws {
    struct Failed: Error {}
    for failing in [0, 3, 1999, 5000] {
      var written: [UInt8] = []
      var out = OutputBuffer { written += $0 }
      let grid = Grid(columns: [GridColumn("a"), GridColumn("b")], rowCount: 6000) { row, column in
        if row == failing, column == 1 { throw Failed() }
        return .string("誕生日の一覧 \(row)")
      }
      #expect(throws: Failed.self) { try grid.write(as: .of("json"), .init(), to: &out) }
      if failing < 1000 {
        #expect(written.isEmpty)
      } else {
        let rows = try JSONSerialization.jsonObject(with: Data(written)) as? [[String: Any]]
        #expect(rows?.count == failing)
      }
    }
  }

  @Test("The form of the document's objects precedes the columns")
  func record() throws {
    final class Records: GridRecords {
      let keys = RecordKeys(["objectID", "date", "parentCategory"])
      let values: [Value] = [.integer(1), .seconds(0), .named("Category", 3)]

      func append(_ row: Int, _ key: Int, _ text: JSONText, to bytes: inout [UInt8]) {
        text.append(values[key], isShortDate: true, to: &bytes)
      }
    }
    let grid = Grid(columns: [GridColumn("x")], rowCount: 1, records: Records()) { _, _ in .null }
    let expected = #"{"objectID": 1, "date": "1970-01-01", "parentCategory": 3}"#
    #expect(try grid.text(as: .of("jsonl")) == expected + "\n")
    #expect(try grid.text(as: .of("json")) == "[\n  \(expected)\n]\n")
    #expect(try grid.text(as: .of("csv")) == "x\n\n")
  }

  @Test("Numbers keep all their digits")
  func numbers() throws {
    #expect(try row(.integer(9_007_199_254_740_993)) == "9007199254740993")
    #expect(try row(.integer(.min)) == "-9223372036854775808")
    #expect(try row(.double(2)) == "2.0")
    #expect(try row(.double(0.1)) == "0.1")
    #expect(try row(.double(1e300)) == "1e+300")
    #expect(try row(.double(.nan)) == "null")
    let digits = "12345678901234567890.123456789"
    #expect(try row(.decimal(Decimal(string: digits) ?? 0)) == digits)
  }

  @Test("Text is unchanged; quotes, backslashes and control characters are escaped")
  func text() throws {
    #expect(try row(.string("誕\"\\\n\t\u{1B}/é")) == #""誕\"\\\n\t\u001b/é""#)
    #expect(try row(.uri("https://example.com/a")) == #""https://example.com/a""#)
    #expect(try row(.binary([0xFB, 0xEF, 0xFF, 1])) == #""++//AQ==""#)
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    #expect(try row(.uuid(UUID(uuidString: uuid.lowercased()) ?? UUID())) == "\"\(uuid)\"")
  }

  @Test("Lists, sets and dictionaries nest; objects are numbers")
  func nested() throws {
    let set = ValueSet(distinct: [.named("Item", 3), .named("Item", 4)])
    #expect(try row(.list([.integer(1), .null, .list([])])) == "[1, null, []]")
    #expect(try row(.set(set)) == "[3, 4]")
    let address = ValueDictionary([("city \"K\"", .string("神戸")), ("at", .seconds(0))])
    #expect(try row(.dictionary(address)) == #"{"city \"K\"": "神戸", "at": "1970-01-01T00:00:00Z"}"#)
    #expect(try row(.object(ObjectReference(Named(objectID: nil)))) == "null")
  }
}
