import Foundation
import KuraValues
import Testing

@Suite("Encoding a value")
struct ValueEncoderTests {
  private func encoded(_ value: some Encodable) throws -> Value { try ValueEncoder().encode(value) }

  struct Whole: Encodable {
    var text = "x"
    var number: UInt8 = 3
    var large = UInt64.max
    var float: Float = 0.1
    var yes = true
    var missing: Int?
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var site = URL(string: "https://example.com/a")
    var bytes = Data([1, 2])
    var price = Decimal(string: "0.1")
    var numbers = [1: "one"]
    var names = ["a": [1.5]]
  }

  @Test("preserves the types of predicates")
  func types() throws {
    let value = try encoded(Whole())
    guard case .dictionary(let whole) = value else { throw CancellationError() }
    #expect(whole.keys.first == "text" && whole.keys.last == "names")
    #expect(whole["number"] == 3 && whole["yes"] == true && whole["missing"] == nil)
    #expect(whole["float"] == 0.1 && whole["price"] == .decimal(Decimal(string: "0.1") ?? 0))
    #expect(whole["large"] == .decimal(Decimal(string: "18446744073709551615") ?? 0))
    #expect(whole["day"] == .date(Timestamp(microseconds: 978_307_200_000_000)))
    #expect(whole["id"] == .uuid(try #require(Whole().id)))
    #expect(whole["site"] == .uri("https://example.com/a") && whole["bytes"] == .binary([1, 2]))
    #expect(whole["numbers"] == ["1": "one"] && whole["names"] == ["a": [1.5]])
  }

  struct Nested: Encodable {
    enum Keys: String, CodingKey { case inner, list, a, more }
    func encode(to encoder: any Encoder) throws {
      var keyed = encoder.container(keyedBy: Keys.self)
      var inner = keyed.nestedContainer(keyedBy: Keys.self, forKey: .inner)
      try inner.encode(1, forKey: .a)
      var list = keyed.nestedUnkeyedContainer(forKey: .list)
      try list.encode("x")
      try list.encodeNil()
      var third = list.nestedContainer(keyedBy: Keys.self)
      try third.encode(true, forKey: .a)
      var fourth = list.nestedUnkeyedContainer()
      try fourth.encode(2)
      try "up".encode(to: keyed.superEncoder())
      try 5.encode(to: list.superEncoder())
      var again = encoder.container(keyedBy: Keys.self)
      try again.encode(list.count, forKey: .more)
    }
  }

  @Test("follows nested containers and superclasses")
  func nested() throws {
    #expect(
      try encoded(Nested()) == [
        "inner": ["a": 1], "list": ["x", nil, ["a": true], [2], 5], "super": "up", "more": 5,
      ])
    #expect(try encoded(Int?.none) == nil)
    #expect(try encoded([Whole?.none]) == [nil])
  }

  struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
  struct Mixed: Encodable {
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(1)
      var single = encoder.singleValueContainer()
      try single.encode(2)
    }
  }

  @Test("reports values that encode nothing or too much, with their places")
  func errors() {
    #expect(throws: EncodingError.self) { try encoded(Mixed()) }
    #expect {
      try encoded(["a": [Nothing()]])
    } throws: { error in
      guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError
      else { return false }
      return context.codingPath.map(\.stringValue) == ["a", "0"]
    }
  }

  @Test("recovers the type of untyped values")
  func untyped() throws {
    let json = Data(#"{"a": [1, 2.5, true, null, "x"], "b": {"c": -3}}"#.utf8)
    let value = try Value(untyped: JSONSerialization.jsonObject(with: json))
    #expect(value == ["a": [1, 2.5, true, nil, "x"], "b": ["c": -3]])
    let error = #expect(throws: UnknownValueType.self) {
      try Value(untyped: ["a": [CancellationError()]] as [String: Any])
    }
    #expect(error?.description == "a.0: a value of type CancellationError cannot be read")
  }
}
