/// Keys of which some are picked.
struct PickedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let picked: PickedValues

  var codingPath: [any CodingKey] { [] }

  private func put(_ value: @autoclosure () throws -> Value, _ key: Key) rethrows {
    guard let place = picked.place(key.stringValue) else { return }
    picked.put(try value(), at: place)
  }

  func encodeNil(forKey key: Key) { put(.null, key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try put(EncodedSlot.value(of: value, EncoderPlace(codingPath: [key], userInfo: [:])), key)
  }

  func encode(_ value: Bool, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: String, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Double, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Float, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Int, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Int8, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Int16, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Int32, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Int64, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: UInt, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: UInt8, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: UInt16, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: UInt32, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: UInt64, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: Int128, forKey key: Key) { put(value.predicateValue, key) }
  func encode(_ value: UInt128, forKey key: Key) { put(value.predicateValue, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { whole.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    whole.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { whole }

  func superEncoder(forKey key: Key) -> any Encoder { whole }

  private var whole: SlotEncoder { PickingEncoder(picked: picked).whole }
}
