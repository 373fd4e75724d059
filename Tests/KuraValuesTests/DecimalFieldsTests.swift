import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("The fields of decimals")
struct DecimalFieldsTests {
  @Test("are known on this system")
  func areKnown() { #expect(DecimalFields.Layout.current != nil) }

  @Test("agree with Foundation's texts", arguments: 1...4 as ClosedRange<UInt64>)
  func agree(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<1000 {
      let digits = String(
        (0...numbers.below(38)).map { _ in Character("\(numbers.oneIn(3) ? 0 : numbers.below(10))")
        })
      let text = "\(numbers.oneIn(2) ? "-" : "")\(digits)e\(numbers.below(180) - 90)"
      let decimal = try #require(Decimal(string: text, locale: nil))
      let parts = try #require(DecimalParts(decimal))
      #expect(parts == DecimalParts(text: decimal.description), "seed \(seed): \(text)")
      #expect(parts.decimal == decimal, "seed \(seed): \(text)")
      #expect(parts.decimal?.description == decimal.description, "seed \(seed): \(text)")
      #expect(NumberText.text(decimal) == decimal.description, "seed \(seed): \(text)")
      #expect(NumberText.decimal(decimal.description) == decimal, "seed \(seed): \(text)")
      #expect(NumberText.isWritable(decimal), "seed \(seed): \(text)")
      // Values built from fields have the arithmetic and hashes of Foundation's own.
      let built = try #require(parts.decimal)
      #expect(
        built + 1 == decimal + 1 && built.hashValue == decimal.hashValue, "seed \(seed): \(text)")
    }
  }

  @Test("of numbers with 39 digits and of NaN are not written")
  func limits() throws {
    let greatest = Decimal.greatestFiniteMagnitude
    let fields = DecimalFields(greatest, try #require(DecimalFields.Layout.current))
    #expect(fields.digits == .max && fields.exponent == 127)
    #expect(!NumberText.isWritable(greatest) && !NumberText.isWritable(Decimal.nan))
    #expect(
      DecimalParts(Decimal.nan) == nil && NumberText.text(Decimal.nan) == Decimal.nan.description)
    #expect(NumberText.text(greatest) == greatest.description)
    #expect(NumberText.text(Decimal(string: "-0.00")!) == "0")
  }
}
