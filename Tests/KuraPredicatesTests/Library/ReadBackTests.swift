import Foundation
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@Suite("An argument for %@ is printed so that it can be read back")
struct ReadBackTests {
  @Test("any value", arguments: [1, 2, 3, 4] as [UInt64])
  func values(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<400 {
      let value = Self.value(&random, depth: 3)
      let printed = try ExpressionTree(format: "%@", value).expressionFormat
      let again = try ExpressionTree(parsing: printed)
      let read = try again.evaluate([:])
      #expect(read == value, "seed \(seed): \(value) printed \(printed) is \(read)")
      let twice = try ExpressionTree(parsing: again.expressionFormat).evaluate([:])
      #expect(twice == value, "seed \(seed): \(printed) printed again")
      let predicate = try PredicateTree(format: "x == %@ AND %@ IN list", value, value)
      let reread = try PredicateTree(parsing: predicate.predicateFormat)
      let object: [String: Value] = ["x": value, "list": .list([0, value])]
      #expect(try reread.evaluate(object) == predicate.evaluate(object), "seed \(seed): \(printed)")
      #expect(try reread.prepared().evaluate(object) == predicate.evaluate(object))
    }
  }

  private static func value(_ random: inout SeededNumbers, depth: Int) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 11), using: &random) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: return .double(Double.random(in: -1e20...1e20, using: &random))
    case 4: return .decimal(decimal(&random))
    case 5: return .string(random.pick(["", "父の\"誕生日\"", "a\\b\n\u{0}", "'", "%@", "ﾒﾓ\u{2028}"]))
    case 6:
      return .date(
        Timestamp(
          microseconds: Int64.random(
            in: -62_135_000_000_000_000...253_402_000_000_000_000, using: &random)))
    case 7:
      return .uuid(
        UUID(
          uuid: (
            1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, UInt8.random(in: 0...255, using: &random)
          )))
    case 8:
      return .uri(random.pick(["https://example.com/a%20b?q=1#x", "file:///tmp/%E8%AA%95", ""]))
    case 9:
      return .binary(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    case 10: return .double(random.pick([.infinity, -.infinity, 0, -0.0, 1e-300, 0.1]))
    case 11: return .list(values(&random, depth))
    case 12: return .set(ValueSet(values(&random, depth)))
    default:
      return .dictionary(
        ValueDictionary(values(&random, depth).enumerated().map { ("key \($0)", $1) }))
    }
  }

  private static func values(_ random: inout SeededNumbers, _ depth: Int) -> [Value] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth - 1) }
  }

  private static func decimal(_ random: inout SeededNumbers) -> Decimal {
    let digits = String(
      (0..<Int.random(in: 1...38, using: &random)).map { _ in random.pick(Array("0123456789")) })
    let sign = Bool.random(using: &random) ? "-" : ""
    return Decimal(string: "\(sign)\(digits)e\(Int.random(in: -40...40, using: &random))") ?? 0
  }

  @Test("in a form of its own")
  func forms() throws {
    let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    func format(_ value: any FormatConvertible) throws -> String {
      try PredicateTree(format: "x == %@", value).predicateFormat
    }
    #expect(try format(uuid) == "x == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")")
    #expect(try format(Data([1, 2])) == "x == CAST(\"AQI=\", \"NSData\")")
    #expect(try format(Set([1])) == "x == CAST({1}, \"NSSet\")")
    #expect(try format(["a": 1]) == "x == CAST({{\"a\", 1}}, \"NSDictionary\")")
    let large = try #require(Decimal(string: "12345678901234567890.5"))
    #expect(try format(large) == "x == CAST(\"12345678901234567890.5\", \"NSDecimalNumber\")")
    #expect(try format(Decimal(3)) == "x == 3")
    #expect(
      try format(Date(timeIntervalSinceReferenceDate: 86_400))
        == "x == CAST(86400.000000, \"NSDate\")")
  }
}
