import Foundation
import KuraPredicates
import KuraValues

/// A Swift type that `ValueDecoder` decodes from a single value.
protocol ProbedType: Decodable {
  /// The placeholder for a probe of a type's keys.
  static var probe: Self { get }
  /// The kind of property that stores this type.
  static var stored: StoredKind { get }
}

/// The kind of property that a Swift type needs in a model.
enum StoredKind: Sendable {
  case number, string, boolean, date, uuid, uri, binary, object, any
}

extension ProbedType where Self: FixedWidthInteger {
  static var probe: Self { 0 }
  static var stored: StoredKind { .number }
}

extension Int: ProbedType {}
extension Int8: ProbedType {}
extension Int16: ProbedType {}
extension Int32: ProbedType {}
extension Int64: ProbedType {}
extension UInt: ProbedType {}
extension UInt8: ProbedType {}
extension UInt16: ProbedType {}
extension UInt32: ProbedType {}
extension UInt64: ProbedType {}

extension Double: ProbedType {
  static var probe: Double { 0 }
  static var stored: StoredKind { .number }
}

extension Float: ProbedType {
  static var probe: Float { 0 }
  static var stored: StoredKind { .number }
}

extension Decimal: ProbedType {
  static var probe: Decimal { 0 }
  static var stored: StoredKind { .number }
}

extension Bool: ProbedType {
  static var probe: Bool { false }
  static var stored: StoredKind { .boolean }
}

extension String: ProbedType {
  static var probe: String { "" }
  static var stored: StoredKind { .string }
}

extension Date: ProbedType {
  static var probe: Date { Date(timeIntervalSince1970: 0) }
  static var stored: StoredKind { .date }
}

extension UUID: ProbedType {
  static var probe: UUID { UUID() }
  static var stored: StoredKind { .uuid }
}

extension URL: ProbedType {
  static var probe: URL { URL(filePath: "/") }
  static var stored: StoredKind { .uri }
}

extension Data: ProbedType {
  static var probe: Data { Data() }
  static var stored: StoredKind { .binary }
}

extension ObjectID: ProbedType {
  static var probe: ObjectID { ObjectID(entity: "Entity", number: 1) }
  static var stored: StoredKind { .object }
}
