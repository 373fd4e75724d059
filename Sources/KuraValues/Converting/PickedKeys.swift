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

/// The keys that an encoded type may have, of which nil ones were not encoded.
///
/// A `CodingKey` that is an enumeration, as the compiler makes it, takes its own keys alone; one that
/// takes every text, as that of a dictionary, says nothing.
package final class EncodedKeys: Sendable {
  /// `Book`
  package let type: String
  /// The keys that were seen, also those whose value was nil.
  package let names: [String]
  private let keyTypes: [any CodingKey.Type]

  init(type: String, names: [String], keyTypes: [any CodingKey.Type]) {
    (self.type, self.names, self.keyTypes) = (type, names, keyTypes)
  }

  /// Whether the type may have a key of this name.
  package func accept(_ name: String) -> Bool {
    keyTypes.contains { $0.init(stringValue: name) != nil }
  }
}

/// An object that says which keys it has, so that a type that is decoded of it can tell a missing key
/// from one without a value.
package protocol KeyListing: KeyReadable {
  /// The keys, in their order.
  var ownKeys: [String] { get }
}

/// An object that says which of its keys lead to others, so that none of these are told from a value that is
/// an empty list.
package protocol LinkKnowing: KeyReadable {
  func isLink(_ key: String) -> Bool
}

extension ValueDictionary: KeyListing {
  package var ownKeys: [String] { keys }
}

/// What is asked for keys: a dictionary, an object of a graph, or something else with keys.
struct ReadKeys {
  let reader: any KeyReadable
  /// All of them; nil where nobody can say.
  private let known: [String]?

  init(_ reader: any KeyReadable) {
    self.reader = reader
    known = (reader as? any KeyListing)?.ownKeys
  }

  var names: [String] { known ?? [] }

  /// `objectID` is a key of every object.
  func has(_ key: String) -> Bool {
    known.map { $0.contains(key) || key == "objectID" && reader.objectID != nil } ?? true
  }

  func value(_ key: String) throws -> Value { try reader.value(forKey: key) }
}

extension Value {
  /// Its keys, if it has some.
  var readKeys: ReadKeys? {
    if let dictionary = dictionaryValue { return ReadKeys(dictionary) }
    if case .object(let reference) = self { return ReadKeys(reference.reader) }
    return nil
  }
}

// Each type has a requirement of its own, for which the standard library's own answer comes first.
extension KeyedSlots {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try value.map { try encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: Int128?, forKey key: Key) {
    value.map { encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }

  func encodeIfPresent(_ value: UInt128?, forKey key: Key) {
    value.map { encode($0, forKey: key) } ?? slot.note(key.stringValue)
  }
}
