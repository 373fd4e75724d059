import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@Suite struct ConstantReadingTests {
  static let read: [(AttributeType, Constant, Value)] = [
    (.integer, Constant(.integer(31)), .integer(31)),
    (.double, Constant(.integer(3)), .double(3)),
    (.integer, Constant(.double(3), digits: "3.0"), .integer(3)),
    (.boolean, Constant(.boolean(true)), .boolean(true)),
    (.string, Constant(.string("x")), .string("x")),
    (.uri, Constant(.string("a:b")), .uri("a:b")),
    (.json, Constant(.list([.integer(1)])), .list([.integer(1)])),
    (.date, Constant(.null), .null),
  ]

  @Test(arguments: read)
  func aLiteralIsReadAsTheType(_ type: AttributeType, _ constant: Constant, _ value: Value) throws {
    #expect(try type.value(of: constant, in: .utc) == value)
  }

  @Test func aDecimalKeepsTheDigitsOfItsLiteral() throws {
    let digits = "0.12345678901234567890"
    let value = try AttributeType.decimal.value(
      of: Constant(.double(0.12345678901234568), digits: digits), in: .utc)
    #expect(AttributeType.decimal.literal(value, in: .utc) == "0.1234567890123456789")
  }

  @Test func aFloatIsTheNearestOneFromTheMomentItIsRead() throws {
    let tenth = try AttributeType.float.value(of: Constant(.double(0.1), digits: "0.1"), in: .utc)
    #expect(tenth == .double(Double(Float(0.1))))
    #expect(AttributeType.float.holds(tenth))
    #expect(!AttributeType.float.holds(.double(0.1)))
    #expect(throws: ValueMismatch.outOfRange(.float, digits: "1e39")) {
      try AttributeType.float.value(of: Constant(.double(1e39), digits: "1e39"), in: .utc)
    }
  }

  @Test func whatTheStoreCouldNotGiveBackIsRefused() throws {
    let many = try #require(Decimal(string: "123456789012345678901234567890123456789"))
    #expect(!AttributeType.decimal.holds(.decimal(many)))
    #expect(throws: ValueMismatch.self) {
      try AttributeType.decimal.value(of: Constant(.decimal(many)), in: .utc)
    }
    for endless in [Double.infinity, -.infinity, .nan] {
      #expect(throws: ValueMismatch.self) {
        try AttributeType.json.value(of: Constant(.list([1, .double(endless)])), in: .utc)
      }
    }
  }

  @Test func aLiteralThatCannotFitSaysWhy() {
    #expect(throws: ValueMismatch.kind(.string, found: .number)) {
      try AttributeType.string.value(of: Constant(.integer(3)), in: .utc)
    }
    #expect(throws: ValueMismatch.fraction(.integer, digits: "2.5")) {
      try AttributeType.integer.value(of: Constant(.double(2.5), digits: "2.5"), in: .utc)
    }
    #expect(throws: ValueMismatch.outOfRange(.integer16, digits: "70000")) {
      try AttributeType.integer16.value(of: Constant(.integer(70000)), in: .utc)
    }
    #expect(throws: ValueMismatch.kind(.date, found: .boolean)) {
      try AttributeType.date.value(of: Constant(.boolean(true)), in: .utc)
    }
  }

  @Test func aBuiltModelWithValuesOfOtherTypesIsRefused() {
    let attribute = Attribute(
      name: "n", type: .integer16, defaultValue: .integer(70000), minimum: .string("x"))
    let model = Model(entities: [Entity(name: "A", attributes: [attribute])])
    #expect(
      ModelCheck(model).problems.map(\.facts) == [
        .badValue("default", .kind(.integer16, found: .number)),
        .badValue("min", .kind(.integer16, found: .string)),
      ])
  }
}
