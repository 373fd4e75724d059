import KuraDiagnostics
import KuraStore
import KuraValues
import Testing

/// Texts of the kinds that JSON parsers get wrong, valid and not, each a file of its own.
@Suite("JSON of every kind")
struct StandardJSONTests {
  @Test("is read if RFC 8259 allows it", arguments: valid)
  func reads(_ bytes: [UInt8]) throws {
    for step in [1, 5, 1 << 20] {
      let read = try Reading(bytes, step: step)
      #expect(read.store != nil, "\(String(decoding: bytes, as: UTF8.self)): \(read.headlines)")
    }
  }

  @Test("is refused with its place if not", arguments: invalid)
  func refuses(_ bytes: [UInt8]) throws {
    for step in [1, 5, 1 << 20] {
      let read = try Reading(bytes, step: step)
      #expect(read.store == nil, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(!read.headlines.isEmpty)
    }
  }

  @Test("is refused if its brackets are too deep")
  func deep() throws {
    #expect(try Reading([UInt8](repeating: 0x5B, count: 100_000)).store == nil)
  }

  @Test("keeps the last value of a duplicate key, with a warning")
  func repeatedKeys() throws {
    let text = #"[{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}, {"a": 4}]"#
    for step in [1, 5, 1 << 20] {
      let store = try #require(try Reading(Array(text.utf8), step: step).store)
      #expect(store.values("a") == [3, 4])
      #expect(store.values("b").first == .dictionary(ValueDictionary([("c", 2)])))
      let said = store.warnings.map(\.facts.sentence)
      #expect(
        said == [
          "row 1 of in has the key \"c\" twice (the first of 2 places); the last value counts"
        ])
    }
  }

  static let valid: [[UInt8]] = [
    Array(#"{"a": true} "x""#.utf8),
    Array(#"[0e+1]"#.utf8),
    Array(#"[0e1]"#.utf8),
    Array(#"[123e45]"#.utf8),
    Array(#"[1E+2]"#.utf8),
    Array(#"[1E-2]"#.utf8),
    Array(#"[1E22]"#.utf8),
    [0x5B, 0x22, 0xE2, 0x80, 0xA8, 0x22, 0x5D],
    Array(#"[20e1]"#.utf8),
    [
      0x5B, 0x2D, 0x30, 0x2E, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
      0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
      0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
      0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
      0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
      0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x31, 0x5D, 0x0A,
    ],
    Array(#"["a/*b*/c/*d//e"]"#.utf8),
    [0x5B, 0x22, 0x61, 0x7F, 0x61, 0x22, 0x5D],
    Array(#"{"a":"b","a":"c"}"#.utf8),
    Array(#"[{"x":{"a":1,"a":2}},{"x":{"a":3}}]"#.utf8),
    Array(#"[{"a":1,"b":2,"a":3},{"a":4}]"#.utf8),
    Array(#"{"a":"b","a":"b"}"#.utf8),
    Array(#"[]"#.utf8),
    Array(#"{"":0}"#.utf8),
    Array(#"{}"#.utf8),
    Array(#"[""]"#.utf8),
    Array(#"["\"\\\/\b\f\n\r\t"]"#.utf8),
    Array(#"{ "min": -1.0e+28, "max": 1.0e+28 }"#.utf8),
    Array(#"["\uDBFF\uDFFE"]"#.utf8),
    [0x5B, 0x22, 0xEF, 0xBF, 0xBF, 0x22, 0x5D],
    Array(#"["\u0060\u012a\u12AB"]"#.utf8),
    Array(#"[null, 1, "1", {}]"#.utf8),
    Array(#"false"#.utf8),
    Array(#"42"#.utf8),
    Array(#"-0.1"#.utf8),
    Array(#"null"#.utf8),
    Array(#""asd""#.utf8),
    Array(#""""#.utf8),
    Array(#"true"#.utf8),
    Array(
      #"{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}"#
        .utf8),
    Array(#"[-0]"#.utf8),
    Array(#"[[]   ]"#.utf8),
    [0x7B, 0x0A, 0x22, 0x61, 0x22, 0x3A, 0x20, 0x22, 0x62, 0x22, 0x0A, 0x7D],
    [0x5B, 0x22, 0xF4, 0x8F, 0xBF, 0xBF, 0x22, 0x5D],
    Array(#"["\uFFFF"]"#.utf8),
    Array(#"{"foo\u0000bar": 42}"#.utf8),
    Array(#"[1,null,null,null,2]"#.utf8),
    Array(#"{"a":[]}"#.utf8),
    Array(#"["\uD801\udc37"]"#.utf8),
    Array(#"["\ud83d\ude39\ud83d\udc8d"]"#.utf8),
    Array(#"{"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430"}"#.utf8),
    [0x5B, 0x22, 0x61, 0x22, 0x5D, 0x0A],
    Array(#"["\u0061\u30af\u30EA\u30b9"]"#.utf8),
    Array(#" [] "#.utf8),
    Array(#"["\u0000"]"#.utf8),
  ]

  static let invalid: [[UInt8]] = [
    Array(#"[++1234]"#.utf8),
    Array(#"[+1]"#.utf8),
    Array(#"[+Inf]"#.utf8),
    Array(#"[-01]"#.utf8),
    Array(#"[-1.0.]"#.utf8),
    Array(#"[-2.]"#.utf8),
    Array(#"[-NaN]"#.utf8),
    Array(#"[.-1]"#.utf8),
    Array(#"[.2e-3]"#.utf8),
    Array(#"[0.1.2]"#.utf8),
    Array(#"[0.3e+]"#.utf8),
    Array(#"[0.3e]"#.utf8),
    Array(#"[0.e1]"#.utf8),
    Array(#"[0E]"#.utf8),
    Array(#"[0e+]"#.utf8),
    Array(#"[1.0e+]"#.utf8),
    Array(#"[1 000.0]"#.utf8),
    Array(#"[1 true]"#.utf8),
    Array(#"[1eE2]"#.utf8),
    Array(#"[2.e3]"#.utf8),
    Array(#"[9.e+]"#.utf8),
    Array(#"[Inf]"#.utf8),
    Array(#"[NaN]"#.utf8),
    [0x5B, 0x61, 0xE5, 0x5D],
    Array(#"[é]"#.utf8),
    Array(#"[1.2a-3]"#.utf8),
    Array(#"["\a"]"#.utf8),
    Array(#"["x", truth]"#.utf8),
    [0xEF, 0xBB, 0xBF, 0x7B, 0x7D, 0x78],
    [0x7B, 0x5B, 0x3A, 0x20, 0x22, 0x78, 0x22, 0x7D, 0x0A],
    Array(#"[True]"#.utf8),
    Array(#"1]"#.utf8),
    Array(#"["": 1]"#.utf8),
    Array(#"[1,2/* */]"#.utf8),
    Array(#"[""],"#.utf8),
    Array(#"[,1]"#.utf8),
    Array(#"{"x", null}"#.utf8),
    Array(#"[]["#.utf8),
    Array(#"{"x"::"b"}"#.utf8),
    Array(#"[1,,2]"#.utf8),
    Array(#"."#.utf8),
    Array(#"["x",,]"#.utf8),
    Array(#"{🇨🇭}"#.utf8),
    Array(#"]"#.utf8),
    [0x5B, 0x22, 0x5C, 0x00, 0x22, 0x5D],
    Array(#"["\x00"]"#.utf8),
    Array(#"[1+2]"#.utf8),
    Array(#"["x"]]"#.utf8),
    Array(#"["",]"#.utf8),
    Array(#"[fals]"#.utf8),
    Array(#"[１]"#.utf8),
    Array(#"{"a":"a" 123}"#.utf8),
    Array(#"[0x1]"#.utf8),
    Array(#"[x"#.utf8),
    Array(#"["x""#.utf8),
    [0xEF, 0xBB, 0x7B, 0x7D],
    Array(#"[Infinity]"#.utf8),
    Array(#"[3[4]]"#.utf8),
    [0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x22, 0x30, 0x22, 0x2C, 0x7D],
    [0x5B, 0xFF, 0x5D],
    Array(#"[1:2]"#.utf8),
    Array(#"[,]"#.utf8),
    Array(#"[-]"#.utf8),
    Array(#"{key: 'value'}"#.utf8),
    Array(#"[\u0020"asd"]"#.utf8),
    Array(#"[012]"#.utf8),
    Array(#"["\uD800\u"]"#.utf8),
    Array(#"["\uD800\u1x"]"#.utf8),
    Array(#"["\uD800\"]"#.utf8),
    Array(#"<null>"#.utf8),
    Array(#"[0e+-1]"#.utf8),
    Array(#"[-foo]"#.utf8),
    Array(#"{"a" b}"#.utf8),
    Array(#"[   , ""]"#.utf8),
    Array(#"{:"b"}"#.utf8),
    Array(#"{"a" "b"}"#.utf8),
    Array(#"{"a":"#.utf8),
    [0x31, 0x32, 0x33, 0x00],
    Array(#"[-012]"#.utf8),
    Array(#"[-.123]"#.utf8),
    Array(#"[- 1]"#.utf8),
    [0x5B, 0x22, 0x61, 0x22, 0x2C, 0x0A, 0x34, 0x0A, 0x2C, 0x31, 0x2C],
    [0x5B, 0x22, 0x6E, 0x65, 0x77, 0x0A, 0x6C, 0x69, 0x6E, 0x65, 0x22, 0x5D],
    Array(#"{"a""#.utf8),
    Array(#""#.utf8),
    Array(#"["\u00A"]"#.utf8),
    Array(#"{1:1}"#.utf8),
    Array(#"{9999E9999:1}"#.utf8),
    Array(#"[\n]"#.utf8),
    Array(#"[nul]"#.utf8),
    [0x5B, 0x00, 0x5D],
    Array(#"[1,,]"#.utf8),
    Array(#"[1,]"#.utf8),
    Array(#"2@"#.utf8),
    Array(#"{}}"#.utf8),
    Array(#"{"a":/*comment*/"b"}"#.utf8),
    Array(#"{"":["#.utf8),
    Array(#"['"#.utf8),
    Array(#"[{"#.utf8),
    Array(#"{"a"#.utf8),
    Array(#"{{"#.utf8),
    Array(#"[1ea]"#.utf8),
    Array(#"{null:null,null:null}"#.utf8),
    Array(#"{"id":0,,,,,}"#.utf8),
    Array(#"*"#.utf8),
    Array(#"['single quote']"#.utf8),
    Array(#" "#.utf8),
    Array(#"[*]"#.utf8),
    Array(#"["a"]x"#.utf8),
    [0x5B, 0x22, 0x0B, 0x61, 0x22, 0x5C, 0x66, 0x5D],
    [0x5B, 0x22, 0x09, 0x22, 0x5D],
    Array(#"{"id":0,}"#.utf8),
    Array(#"{"a":"b"}/**/"#.utf8),
    Array(#"{"a":"b"}/**//"#.utf8),
    Array(#"[tru]"#.utf8),
    Array(#"{"a":"b"}//"#.utf8),
    Array(#"{"a":"b",,"c":"d"}"#.utf8),
    Array(#"abc"#.utf8),
    Array(#"["asd\u000G"]"#.utf8),
    Array(#"["""#.utf8),
    Array(#"å"#.utf8),
    Array(#"{a: "b"}"#.utf8),
    Array(#"{"a":"a"#.utf8),
    [0x5B, 0xE2, 0x81, 0xA0, 0x5D],
    [0x5B, 0x0C, 0x5D],
  ]
}
