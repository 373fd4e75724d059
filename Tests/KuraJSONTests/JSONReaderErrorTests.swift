import KuraJSON
import TestSupport
import Testing

@Suite struct JSONReaderErrorTests {
  typealias Failure = JSONSyntaxError

  static let failures: [(String, Failure)] = [
    ("", Failure(.unexpectedEnd(expected: .value), at: 0)),
    ("  ", Failure(.unexpectedEnd(expected: .value), at: 2)),
    ("[1,", Failure(.unexpectedEnd(expected: .value), at: 3)),
    ("[1", Failure(.unexpectedEnd(expected: .commaOrArrayEnd), at: 2)),
    ("{", Failure(.unexpectedEnd(expected: .keyOrEnd), at: 1)),
    (#"{"a""#, Failure(.unexpectedEnd(expected: .colon), at: 4)),
    (#"{"a":1"#, Failure(.unexpectedEnd(expected: .commaOrObjectEnd), at: 6)),
    ("tru", Failure(.unexpectedEnd(expected: .value), at: 3)),
    ("trux", Failure(.unexpectedByte(0x78, expected: .value), at: 3)),
    ("[1 2]", Failure(.unexpectedByte(0x32, expected: .commaOrArrayEnd), at: 3)),
    ("[1,]", Failure(.unexpectedByte(0x5D, expected: .value), at: 3)),
    ("{,}", Failure(.unexpectedByte(0x2C, expected: .keyOrEnd), at: 1)),
    ("{a: 1}", Failure(.unexpectedByte(0x61, expected: .keyOrEnd), at: 1)),
    (#"{"a":1,}"#, Failure(.unexpectedByte(0x7D, expected: .key), at: 7)),
    (#"{"a" 1}"#, Failure(.unexpectedByte(0x31, expected: .colon), at: 5)),
    ("'x'", Failure(.unexpectedByte(0x27, expected: .value), at: 0)),
    ("NaN", Failure(.unexpectedByte(0x4E, expected: .value), at: 0)),
    ("+1", Failure(.unexpectedByte(0x2B, expected: .value), at: 0)),
    ("\u{FEFF}1", Failure(.unexpectedByte(0xEF, expected: .value), at: 0)),
    ("1 2", Failure(.trailing, at: 2)),
    ("{} //", Failure(.trailing, at: 3)),
    ("01", Failure(.badNumber, at: 0)),
    ("[-]", Failure(.badNumber, at: 1)),
    ("1.", Failure(.badNumber, at: 0)),
    ("1.e3", Failure(.badNumber, at: 0)),
    ("1e", Failure(.badNumber, at: 0)),
    ("-.5", Failure(.badNumber, at: 0)),
    (#"["a"#, Failure(.unclosedString, at: 1)),
    (#""a\""#, Failure(.unclosedString, at: 0)),
    ("\"a\nb\"", Failure(.controlCharacter(0x0A), at: 2)),
    (#""\q""#, Failure(.badEscape, at: 1)),
    (#""\u12"#, Failure(.badEscape, at: 1)),
    (#""\u12G4""#, Failure(.badEscape, at: 1)),
    (#""\"#, Failure(.badEscape, at: 1)),
    (#""x\ud83d""#, Failure(.loneSurrogate, at: 2)),
    (#""\ude00\ud83d""#, Failure(.loneSurrogate, at: 1)),
    (#""\ud83d\u0041""#, Failure(.loneSurrogate, at: 1)),
    (#"{"a":1,"\u0061":2}"#, Failure(.duplicateKey("a"), at: 7)),
  ]

  @Test(arguments: failures)
  func aTextThatIsNoJSONSaysWhyAndWhere(_ text: String, _ failure: Failure) {
    #expect(throws: failure) { try JSONNode(reading: Array(text.utf8)) }
  }

  @Test(arguments: [
    [0xFF], [0xC0, 0x80], [0xC2], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
    [0xF4, 0x90, 0x80, 0x80], [0xE3, 0x81], [0xE3, 0x81, 0x41], [0x80],
  ])
  func bytesThatAreNoUTF8AreFound(_ wrong: [UInt8]) {
    let bytes = Array("[\"誕".utf8) + wrong + Array("\"]".utf8)
    #expect(throws: Failure(.invalidUTF8, at: 5)) { try JSONNode(reading: bytes) }
  }

  @Test func noTextCutAnywhereCrashes() {
    let text = Array(#"{"a\ud83d\ude00": [1.5e-3, "誕\n", {"b": null}], "c": -0, "d": true}"#.utf8)
    for end in 0..<text.count {
      #expect(throws: Failure.self) { try JSONNode(reading: Array(text[..<end])) }
    }
  }

  @Test func noChangedByteCrashes() {
    var random = SeededNumbers(seed: 0x6B757261)
    let text = Array(#"{"a\ud83d\ude00": [1.5e-3, "誕\n", {"b": null}], "c": -0, "d": true}"#.utf8)
    var read = 0
    for _ in 0..<20_000 {
      var changed = text
      for _ in 0..<2 {
        changed[Int(random.next() % UInt64(text.count))] = UInt8(random.next() % 256)
      }
      guard let node = try? JSONNode(reading: changed) else { continue }
      read += 1
      #expect((try? JSONNode(reading: Array(node.text.utf8))) == node, "seed 0x6B757261")
    }
    #expect(read > 50, "only \(read) changed texts are JSON still")
  }
}
