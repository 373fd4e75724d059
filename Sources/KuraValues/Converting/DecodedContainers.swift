/// The elements of a list, decoded in order.
struct ListedValues: UnkeyedDecodingContainer {
  let elements: [Value]
  let decoder: SlotDecoder
  var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.path }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next(_ type: Any.Type) throws -> SlotDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(type, decoder.context("the list has no more elements"))
    }
    defer { currentIndex += 1 }
    return decoder.below(PlaceKey(intValue: currentIndex), elements[currentIndex])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
    try next(type).read(type)
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type).integer(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type).integer(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next(type).container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Value].self).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next(Value.self) }
}

/// The keys of a dictionary or an object.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let keys: ReadKeys
  let decoder: SlotDecoder

  var codingPath: [any CodingKey] { decoder.path }
  var allKeys: [Key] { keys.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { keys.has(key.stringValue) }

  private func value(_ key: any CodingKey) throws -> SlotDecoder {
    guard keys.has(key.stringValue) else {
      let what =
        "there is no key \"\(key.stringValue)\"; the keys are \(keys.names.joined(separator: ", "))"
      throw DecodingError.keyNotFound(key, decoder.context(what))
    }
    return decoder.below(key, try keys.value(key.stringValue))
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).value.isNull }

  func decode<Result: Decodable>(_ type: Result.Type, forKey key: Key) throws -> Result {
    try value(key).read(type)
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(key).integer(type)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(key).integer(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try value(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try value(PlaceKey.superclass) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}
