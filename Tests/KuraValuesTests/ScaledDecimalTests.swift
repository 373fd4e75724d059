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
      let places = numbers.below(ScaledDecimal.mostPlaces + 1)
      let integer = Int64(truncatingIfNeeded: numbers.next() >> UInt64(numbers.below(64)))
      let text = "\(numbers.oneIn(9) ? integer / 1000 * 1000 : integer)"
      let scaled = ScaledDecimal(try #require(Int64(text)), places: places)
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

  @Test("have up to 18 decimal places and an Int64 of digits")
  func limits() throws {
    func scaled(_ text: String) -> ScaledDecimal? {
      NumberText.decimal(text).flatMap { ScaledDecimal($0) }
    }
    #expect(scaled("12.50") == ScaledDecimal(125, places: 1))
    #expect(scaled("-9223372036854775808") == ScaledDecimal(.min, places: 0))
    #expect(scaled("9223372036854775808") == nil)
    #expect(scaled("0.000000000000000001") == ScaledDecimal(1, places: 18))
    #expect(scaled("0.0000000000000000001") == nil)
    #expect(ScaledDecimal(.nan) == nil)
    #expect(ScaledDecimal(.max, places: 0).integer(places: 1) == nil)
    #expect(ScaledDecimal(125, places: 1).integer(places: 0) == nil)
  }
}
