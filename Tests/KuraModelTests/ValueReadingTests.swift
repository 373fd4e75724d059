import Foundation
import KuraJSON
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@Suite struct ValueReadingTests {
  func read(_ type: AttributeType, _ json: String) throws -> Value {
    try type.value(of: JSONNode(reading: Array(json.utf8)), in: Sample.tokyo)
  }

  @Test(arguments: AttributeType.allCases)
  func nullIsNull(_ type: AttributeType) throws {
    guard case .null = try read(type, "null") else {
      Issue.record("\(type) read null as something")
      return
    }
  }

  static let values: [(AttributeType, String, Value)] = [
    (.integer, "9223372036854775807", .integer(.max)),
    (.integer, "-9223372036854775808", .integer(.min)),
    (.integer, "3.0", .integer(3)), (.integer, "1e3", .integer(1000)),
    (.integer, "-0", .integer(0)),
    (.integer16, "-32768", .integer(-32768)), (.integer32, "2147483647", .integer(2_147_483_647)),
    (.double, "1", .double(1)), (.double, "-2.5e-3", .double(-0.0025)),
    (.float, "0.1", .double(Double(Float(0.1)))),
    (.string, "\"\"", .string("")), (.boolean, "true", .boolean(true)),
    (.uri, "\"https://例.jp/道\"", .uri("https://例.jp/道")), (.binary, "\"AQI=\"", .binary([1, 2])),
    (.json, "\"x\"", .string("x")),
    (
      .json, "[1, {\"a\": null}]",
      .list([.integer(1), .dictionary(ValueDictionary([("a", .null)]))])
    ),
  ]

  @Test(arguments: values)
  func aValueIsReadAsItsType(_ type: AttributeType, _ json: String, _ value: Value) throws {
    #expect(try read(type, json) == value)
  }

  @Test("A number that would become zero is out of range, and zero is not")
  func tooSmall() throws {
    for (type, digits) in [
      (AttributeType.double, "1e-400"), (.double, "-0.1e-399"), (.float, "1e-60"),
      (.decimal, "1e-129"), (.decimal, "12e-129"),
    ] {
      #expect(throws: ValueMismatch.outOfRange(type, digits: digits)) { try read(type, digits) }
      #expect(throws: ValueMismatch.outOfRange(type, digits: digits)) {
        try type.value(ofText: digits, in: .utc)
      }
    }
    for type in [AttributeType.double, .float, .decimal, .integer] {
      #expect(try read(type, "0e-999") == 0 && read(type, "0.000") == 0)
    }
    #expect(try read(.decimal, "10e-129") != 0 && read(.double, "1e-320") != 0)
  }

  @Test("An integral double keeps its digits as an integer and as a decimal")
  func wholeDoubles() throws {
    for number in [0x1p60, -0x1p60, 9_007_199_254_740_994, 1e15, -0.0, 0, 3] {
      let integer = Int64(number)
      for type in [AttributeType.integer, .decimal] {
        let value = try type.value(of: Constant(.double(number)), in: .utc)
        #expect(value == .integer(integer), "\(number)")
      }
      guard
        case .double(let same) = try AttributeType.double.value(
          of: Constant(.double(number)), in: .utc)
      else { continue }
      #expect(same.bitPattern == number.bitPattern)
    }
    let large = try AttributeType.decimal.value(of: Constant(.double(1e30)), in: .utc)
    #expect(large == .double(1e30))
  }

  @Test("Base64 has only one text for the same bytes", arguments: ["AB==", "AAB=", "//9=", "A==="])
  func paddingBits(text: String) {
    #expect(throws: ValueMismatch.unreadable(.binary, text: text)) {
      try AttributeType.binary.value(ofText: text, in: .utc)
    }
  }

  @Test(arguments: ["\"0.1\"", "0.1", "0.10", "1e-1"])
  func aDecimalIsReadByItsDigits(_ json: String) throws {
    guard case .decimal(let value) = try read(.decimal, json) else {
      Issue.record("no decimal")
      return
    }
    #expect(value == Decimal(1) / 10)
  }

  @Test func aDecimalHas38Digits() throws {
    let most = String(repeating: "9", count: 38)
    #expect(throws: Never.self) { try read(.decimal, most) }
    #expect(throws: ValueMismatch.outOfRange(.decimal, digits: most + "9")) {
      try read(.decimal, most + "9")
    }
  }

  @Test func aDateWithoutZoneIsReadInTheStores() throws {
    let midnight = try read(.date, "\"1935-06-11\"")
    #expect(midnight == .date(try Timestamp("1935-06-10T15:00:00Z", in: .utc)))
    #expect(AttributeType.date.node(midnight, in: Sample.tokyo).text == "\"1935-06-11\"")
    #expect(AttributeType.date.node(midnight, in: .utc).text == "\"1935-06-10T15:00:00Z\"")
  }

  static let mismatches: [(AttributeType, String, ValueMismatch)] = [
    (.integer, "9223372036854775808", .outOfRange(.integer, digits: "9223372036854775808")),
    (.integer, "1e400", .outOfRange(.integer, digits: "1e400")),
    (.integer16, "32768", .outOfRange(.integer16, digits: "32768")),
    (.integer32, "-2147483649", .outOfRange(.integer32, digits: "-2147483649")),
    (.integer, "2.5", .fraction(.integer, digits: "2.5")),
    (.integer, "\"3\"", .kind(.integer, found: .string)),
    (.integer, "true", .kind(.integer, found: .boolean)),
    (.double, "1e999", .outOfRange(.double, digits: "1e999")),
    (.float, "1e39", .outOfRange(.float, digits: "1e39")),
    (.decimal, "\"1x\"", .unreadable(.decimal, text: "1x")),
    (.string, "3", .kind(.string, found: .number)),
    (.boolean, "1", .kind(.boolean, found: .number)),
    (.boolean, "\"true\"", .kind(.boolean, found: .string)),
    (.date, "\"soon\"", .date(.notADate, text: "soon")), (.date, "[]", .kind(.date, found: .array)),
    (.uuid, "\"1\"", .unreadable(.uuid, text: "1")),
    (.uri, "\"a b\"", .unreadable(.uri, text: "a b")),
    (.uri, "\"\"", .unreadable(.uri, text: "")),
    (.binary, "\"A\"", .unreadable(.binary, text: "A")),
    (.json, "[1e999]", .outOfRange(.json, digits: "1e999")),
  ]

  @Test(arguments: mismatches)
  func whatIsNoneOfTheTypeIsRefused(
    _ type: AttributeType, _ json: String, _ mismatch: ValueMismatch
  ) {
    #expect(throws: mismatch) { try read(type, json) }
  }

  @Test func textIsReadAsAnyType() throws {
    #expect(try AttributeType.integer.value(ofText: "-12", in: .utc) == .integer(-12))
    #expect(try AttributeType.boolean.value(ofText: "Yes", in: .utc) == .boolean(true))
    #expect(try AttributeType.boolean.value(ofText: "0", in: .utc) == .boolean(false))
    #expect(try AttributeType.json.value(ofText: "[1]", in: .utc) == .list([.integer(1)]))
    for text in ["", "x", "nan", "0x1F", "inf", "1_000"] {
      #expect(throws: ValueMismatch.unreadable(.double, text: text)) {
        try AttributeType.double.value(ofText: text, in: .utc)
      }
    }
  }

  @Test(arguments: [
    "null", "true", "-3", "12345678901234567890", "2.5", "\"誕\"", "[1, [2.0]]",
    #"{"b": 1, "a": {}}"#,
  ])
  func aJSONValueIsWrittenAsItWasRead(_ json: String) throws {
    let text = JSONNode(try read(.json, json), in: .utc).text
    #expect(text == (json.count == 20 ? "\"\(json)\"" : json))
  }
}
