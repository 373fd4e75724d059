import Foundation
import KuraGraph
import KuraPredicates
public import KuraValues

/// Makes a `Decodable` type of a value: of a dictionary, or of an object by its keys.
///
///     struct Item: Decodable { var title: String; var due: Date?; var tags: [Tag] }
///     let item = try ValueDecoder().decode(Item.self, from: value)
///
/// Dates, UUIDs, URLs, `Data`, decimals and `ObjectID`s keep their types; an object in a relationship
/// is read by its keys, or as its `ObjectID`. Linear in what the type asks for.
public struct ValueDecoder: Sendable {
  /// What `init(from:)` of a type may ask for.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Makes a decoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

  /// The value as a type.
  ///
  /// Throws a `DecodingError` whose coding path leads to what does not fit.
  public func decode<Wanted: Decodable>(_ type: Wanted.Type, from value: Value) throws -> Wanted {
    try PlacedValue(value: value, codingPath: [], userInfo: userInfo).decode(type)
  }
}

/// A value, and where in the whole it stands.
struct PlacedValue: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  func below(_ key: any CodingKey, _ value: Value) -> PlacedValue {
    PlacedValue(value: value, codingPath: codingPath + [key], userInfo: userInfo)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let keys = value.readKeys else { throw mismatch([String: Value].self) }
    return KeyedDecodingContainer(DecodedKeys(place: self, keys: keys))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch value {
    case .list, .set: DecodedList(place: self, values: value.elements)
    default: throw mismatch([Value].self)
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func mismatch(_ type: Any.Type) -> DecodingError {
    let found = "expected \(type), and found \(value.kindName)."
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: found)
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension PlacedValue: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }

  /// A type that a value is by itself, or that reads itself.
  func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
    if let known = type as? any ValueDecodable.Type {
      guard let made = known.init(decoding: value) as? Wanted else { throw mismatch(type) }
      return made
    }
    return try Wanted(from: self)
  }
}

/// The keys of a dictionary or an object.
struct DecodedKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: PlacedValue
  let keys: ReadKeys

  var codingPath: [any CodingKey] { place.codingPath }
  var allKeys: [Key] { keys.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { keys.has(key.stringValue) }

  func decodeNil(forKey key: Key) throws -> Bool { try at(key).value.isNull }

  func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
    try at(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try at(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try at(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { place }

  func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }

  private func at(_ key: Key) throws -> PlacedValue {
    guard contains(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "no key \"\(key.stringValue)\"."))
    }
    return place.below(key, try keys.value(key.stringValue))
  }
}

/// The values of a list, one behind the other.
struct DecodedList: UnkeyedDecodingContainer {
  let place: PlacedValue
  let values: [Value]
  private(set) var currentIndex = 0

  init(place: PlacedValue, values: [Value]) { (self.place, self.values) = (place, values) }

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool {
    guard try peek().value.isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
    let value = try peek().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> PlacedValue {
    defer { currentIndex += 1 }
    return try peek()
  }

  private func peek() throws -> PlacedValue {
    let key = ListKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, .init(codingPath: codingPath + [key], debugDescription: "the list ends here."))
    }
    return place.below(key, values[currentIndex])
  }
}

/// A place in a list.
struct ListKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
