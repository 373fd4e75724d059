import Foundation
import KuraPredicates
import KuraValues

/// A type of Swift that a value is by itself, as `ValueDecoder` takes it.
protocol ProbedType: Decodable {
  /// What it is read from, in a probe of a type's keys.
  static var probe: Self { get }
  /// The kinds of property that it can be.
  static var stored: StoredKind { get }
}

/// What a property of a type wants in a model.
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
