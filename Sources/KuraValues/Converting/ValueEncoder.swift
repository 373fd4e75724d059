/// Turns any `Encodable` value into one that predicates read, once.
///
///     struct Book: Codable { var title: String; var published: Date; var tags: [String] }
///     let value = try ValueEncoder().encode(book)   // a dictionary with title, published, tags
///     try PredicateTree(parsing: "ANY tags LIKE '時*'").evaluate(value: value)
///
/// What has keys becomes a dictionary in the order in which it was encoded, what has none a list.
/// Dates, UUIDs, URLs, `Data`, decimals and whatever else is `ValueConvertible` keep their types. A
/// key that is nil and therefore not encoded is missing, which is null to a predicate. What an instance
/// of a class was encoded as is equal to what the same instance was, as predicates compare objects.
public struct ValueEncoder: Sendable {
  /// What `encode(to:)` of a type may ask for.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Makes an encoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

  /// The value; linear in what is encoded.
  ///
  /// Throws what the type's own `encode(to:)` throws, and `EncodingError.invalidValue` for a type
  /// that encodes nothing or mixes containers.
  public func encode(_ value: some Encodable) throws -> Value {
    try EncodedSlot.value(of: value, EncoderPlace(userInfo: userInfo))
  }
}

/// Where in the encoded value an encoder stands.
struct EncoderPlace {
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: any Sendable]

  func below(_ key: any CodingKey) -> EncoderPlace {
    EncoderPlace(codingPath: codingPath + [key], userInfo: userInfo)
  }
}

/// A key of a place in a list, and of a superclass.
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

/// The encoder that a type sees; it writes to one slot.
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

/// A value without keys: `RawRepresentable` types encode so.
struct SingleSlot: SingleValueEncodingContainer {
  let slot: EncodedSlot
  let place: EncoderPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() { slot.set(.null) }

  func encode(_ value: some Encodable) throws {
    slot.set(try EncodedSlot.value(of: value, place))
  }

  // The standard library's own answer, that nobody has these, comes before any `Encodable`.
  func encode(_ value: Int128) { slot.set(value.predicateValue) }
  func encode(_ value: UInt128) { slot.set(value.predicateValue) }
}

/// A list that grows.
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

/// Keys with values.
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

  /// The key of an optional that is nil is missing, and known.
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
