/// The encoder that a type sees; it writes to one slot.
struct SlotEncoder: Encoder {
  let slot: EncodedSlot
  let place: EncoderPlace

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { place.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.beginKeys()
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
