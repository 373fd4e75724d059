import Foundation
import Testing

@testable import KuraValues

@Suite("Values are equal and ordered by value")
struct ValueTests {
  static let big: Int64 = 9_007_199_254_740_993  // 2^53 + 1
  static let equal: [(Value, Value)] = [
    (3, 3.0), (true, 1), (false, 0.0), (.decimal(Decimal(3)), 3), (.decimal(0.1), 0.1),
    (.integer(1 << 60), .double(0x1p60)), (nil, nil), ([1, 2], [1.0, 2.0]),
    (.set([1, 2]), .set([2.0, 1])), (["a": 1, "b": 2], ["b": 2, "a": 1]),
    (.decimal(Decimal(1 << 60)), .double(0x1p60)), (-0.0, 0),
  ]
  static let unequal: [(Value, Value)] = [
    (.integer(big), .double(9_007_199_254_740_992)), (1, "1"), (true, "YES"), ([1], .set([1])),
    ("が", "か\u{3099}"), (nil, 0), (.decimal(Decimal(string: "0.10000000000000000001") ?? 0), 0.1),
    (.integer(.max), .double(0x1p63)), (["a": 1], ["a": 2]), ("a", .uri("a")),
    (.decimal(Decimal(big)), .double(9_007_199_254_740_992)),
  ]

  @Test("equal values hash alike", arguments: equal)
  func same(a: Value, b: Value) {
    #expect(a == b && b == a)
    #expect(a.hashValue == b.hashValue)
  }

  @Test("and different ones differ", arguments: unequal)
  func different(a: Value, b: Value) { #expect(a != b && b != a) }

  static let ascending: [(Value, Value)] = [
    (1, 1.5), (-1.5, -1), (.integer(.max), .double(0x1p63)), (.double(-0x1p63 * 2), .integer(.min)),
    (.double(9_007_199_254_740_992), .integer(big)), (false, 1), ("Z", "a"), ("", "a"), ("a", "é"),
    ("\u{FFFD}", "𠮷"), (.decimal(0.1), 0.2), (.double(1e200), .double(1e201)),
    (.decimal(Decimal(1)), .double(1e100)),
    (.date(Timestamp(microseconds: 1)), .date(Timestamp(microseconds: 2))),
    (uuid("0621E1F8"), uuid("E621E1F8")), (uuid("9621E1F8"), uuid("A621E1F8")),
  ]

  private static func uuid(_ start: String) -> Value {
    UUID(uuidString: start + "-C36C-495A-93FC-0C247A3E6E5F").map(Value.uuid) ?? .null
  }

  @Test("numbers, strings, dates, booleans and UUIDs have an order", arguments: ascending)
  func ordered(a: Value, b: Value) throws {
    #expect(try Value.order(a, b) == .before)
    #expect(try Value.order(b, a) == .after)
  }

  @Test("other pairs have none", arguments: [("2", 3), (nil, 1), ([1], [2])] as [(Value, Value)])
  func unordered(a: Value, b: Value) {
    #expect(throws: ValueError.unordered(a.kind, b.kind)) { _ = try Value.order(a, b) }
  }

  @Test("a set keeps the first of equal values, and has set algebra")
  func sets() {
    #expect(ValueSet([1, 2, 1.0, true]).elements == [1, 2])
    #expect(ValueSet([1, 2]).union([2, 3]) == [3, 2, 1])
    #expect(ValueSet([1, 2]).intersection([2.0]) == [2])
    #expect(ValueSet([1, 2]).subtracting([2.0]) == [1])
    #expect(ValueSet((0..<200_000).map { .integer($0 % 100_000) }).elements.count == 100_000)
  }

  @Test("a dictionary finds, replaces and removes, small and large", arguments: [3, 40])
  func dictionaries(count: Int) {
    var dictionary = ValueDictionary((0..<count).map { ("k\($0)", .integer(Int64($0))) })
    dictionary["k1"] = "one"
    dictionary["k0"] = nil
    #expect(dictionary.keys.count == count - 1)
    #expect(dictionary["k1"] == "one" && dictionary["k2"] == 2 && dictionary["k0"] == nil)
    #expect(dictionary.value(forKey: "none") == nil)
  }

  @Test("a dictionary keeps canonically equal keys", arguments: [0, 40])
  func equivalentKeys(others: Int) {
    let rest = (0..<others).map { ("k\($0)", Value.integer(Int64($0))) }
    let (composed, decomposed) = ("\u{30AC}", "\u{30AB}\u{3099}")
    let both = ValueDictionary([(composed, 1), (decomposed, 2)] + rest)
    #expect(both.keys.count == others + 2 && both[composed] == 1 && both[decomposed] == 2)
    #expect(both != ValueDictionary([(composed, 1), (decomposed, 1)] + rest))
    #expect(both == ValueDictionary(rest + [(decomposed, 2), (composed, 1)]))
    // A key is found in another form only if its exact form is missing.
    let one = ValueDictionary([(composed, 1)] + rest)
    #expect(one[decomposed] == 1 && one["k"] == nil)
  }

  @Test func whatIsNotANumberEqualsItselfAloneAndComesFirst() throws {
    let nans: [Value] = [.double(.nan), .double(-.nan), .double(.signalingNaN), .decimal(.nan)]
    let others: [Value] = [0, -1, .integer(.min), 0.5, .double(-.infinity), .decimal(3), true]
    for a in nans {
      for b in nans {
        #expect(a == b)
        #expect(a.hashValue == b.hashValue)
      }
      for b in others {
        #expect(a != b && b != a)
        #expect(try Value.order(a, b) == .before)
        #expect(try Value.order(b, a) == .after)
      }
    }
  }
}
