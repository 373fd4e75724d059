/// Encodes `Encodable` types as values that predicates read.
///
///     struct Book: Codable { var title: String; var published: Date; var tags: [String] }
///     let value = try ValueEncoder().encode(book)   // a dictionary with title, published, tags
///     try PredicateTree(parsing: "ANY tags LIKE '時*'").evaluate(value: value)
///
/// A keyed container becomes a dictionary in encoding order, an unkeyed one a list. Dates, UUIDs,
/// URLs, `Data`, decimals and other `ValueConvertible` types keep their types. A nil that is not
/// encoded is a missing key, which is null in a predicate. Values of the same class instance are
/// equal, because predicates compare objects by identity.
public struct ValueEncoder: Sendable {
  /// Values that `encode(to:)` of a type can read.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates an encoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

  /// Encodes a value; linear in what it encodes.
  ///
  /// Throws errors of the type's own `encode(to:)`, and `EncodingError.invalidValue` for a type
  /// that encodes nothing or mixes containers.
  public func encode(_ value: some Encodable) throws -> Value {
    try EncodedSlot.value(of: value, EncoderPlace(userInfo: userInfo))
  }
}

/// The place of an encoder in the encoded value.
struct EncoderPlace {
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: any Sendable]

  func below(_ key: any CodingKey) -> EncoderPlace {
    EncoderPlace(codingPath: codingPath + [key], userInfo: userInfo)
  }
}

/// A key for an index in a list, or for a superclass.
struct PlaceKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }

  init(intValue: Int) {
    self.intValue = intValue
    stringValue = "\(intValue)"
  }

  static let superclass = PlaceKey(stringValue: "super")
}

/// The encoder that a type receives. It writes to one slot.
struct SlotEncoder: Encoder {
  let slot: EncodedSlot
  let place: EncoderPlace

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { place.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.beginKeys(type)
    return KeyedEncodingContainer(KeyedSlots<Key>(slot: slot, place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.beginList()
    return ListedSlots(slot: slot, place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleSlot(slot: slot, place: place)
  }
}

/// A container for a value without keys, as `RawRepresentable` types use.
struct SingleSlot: SingleValueEncodingContainer {
  let slot: EncodedSlot
  let place: EncoderPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() { slot.set(.null) }

  func encode(_ value: some Encodable) throws {
    slot.set(try EncodedSlot.value(of: value, place))
  }

  // The standard library's default, which reports these types as unsupported, would take precedence
  // over the generic method.
  func encode(_ value: Int128) { slot.set(value.predicateValue) }
  func encode(_ value: UInt128) { slot.set(value.predicateValue) }
}

/// A container for the elements of a list.
struct ListedSlots: UnkeyedEncodingContainer {
  let slot: EncodedSlot
  let place: EncoderPlace

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int { slot.count }

  private var next: EncoderPlace { place.below(PlaceKey(intValue: count)) }

  func encodeNil() { slot.append(EncodedSlot(.null)) }

  func encode(_ value: some Encodable) throws {
    slot.append(EncodedSlot(try EncodedSlot.value(of: value, next)))
  }

  func encode(_ value: Int128) { slot.append(EncodedSlot(value.predicateValue)) }
  func encode(_ value: UInt128) { slot.append(EncodedSlot(value.predicateValue)) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { nested.container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested.unkeyedContainer() }

  func superEncoder() -> any Encoder { nested }

  private var nested: SlotEncoder {
    let encoder = SlotEncoder(slot: EncodedSlot(), place: next)
    slot.append(encoder.slot)
    return encoder
  }
}

/// A container for keys and values.
struct KeyedSlots<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: EncodedSlot
  let place: EncoderPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) { slot.put(EncodedSlot(.null), key.stringValue) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    slot.put(EncodedSlot(try EncodedSlot.value(of: value, place.below(key))), key.stringValue)
  }

  func encode(_ value: Int128, forKey key: Key) {
    slot.put(EncodedSlot(value.predicateValue), key.stringValue)
  }

  func encode(_ value: UInt128, forKey key: Key) {
    slot.put(EncodedSlot(value.predicateValue), key.stringValue)
  }

  /// Encodes an optional. The key of a nil value is missing, but recorded.
  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { slot.note(key.stringValue) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { nested(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(PlaceKey.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> SlotEncoder {
    let encoder = SlotEncoder(slot: EncodedSlot(), place: place.below(key))
    slot.put(encoder.slot, key.stringValue)
    return encoder
  }
}
