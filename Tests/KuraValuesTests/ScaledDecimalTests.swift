import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Decimals as integers")
struct ScaledDecimalTests {
  @Test("have exactly the value of their text", arguments: 1...4 as ClosedRange<UInt64>)
  func values(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<500 {
      let places = numbers.below(Int128.mostPlaces + 1)
      let bits = UInt128(numbers.next()) << 64 | UInt128(numbers.next())
      let random = Int128(truncatingIfNeeded: bits >> UInt128(2 + numbers.below(120)))
      let integer = numbers.flip() ? random : -random
      let text = "\(numbers.oneIn(9) ? integer / 1000 * 1000 : integer)"
      let scaled = ScaledDecimal(try #require(Int128(text)), places: places)
      let expected = try #require(NumberText.decimal("\(text)e-\(places)"))
      guard case .decimal(let found) = scaled.value else {
        Issue.record("seed \(seed): \(scaled)")
        continue
      }
      #expect(
        withUnsafeBytes(of: found) { Array($0) } == withUnsafeBytes(of: expected) { Array($0) })
      #expect(scaled.text == found.description, "seed \(seed): \(scaled)")
      let again = try #require(ScaledDecimal(found))
      #expect(again.integer(places: places) == scaled.integer, "seed \(seed): \(scaled)")
    }
  }

  @Test("have up to 38 digits and decimal places")
  func limits() throws {
    func scaled(_ text: String) -> ScaledDecimal? {
      NumberText.decimal(text).flatMap { ScaledDecimal($0) }
    }
    #expect(scaled("12.50") == ScaledDecimal(125, places: 1))
    #expect(scaled("-1e37") == ScaledDecimal(-Int128.power(37), places: 0))
    #expect(scaled("1e38") == nil)
    #expect(scaled("1e-38") == ScaledDecimal(1, places: 38))
    #expect(scaled("1e-39") == nil)
    #expect(ScaledDecimal(.nan) == nil)
    #expect(ScaledDecimal(.max, places: 0).integer(places: 1) == nil)
    #expect(ScaledDecimal(125, places: 1).integer(places: 0) == nil)
  }

  @Test("of a column have numbers with their order", arguments: 1...4 as ClosedRange<UInt64>)
  func scales(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let edges: [Int128] = [0, 1, 1 << 62, 1 << 62 - 1, 1 << 63, 1 << 64, .power(38) - 1]
    let integers = (0..<300).map { _ in
      let integer = numbers.pick(edges) + Int128(numbers.below(4))
      return numbers.flip() ? integer : -integer
    }
    let scale = DecimalScale(places: 2, integers)
    let sorted = integers.sorted()
    #expect(sorted.map { scale.integer(scale.code($0)) } == sorted)
    #expect(
      zip(sorted, sorted.dropFirst()).allSatisfy { a, b in
        (a == b) == (scale.code(a) == scale.code(b)) && scale.code(a) <= scale.code(b)
      })
    #expect(DecimalScale(places: 2).isShort)
    #expect(DecimalScale(places: 2).integer(.min) == Int128(Int64.min))
    #expect(DecimalScale(places: 2).code(Int128(Int64.max)) == .max)
  }
}
