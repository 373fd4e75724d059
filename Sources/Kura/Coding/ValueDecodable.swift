import Foundation
import KuraPredicates
import KuraValues

/// A type of Swift that a value is by itself.
protocol ValueDecodable: Decodable {
  /// Nil where the value is none of this type.
  init?(decoding value: Value)
  /// What it is read from, in a probe of a type's keys.
  static var probe: Self { get }
  /// The kinds of property that it can be.
  static var stored: StoredKind { get }
}

/// What a property of a type wants in a model.
enum StoredKind: Sendable {
  case number, string, boolean, date, uuid, uri, binary, object, any
}

extension ValueDecodable where Self: FixedWidthInteger {
  init?(decoding value: Value) {
    switch value {
    case .integer(let number): self.init(exactly: number)
    case .double(let number): self.init(exactly: number)
    case .decimal(let number): self.init("\(number)")
    default: return nil
    }
  }
  static var probe: Self { 0 }
  static var stored: StoredKind { .number }
}

extension Int: ValueDecodable {}
extension Int8: ValueDecodable {}
extension Int16: ValueDecodable {}
extension Int32: ValueDecodable {}
extension Int64: ValueDecodable {}
extension UInt: ValueDecodable {}
extension UInt8: ValueDecodable {}
extension UInt16: ValueDecodable {}
extension UInt32: ValueDecodable {}
extension UInt64: ValueDecodable {}

extension Double: ValueDecodable {
  init?(decoding value: Value) {
    switch value {
    case .integer(let number): self.init(number)
    case .double(let number): self = number
    case .decimal(let number): self = NSDecimalNumber(decimal: number).doubleValue
    default: return nil
    }
  }
  static var probe: Double { 0 }
  static var stored: StoredKind { .number }
}

extension Float: ValueDecodable {
  init?(decoding value: Value) {
    guard let number = Double(decoding: value) else { return nil }
    self.init(number)
  }
  static var probe: Float { 0 }
  static var stored: StoredKind { .number }
}

extension Decimal: ValueDecodable {
  init?(decoding value: Value) {
    switch value {
    case .integer(let number): self.init(number)
    case .double(let number):
      guard let decimal = Decimal(string: "\(number)") else { return nil }
      self = decimal
    case .decimal(let number): self = number
    default: return nil
    }
  }
  static var probe: Decimal { 0 }
  static var stored: StoredKind { .number }
}

extension Bool: ValueDecodable {
  init?(decoding value: Value) {
    guard case .boolean(let answer) = value else { return nil }
    self = answer
  }
  static var probe: Bool { false }
  static var stored: StoredKind { .boolean }
}

extension String: ValueDecodable {
  init?(decoding value: Value) {
    switch value {
    case .string(let text), .uri(let text): self = text
    default: return nil
    }
  }
  static var probe: String { "" }
  static var stored: StoredKind { .string }
}

extension Date: ValueDecodable {
  init?(decoding value: Value) {
    guard case .date(let moment) = value else { return nil }
    self = moment.date
  }
  static var probe: Date { Date(timeIntervalSince1970: 0) }
  static var stored: StoredKind { .date }
}

extension UUID: ValueDecodable {
  init?(decoding value: Value) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
  static var probe: UUID { UUID() }
  static var stored: StoredKind { .uuid }
}

extension URL: ValueDecodable {
  init?(decoding value: Value) {
    guard case .uri(let text) = value else { return nil }
    self.init(string: text)
  }
  static var probe: URL { URL(filePath: "/") }
  static var stored: StoredKind { .uri }
}

extension Data: ValueDecodable {
  init?(decoding value: Value) {
    guard case .binary(let bytes) = value else { return nil }
    self.init(bytes)
  }
  static var probe: Data { Data() }
  static var stored: StoredKind { .binary }
}

extension ObjectID: ValueDecodable {
  init?(decoding value: Value) {
    switch value {
    case .object(let reference):
      guard let id = reference.id else { return nil }
      self = id
    case .string(let text): self.init(text)
    default: return nil
    }
  }
  static var probe: ObjectID { ObjectID(entity: "Entity", number: 1) }
  static var stored: StoredKind { .object }
}
