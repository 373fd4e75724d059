import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Numbers compute")
struct ArithmeticTests {
  typealias Case = (ArithmeticOperation, Value, Value, Value)
  static let results: [Case] = [
    (.divide, 7, 2, 3), (.divide, -7, 2, -3), (.divide, 7.0, 2, 3.5), (.remainder, 7, 2, 1),
    (.remainder, -7, 2, -1), (.power, 2, 3, 8.0), (.add, true, 1, 2),
    (.remainder, .integer(.min), -1, 0),
    (.multiply, .decimal(0.1), 3, .decimal(0.3)),
    (.divide, .decimal(Decimal(1)), 4, .decimal(0.25)),
    (.remainder, .decimal(7.5), 2, .decimal(1.5)), (.remainder, .decimal(-7.5), 2, .decimal(-1.5)),
    (.add, .decimal(0.1), 0.5, .double(0.6)),
  ]
  @Test("by the kinds of both sides", arguments: results)
  func computes(operation: ArithmeticOperation, a: Value, b: Value, result: Value) throws {
    let found = try Value.compute(operation, a, b)
    #expect(found == result && found.kind == result.kind)
  }

  static let failures: [(ArithmeticOperation, Value, Value, ValueError)] = [
    (.add, .integer(.max), 1, .overflow), (.divide, .integer(.min), -1, .overflow),
    (.divide, 1, 0, .divisionByZero), (.divide, 1.0, 0, .divisionByZero),
    (.divide, .decimal(Decimal(1)), 0, .divisionByZero), (.remainder, 1, 0, .divisionByZero),
    (.power, 10, 400, .overflow), (.power, -1, 0.5, .overflow),
    (.add, "1", 1, .notANumber(.string)),
    (.add, nil, 1, .notANumber(.null)), (.multiply, 1e300, 1e300, .overflow),
  ]
  @Test("or say why not", arguments: failures)
  func fails(operation: ArithmeticOperation, a: Value, b: Value, error: ValueError) {
    #expect(throws: error) { _ = try Value.compute(operation, a, b) }
  }

  @Test("decimals of any size neither crash nor become NaN", arguments: [7] as [UInt64])
  func decimals(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let operations: [ArithmeticOperation] = [
      .add, .subtract, .multiply, .divide, .remainder, .power,
    ]
    var (results, errors) = (0, 0)
    for _ in 0..<1000 {
      let (a, b) = (Self.decimal(&random), Self.decimal(&random))
      let order = try Value.order(.decimal(a), .decimal(b))
      #expect(order == (a < b ? .before : a > b ? .after : .same), "\(a) \(b), seed \(seed)")
      do throws(ValueError) {
        let result = try Value.compute(random.pick(operations), .decimal(a), .decimal(b))
        #expect(result.approximateNumber?.isNaN == false, "\(a) \(b), seed \(seed)")
        results += 1
      } catch {
        errors += 1
      }
    }
    #expect(results > 500 && errors > 50, "\(results) results, \(errors) errors")
  }

  @Test("decimals keep the laws of arithmetic as far as 38 digits go", arguments: [8] as [UInt64])
  func laws(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<1000 {
      let (a, b) = (Self.small(&random), Self.small(&random))
      let sum = try Value.compute(.add, a, b)
      #expect(try Value.compute(.subtract, sum, b) == a, "\(a) \(b), seed \(seed)")
      #expect(try Value.compute(.add, b, a) == sum)
      guard b != 0 else { continue }
      let product = try Value.compute(.multiply, a, b)
      #expect(try Value.compute(.divide, product, b) == a, "\(a) \(b), seed \(seed)")
      let rest = try Value.compute(.remainder, a, b)
      let multiple = try Value.compute(.divide, Value.compute(.subtract, a, rest), b)
      #expect(throws: Never.self) { _ = try multiple.wholeNumber() }
      let order = try Value.order(a, b)
      #expect(order.rawValue == (sign(try Value.compute(.subtract, a, b))))
    }
  }

  private func sign(_ value: Value) -> Int {
    let number = value.approximateNumber ?? 0
    return number < 0 ? -1 : number > 0 ? 1 : 0
  }

  /// A decimal of up to 9 digits on both sides of the point.
  private static func small(_ random: inout SeededNumbers) -> Value {
    let digits = Int64(random.next() % 2_000_000_000) - 1_000_000_000
    let text = "\(digits)e-\(random.next() % 9)"
    return .decimal(NumberText.decimal(text) ?? 0)
  }

  private static func decimal(_ random: inout SeededNumbers) -> Decimal {
    let digits = (0..<(1 + random.next() % 38)).map { _ in String(random.next() % 10) }.joined()
    let exponent = Int(random.next() % 200) - 100
    return NumberText.decimal("\(random.next() % 2 == 0 ? "-" : "")\(digits)e\(exponent)") ?? 1
  }
}

@Suite("Numbers as text")
struct NumberTextTests {
  @Test("are read by what they look like")
  func reads() {
    #expect(NumberText.number("12")?.kind == .integer)
    #expect(NumberText.number("-12.50") == -12.5)
    #expect(NumberText.number("1e3")?.kind == .double)
    #expect(NumberText.number("9223372036854775808")?.kind == .double)
    for text in ["", "a", "1.", ".5", "1e", "0x10", "nan", "inf", "1 ", "--1", "1e999"] {
      #expect(NumberText.number(text) == nil, "\(text)")
    }
  }

  @Test("keep 38 digits as decimals, no more")
  func decimals() throws {
    let digits = "12345678901234567890123456789012345678"
    #expect(NumberText.decimal(digits)?.description == digits)
    #expect(NumberText.decimal(digits + "9") == nil)
    #expect(NumberText.decimal("0.1")?.description == "0.1")
    #expect(NumberText.decimal("1000e-3") == 1)
    #expect(NumberText.decimal("1e500") == nil)
    #expect(NumberText.decimal("1e99999999999999999999") == nil)
    #expect(NumberText.text(2.0) == "2.0")
    #expect(NumberText.text(0.1) == "0.1")
  }
}
