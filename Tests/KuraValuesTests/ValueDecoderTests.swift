import Foundation
import KuraBytes
import KuraValues
import Testing

@Suite("Encoded values are decoded")
struct ValueDecoderTests {
  private func back<T: Codable>(_ value: T) throws -> T {
    try ValueEncoder().encode(value).decoded(as: T.self)
  }

  struct Box<Wrapped: Codable & Equatable>: Codable, Equatable { var v: Wrapped }

  @propertyWrapper struct Kept<Wrapped: Codable & Equatable>: Codable, Equatable {
    var wrappedValue: Wrapped
    init(wrappedValue: Wrapped) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Wrapped.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  struct Wrapping: Codable, Equatable {
    @Kept var day: Date?
    @Kept var counts: [Int?]
    var names: [String: String?]
    var inner: Box<UUID?>?
  }

  @Test("including an optional with a value, and one without")
  func optionals() throws {
    let day = Value.date(Timestamp(microseconds: 0))
    #expect(try day.decoded(as: Date?.self) == Date(timeIntervalSince1970: 0))
    #expect(try Value.null.decoded(as: Date?.self) == nil)
    #expect(try ([1, nil] as Value).decoded(as: [Int?].self) == [1, nil])
    #expect(
      try (["a": 1, "b": nil] as Value).decoded(as: [String: Int?].self) == ["a": 1, "b": nil])
    #expect(try back(Box<Int?>(v: 3)) == Box(v: 3) && back(Box<Int?>(v: nil)) == Box(v: nil))
    #expect(try back(Box<Box<URL?>?>(v: Box(v: URL(string: "https://e.com")))).v?.v != nil)
    #expect(try Value.string("x").decoded(as: String??.self) == "x")
    #expect(throws: DecodingError.self) { try Value.string("x").decoded(as: Date?.self) }
    #expect(throws: DecodingError.self) { try Value.null.decoded(as: Date.self) }
  }

  @Test("in a property wrapper, a list, a dictionary, or a nested type")
  func nested() throws {
    let full = Wrapping(
      day: .init(timeIntervalSince1970: 5), counts: [1, nil], names: ["a": "x", "b": nil],
      inner: Box(v: UUID()))
    let empty = Wrapping(day: nil, counts: [], names: [:], inner: nil)
    #expect(try back(full) == full && back(empty) == empty)
  }

  @Test("including an integer of any width")
  func wholeNumbers() throws {
    #expect(try back([UInt64.max, 0]) == [.max, 0])
    #expect(try back(Box(v: Int128.min)) == Box(v: .min) && back(UInt128.max) == .max)
    #expect(try back([Int128.max, -1]) == [.max, -1] && back(Box<UInt128?>(v: 7)) == Box(v: 7))
    #expect(try back(["a": Int128(3)]) == ["a": 3])
    #expect(throws: DecodingError.self) {
      try back(UInt64.max).predicateValue.decoded(as: Int.self)
    }
    #expect(throws: DecodingError.self) { try Value.double(1.5).decoded(as: UInt64.self) }
  }

  @Test("including exact dates of the years 1 to 9999, and others approximately")
  func dates() throws {
    let seconds = [0, 0.1, 1e-300, 800_000_000.123456789, -63_113_817_600.3, 252_424_079_939.999]
    for second in seconds {
      let date = Date(timeIntervalSinceReferenceDate: second)
      #expect(try back(date) == date && back([Date?.some(date)]) == [date])
    }
    #expect(try back(Date.distantPast) == Timestamp.earliest.date)
  }

  struct Everything: Codable, Equatable {
    var flag: Bool
    var small: Int8?
    var large: UInt64
    var wide: Int128
    var real: Double
    var single: Float?
    var price: Decimal
    var text: String
    var day: Date?
    var id: UUID?
    var site: URL?
    var bytes: Data
    var list: [Double?]
    var named: [String: [Int?]]
    var numbered: [Int: Bool?]
    var some: Set<UInt16>
    var inside: [Everything]

    init(_ random: inout SplitMix64, depth: Int) {
      flag = .random(using: &random)
      small = Bool.random(using: &random) ? .random(in: .min ... .max, using: &random) : nil
      large =
        .random(in: .min ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
      wide =
        .random(in: .min ... .max, using: &random) >> Int128.random(in: 0..<128, using: &random)
      real = Double(
        sign: .minus, exponent: .random(in: -1000...1000, using: &random), significand: 1.1)
      single = flag ? Float(bitPattern: .random(in: 0..<0x7F80_0000, using: &random)) : nil
      price = Decimal(Int.random(in: .min ... .max, using: &random)) / 1000
      text = String(
        decoding: (0..<5).map { _ in UInt16.random(in: 0x20...0x3FF, using: &random) },
        as: UTF16.self)
      day =
        flag
        ? nil : Date(timeIntervalSinceReferenceDate: .random(in: -6.3e10...2.5e11, using: &random))
      id = flag ? UUID() : nil
      site = URL(string: "https://example.com/\(small ?? 0)?q=%E8%AA%95")
      bytes = Data((0..<3).map { _ in .random(in: 0...255, using: &random) })
      list = [real, nil, .infinity]
      named = ["a": [1, nil], text: []]
      numbered = [Int(small ?? 0): nil, 300: flag]
      some = [1, .random(in: 0...9, using: &random)]
      inside = depth == 0 ? [] : [Everything(&random, depth: depth - 1)]
    }
  }

  @Test("for values of any structure")
  func generated() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(state: seed)
    for _ in 0..<300 {
      let value = Everything(&random, depth: 2)
      #expect(try back(value) == value, "seed \(seed)")
    }
  }
}
