import KuraJSON
import TestSupport
import Testing

@testable import KuraStore

/// A pass over a text may state that no key is repeated; parsing a tree decides.
@Suite("The keys of a nested value")
struct NestedKeysTests {
  private func seen(_ json: String) -> NestedKeys {
    Array(json.utf8).withUnsafeBufferPointer(NestedKeys.init)
  }

  private func isRead(_ json: String) -> Bool { (try? JSONNode(reading: Array(json.utf8))) != nil }

  @Test(
    "are distinct in most texts",
    arguments: [
      "{}", "[]", #"{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}"#, #"[{"a":"x, \"y"},"a","a"]"#,
      #"{"a":{"b":1},"b":1}"#, #"{"名":1,"前":true,"x":null}"#, #"{"a":-1.5}"#,
    ])
  func distinct(_ json: String) {
    #expect(isRead(json))
    #expect(seen(json).areSurelyDistinct == !json.contains("\\"))
    #expect(!seen(json.filter { $0 != " " }).hasBlanks)
  }

  @Test(
    "are not certainly distinct if one is or may be repeated",
    arguments: [
      #"{"a":1,"a":2}"#, #"{"a":{"b":1,"b":2}}"#, #"[{"a":[{"x":1}],"b":1,"a":2}]"#,
      #"{"a":1,"\u0061":2}"#, #"{"a":1e999}"#, #"{"x":{"y":[1,{"z":1}]},"x":1}"#,
      String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
      "{" + (0..<70).map { "\"k\($0)\":1" }.joined(separator: ",") + "}",
    ])
  func unsure(_ json: String) { #expect(!seen(json).areSurelyDistinct) }

  @Test("are separated by spaces that are found, unlike spaces in texts")
  func blanks() {
    #expect(!seen(#"{"a b":"c d"}"#).hasBlanks)
    for json in [#"{"a": 1}"#, #"{ "a":1}"#, "[1,\n2]", "[1 ]", "[\t]"] {
      #expect(seen(json).hasBlanks, "\(json)")
    }
  }

  @Test("are never certainly distinct if the tree is refused", arguments: [11 as UInt64, 12, 13])
  func generated(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var (sure, refused) = (0, 0)
    for _ in 0..<3000 {
      let json = Self.value(&numbers, 4)
      let isRead = isRead(json)
      if !isRead { refused += 1 }
      guard seen(json).areSurelyDistinct else { continue }
      sure += 1
      #expect(isRead, "\(json), seed \(seed)")
    }
    #expect(sure > 500 && refused > 100)
  }

  private static func value(_ numbers: inout SeededNumbers, _ depth: Int) -> String {
    switch numbers.below(depth > 0 ? 6 : 3) {
    case 0: return numbers.pick(["1", "-2.5", "true", "null", "12345678901234567890"])
    case 1, 2: return numbers.pick(["\"x\"", "\"a\"", "\"\"", #""\n""#, "\"a,{\\\"b\\\":1\""])
    case 3:
      let elements = (0..<numbers.below(4)).map { _ in value(&numbers, depth - 1) }
      return "[" + elements.joined(separator: ",") + "]"
    default:
      let members = (0..<numbers.below(5)).map { _ in
        "\"\(numbers.pick(["a", "b", "c", "d", "歩", "aa", "e", "f", "g"]))\":"
          + value(&numbers, depth - 1)
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }
}
