import Foundation

/// Decodes `Decodable` types from values.
///
///     struct Book: Codable { var title: String; var published: Date }
///     let book = try ValueDecoder().decode(Book.self, from: value)
///
/// Values from `ValueEncoder` decode to equal objects, with three exceptions: a `Date` outside the
/// years 1 to 9999 becomes the nearest inside, a relative `URL` becomes absolute, and nil inside
/// nested optionals becomes the outer nil. Dates, UUIDs, URLs, data and decimals require values of
/// their kind. An object is decoded by its keys, or as its `ObjectID`.
public struct ValueDecoder: Sendable {
  /// Values that `init(from:)` of a type can read.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates a decoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

  /// Decodes a value as a type.
  ///
  /// Linear in the value. Throws a `DecodingError` with the path to the problem: `due` of `Item/3`.
  public func decode<Result: Decodable>(
    _ type: Result.Type = Result.self, from value: Value
  ) throws -> Result {
    let path = value.objectID.map { [ObjectKey(id: $0)] } ?? []
    return try SlotDecoder(value: value, path: path, info: userInfo).read(type)
  }
}

/// The first component of a path through an object.
private struct ObjectKey: CodingKey {
  let id: ObjectID
  var stringValue: String { id.description }
  var intValue: Int? { nil }

  init(id: ObjectID) { self.id = id }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

/// The decoder that a type receives: a value and its path.
struct SlotDecoder: Decoder {
  let value: Value
  let path: [any CodingKey]
  let info: [CodingUserInfoKey: any Sendable]

  var codingPath: [any CodingKey] { path }
  var userInfo: [CodingUserInfoKey: Any] { info }

  func below(_ key: any CodingKey, _ value: Value) -> SlotDecoder {
    SlotDecoder(value: value, path: path + [key], info: info)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let keys = value.readKeys else {
      throw mismatch([String: Value].self, "keys and values")
    }
    return KeyedDecodingContainer(KeyedValues<Key>(keys: keys, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.arrayValue else { throw mismatch([Value].self, "a list") }
    return ListedValues(elements: elements, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleValue(decoder: self) }
}

extension SlotDecoder {
  func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
    let context = context("expected \(wanted), found \(value.kind.phrase)")
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Returns a description of a problem with its path: `Item/3.due: expected Date, found a string`.
  func context(_ what: String) -> DecodingError.Context {
    let place = path.map(\.stringValue).joined(separator: ".")
    return DecodingError.Context(
      codingPath: path, debugDescription: place.isEmpty ? what : "\(place): \(what)")
  }

  /// Decodes the value as a type. Types that `Value` represents are converted directly; others
  /// decode themselves.
  func read<Result: Decodable>(_ type: Result.Type) throws -> Result {
    // Unwrapped first: nil cast to an optional type would become that type's nil.
    if let known = known(type), let result = known as? Result { return result }
    if Self.isKnown(type) { throw mismatch(type, "\(type)") }
    return try Result(from: self)
  }

  private static func isKnown(_ type: Any.Type) -> Bool {
    type == Date.self || type == UUID.self || type == URL.self || type == Data.self
      || type == Decimal.self || type == String.self || type == Bool.self
  }

  private func known(_ type: Any.Type) -> Any? {
    switch type {
    case is Date.Type: value.dateValue
    case is UUID.Type: value.uuidValue ?? value.stringValue.flatMap(UUID.init(uuidString:))
    case is URL.Type: value.stringValue.flatMap(URL.init(string:))
    case is Data.Type: value.dataValue
    case is Decimal.Type: value.decimalValue
    case is ObjectID.Type: value.objectID
    case is String.Type: value.stringValue
    case is Bool.Type: value.boolValue
    default: nil
    }
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    if let whole = value.wholeInteger, let number = Number(exactly: whole) { return number }
    // UInt128 has values beyond a signed 128-bit integer.
    if case .decimal(let decimal) = value, let number = Number(decimal.description) {
      return number
    }
    throw mismatch(type, "\(type)")
  }

  func real(_ type: Any.Type) throws -> Double {
    guard let number = value.doubleValue else { throw mismatch(type, "a number") }
    return number
  }
}

/// A container with a value without keys.
struct SingleValue: SingleValueDecodingContainer {
  let decoder: SlotDecoder

  var codingPath: [any CodingKey] { decoder.path }

  func decodeNil() -> Bool { decoder.value.isNull }

  func decode<Result: Decodable>(_ type: Result.Type) throws -> Result { try decoder.read(type) }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try decoder.integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.integer(type) }
  func decode(_ type: Double.Type) throws -> Double { try decoder.real(type) }
  func decode(_ type: Float.Type) throws -> Float { Float(try decoder.real(type)) }
}

extension Value {
  /// The whole number. Beyond a signed 64-bit integer it is a decimal, which has all its digits.
  fileprivate var wholeInteger: Int128? {
    if let whole = try? wholeNumber() { return Int128(whole) }
    return if case .decimal(let decimal) = self { Int128(decimal.description) } else { nil }
  }
}
