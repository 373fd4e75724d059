import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Numbers are computed")
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
  @Test("according to the types of both sides", arguments: results)
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
  @Test("or report why not", arguments: failures)
  func fails(operation: ArithmeticOperation, a: Value, b: Value, error: ValueError) {
    #expect(throws: error) { _ = try Value.compute(operation, a, b) }
  }

  /// Compared with the quotient of integers that the double represents exactly.
  @Test("doubles are rounded to places by their exact value", arguments: [3] as [UInt64])
  func places(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<4_000 {
      let (digits, exponent) = (Int64(random.below(1 << 40)), random.below(45))
      let places = random.below(9)
      let x = Double(digits) / Double(UInt64(1) << UInt64(exponent))
      let unit = (0..<places).reduce(Int128(1)) { power, _ in power * 10 }
      let (product, divisor) = (Int128(digits) * unit, Int128(1) << exponent)
      let expected = Double("\((2 * product + divisor) / (2 * divisor))e-\(places)")
      #expect(x.rounded(toPlaces: places) == expected, "seed \(seed): \(x), \(places)")
      #expect(
        (-x).rounded(toPlaces: places) == expected.map { -$0 }, "seed \(seed): \(-x), \(places)")
      let whole = Double((2 * Int128(digits) + unit) / (2 * unit) * unit)
      #expect(Double(digits).rounded(toPlaces: -places) == whole, "\(digits), \(-places)")
      #expect(Value.integer(digits).rounded(toPlaces: -places).approximateNumber == whole)
    }
  }

  @Test(
    "numbers are rounded to places",
    arguments: [
      (2.675, 2, 2.67), (1.005, 2, 1.0), (0.125, 2, 0.13), (-0.125, 2, -0.13), (-0.04, 1, 0.0),
      (1e300, 5, 1e300), (1e-300, 22, 0), (5e21, -22, 1e22), (1250, -2, 1300),
      (.infinity, 2, .infinity),
    ] as [(Double, Int, Double)])
  func known(x: Double, places: Int, expected: Double) {
    #expect(x.rounded(toPlaces: places) == expected)
    #expect(Value.decimal(Decimal(string: "-2.675") ?? 0).rounded(toPlaces: 2) == .decimal(-2.68))
    #expect(Value.integer(.max).rounded(toPlaces: -22) == 0)
  }

  @Test("quotients of decimals have the 38 digits of a long division", arguments: [11] as [UInt64])
  func quotients(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<2_000 {
      let numbers = (0..<2).map { _ in
        1 + UInt128(random.below(1 << 62)) << 60 % DecimalParts.power(random.below(32))
      }
      let (a, b) = (numbers[0], numbers[1])
      var (digits, rest, places) = (a / b, a % b, 0)
      while digits < DecimalParts.power(37), rest != 0 {
        let (digit, left) = (rest * 10).quotientAndRemainder(dividingBy: b)
        (digits, rest, places) = (digits * 10 + digit, left, places + 1)
      }
      let rounded = digits + (rest * 2 >= b ? 1 : 0)
      let quotient = DecimalParts(digits: a) / DecimalParts(digits: b)
      #expect(
        quotient == DecimalParts(digits: rounded, exponent: -places), "\(a) / \(b), seed \(seed)")
    }
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

  @Test("decimals obey the laws of arithmetic within 38 digits", arguments: [8] as [UInt64])
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

  private static let nines = String(repeating: "9", count: 38)

  private static func computed(
    _ operation: ArithmeticOperation, _ a: String, _ b: String
  ) -> String {
    guard let a = NumberText.decimal(a), let b = NumberText.decimal(b) else { return "no number" }
    do throws(ValueError) {
      let result = try Value.compute(operation, .decimal(a), .decimal(b))
      if case .decimal(let decimal) = result { return NumberText.text(decimal) }
      return "\(result)"
    } catch {
      return "\(error)"
    }
  }

  @Test("decimals have at most 38 digits before the point, and are rounded after it")
  func digits() {
    let nines = Self.nines
    for (operation, a, b) in [
      (.add, nines, "1"), (.add, nines, "0.5"), (.subtract, "-" + nines, "1"),
      (.multiply, nines, "10"), (.multiply, "1e19", "1e19"), (.divide, nines, "0.1"),
      (.add, "1e38", "1"), (.subtract, "1e100", "1"), (.add, "1e127", "1e127"),
    ] as [(ArithmeticOperation, String, String)] {
      #expect(Self.computed(operation, a, b) == "overflow", "\(operation) \(a) \(b)")
    }
    #expect(Self.computed(.add, nines, "0.4") == nines)
    #expect(Self.computed(.add, nines, "-1") == String(nines.dropLast()) + "8")
    #expect(Self.computed(.subtract, "1e38", "1") == nines)
    #expect(Self.computed(.multiply, nines, "1") == nines)
    #expect(Self.computed(.divide, "1", "3") == "0." + String(repeating: "3", count: 38))
    // A number in a file is not changed.
    #expect(Self.computed(.add, "1e100", "0") == "1" + String(repeating: "0", count: 100))
    #expect(Self.computed(.subtract, "0", "1e38") == "-1" + String(repeating: "0", count: 38))
  }

  /// Compared with 256-bit integers.
  @Test("no digit before the point is ever lost", arguments: [1, 2, 3] as [UInt64])
  func wholes(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let limit = (0..<38).reduce(UInt128(1)) { power, _ in power * 10 }
    func number() -> UInt128 {
      let count = 1 + random.below(38)
      return (0..<count).reduce(0) { number, _ in
        number * 10 + UInt128(random.oneIn(2) ? 9 : random.below(10))
      }
    }
    for _ in 0..<2000 {
      let (a, b) = (number(), number())
      let sum = a + b
      #expect(
        Self.computed(.add, "\(a)", "\(b)") == (sum < limit ? "\(sum)" : "overflow"), "\(a) + \(b)")
      let product = a.multipliedFullWidth(by: b)
      let fits = product.high == 0 && product.low < limit
      #expect(
        Self.computed(.multiply, "\(a)", "\(b)") == (fits ? "\(product.low)" : "overflow"),
        "\(a) * \(b)")
      let difference = a < b ? "-\(b - a)" : "\(a - b)"
      #expect(Self.computed(.subtract, "\(a)", "\(b)") == difference)
      guard b != 0 else { continue }
      #expect(Self.computed(.remainder, "\(a)", "\(b)") == "\(a % b)")
    }
  }

  private func sign(_ value: Value) -> Int {
    let number = value.approximateNumber ?? 0
    return number < 0 ? -1 : number > 0 ? 1 : 0
  }

  /// Returns a decimal of up to 9 digits on both sides of the point.
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
  @Test("are read according to their form")
  func reads() {
    #expect(NumberText.number("12")?.kind == .integer)
    #expect(NumberText.number("-12.50") == -12.5)
    #expect(NumberText.number("1e3")?.kind == .double)
    #expect(NumberText.number("9223372036854775808")?.kind == .double)
    for text in ["", "a", "1.", ".5", "1e", "0x10", "nan", "inf", "1 ", "--1", "1e999"] {
      #expect(NumberText.number(text) == nil, "\(text)")
    }
  }

  @Test("keep 38 digits as decimals, and no more")
  func decimals() throws {
    let digits = "12345678901234567890123456789012345678"
    #expect(NumberText.decimal(digits)?.description == digits)
    #expect(NumberText.decimal(digits + "9") == nil)
    #expect(NumberText.decimal("0.1")?.description == "0.1")
    #expect(NumberText.decimal("1000e-3") == 1)
    #expect(NumberText.decimal("1e500") == nil)
    // A Foundation decimal may have one digit more: it keeps its magnitude.
    let most = try #require(Decimal(string: "340282366920938463463374607431768211455"))
    #expect(try Value.order(.decimal(most), .decimal(Decimal(string: "1e38") ?? 0)) == .after)
    #expect(NumberText.decimal("1e99999999999999999999") == nil)
    #expect(NumberText.text(2.0) == "2.0")
    #expect(NumberText.text(0.1) == "0.1")
  }
}
