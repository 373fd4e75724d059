import KuraJSON
import Testing

@Suite struct JSONReaderTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "-2.50", "1e9", "1E+05", "12345678901234567890123456789",
    #""""#, #""誕生""#, #""\" \\ \b\f\n\r\t""#, "[]", "{}", "[[], {}]", "[1, 2.0, [null]]",
    #"{"title": "x", "": {"title": 1}}"#, "{\"が\": 1, \"か\u{3099}\": 2}",
  ])
  func aTextPrintsAsItWasRead(_ text: String) throws {
    #expect(try JSONNode(reading: Array(text.utf8)).text == text)
  }

  @Test(arguments: [
    (#"" \/ \u8a95\u751F""#, " / 誕生"), (#""\ud83d\ude00""#, "😀"), (#""a\u0000b""#, "a\0b"),
    ("\"\u{7F}\u{2028}𠮷\"", "\u{7F}\u{2028}𠮷"),
  ])
  func escapesAreRead(_ text: String, _ meaning: String) throws {
    #expect(try JSONNode(reading: Array(text.utf8)).kind == .string(meaning))
  }

  @Test func spansAreBytes() throws {
    let node = try JSONNode(reading: Array(#" {"誕": [10, true] , "b":"x"} "#.utf8))
    guard case .object(let members) = node.kind, members.count == 2 else {
      Issue.record("no object of two")
      return
    }
    #expect(node.span == 1..<30)
    #expect(members.map(\.keySpan) == [2..<7, 22..<25])
    #expect(members.map(\.value.span) == [9..<19, 26..<29])
    #expect(node["b"]?.kind == .string("x"))
    #expect(node["c"] == nil)
  }

  @Test func aValueIsReadFromThePlaceWhereItStands() throws {
    let (node, end) = try JSONNode.read(Array(#"insert Item {"a": 1}; count Item"#.utf8), from: 12)
    #expect(node.text == #"{"a": 1}"#)
    #expect(end == 20)
    #expect(throws: JSONSyntaxError(.unexpectedEnd(expected: .value), at: 2)) {
      try JSONNode.read(Array("12".utf8), from: 99)
    }
  }

  @Test func nothingNestsDeeperThanTheLimit() throws {
    let limit = JSONNode.depthLimit
    let deep = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(try JSONNode(reading: Array(deep.utf8)).text == deep)
    let tooDeep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONSyntaxError(.tooDeep(limit: limit), at: limit)) {
      try JSONNode(reading: tooDeep)
    }
    let objects = Array(String(repeating: #"{"a":"#, count: 1000).utf8)
    #expect(throws: JSONSyntaxError(.tooDeep(limit: limit), at: limit * 5)) {
      try JSONNode(reading: objects)
    }
  }

  @Test func aKeyThatComesTwiceIsFoundAmongMany() throws {
    let keys = (0..<2000).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(throws: Never.self) { try JSONNode(reading: Array("{\(keys)}".utf8)) }
    let text = "{\(keys),\"k7\":1}"
    #expect(throws: JSONSyntaxError(.duplicateKey("k7"), at: text.utf8.count - 7)) {
      try JSONNode(reading: Array(text.utf8))
    }
  }

  @Test func aPlaceInAStringIsAPlaceInTheDocument() throws {
    let bytes = Array(#"[ "a\n\u8a95b" ]"#.utf8)
    guard case .array(let elements) = try JSONNode(reading: bytes).kind else {
      Issue.record("an array was read as something else")
      return
    }
    let places = (0...6).map { elements[0].place(ofTextByte: $0, in: bytes) }
    #expect(places == [3, 4, 6, 6, 6, 12, 13])
    #expect(elements[0].place(ofTextByte: 1, in: []) == nil)
  }
}
