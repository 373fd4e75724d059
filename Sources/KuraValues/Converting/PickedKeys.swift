/// A keyed container that stores the requested keys.
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

/// The keys of an encoded type, including those that were not encoded because they are nil.
///
/// A `CodingKey` that is an enumeration, as the compiler synthesizes it, accepts only its own keys.
/// One that accepts every text, as for a dictionary, gives no information.
package final class EncodedKeys: Sendable {
  /// The name of the type: `Book`.
  package let type: String
  /// The keys that occurred, including those with nil.
  package let names: [String]
  private let keyTypes: [any CodingKey.Type]

  init(type: String, names: [String], keyTypes: [any CodingKey.Type]) {
    (self.type, self.names, self.keyTypes) = (type, names, keyTypes)
  }

  /// Returns whether the type can have a key of this name.
  package func accept(_ name: String) -> Bool {
    keyTypes.contains { $0.init(stringValue: name) != nil }
  }
}

/// An object that lists its keys, so that decoding can distinguish a missing key from a null value.
package protocol KeyListing: KeyReadable {
  /// The keys in order.
  var ownKeys: [String] { get }
}

/// An object that knows which of its keys are relationships, so that an empty relationship is
/// distinguishable from an empty list.
package protocol RelationshipListing: KeyReadable {
  func isLink(_ key: String) -> Bool
}

extension ValueDictionary: KeyListing {
  package var ownKeys: [String] { keys }
}

/// A source of keys: a dictionary, an object of a graph, or another readable object.
struct ReadKeys {
  let reader: any KeyReadable
  /// All keys; nil if they are unknown.
  private let known: [String]?

  init(_ reader: any KeyReadable) {
    self.reader = reader
    known = (reader as? any KeyListing)?.ownKeys
  }

  var names: [String] { known ?? [] }

  /// Returns whether there is such a key. `objectID` is a key of every object.
  func has(_ key: String) -> Bool {
    known.map { $0.contains(key) || key == "objectID" && reader.objectID != nil } ?? true
  }

  func value(_ key: String) throws -> Value { try reader.value(forKey: key) }
}

extension Value {
  /// Its keys; nil if it has none.
  var readKeys: ReadKeys? {
    if let dictionary = dictionaryValue { return ReadKeys(dictionary) }
    if case .object(let reference) = self { return ReadKeys(reference.reader) }
    return nil
  }
}

// Each type has its own requirement, whose default implementation would otherwise take precedence.
extension KeyedSlots {
  private func put(_ value: (some ValueConvertible)?, _ key: Key) {
    guard let value else { return slot.note(key.stringValue) }
    slot.put(EncodedSlot(value.predicateValue), key.stringValue)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) { put(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) { put(value, key) }
}
