/// A value that is being encoded. Several containers can write to it.
final class EncodedSlot {
  private enum Content {
    case nothing
    case single(Value)
    case list([EncodedSlot])
    case keyed(keys: [String], places: [String: Int], values: [EncodedSlot])
    /// The type requested two containers that exclude each other.
    case mixed
  }

  private var content = Content.nothing
  private var keyTypes: [any CodingKey.Type] = []
  /// The keys whose values were nil.
  private var nilKeys: [String] = []
  /// The name of the encoded type.
  private var typeName = ""
  /// The encoded value, if it is an instance of a class and therefore has an identity.
  private var object: AnyObject?

  init() {}

  init(_ value: Value) { content = .single(value) }
}

extension EncodedSlot {
  /// Returns the value of an encodable object.
  static func value(of value: some Encodable, _ place: EncoderPlace) throws -> Value {
    // A `ValueConvertible` type keeps its own value: a Date would encode a number.
    if let known = value as? any ValueConvertible { return known.predicateValue }
    let slot = EncodedSlot()
    try value.encode(to: SlotEncoder(slot: slot, place: place))
    slot.typeName = "\(Swift.type(of: value))"
    if Swift.type(of: value) is AnyClass { slot.object = value as AnyObject }
    return try slot.value(or: value, place)
  }

  private func value(or original: Any, _ place: EncoderPlace) throws -> Value {
    guard let value else {
      let isMixed = if case .mixed = content { true } else { false }
      let what = isMixed ? "requested containers of several kinds" : "did not encode any values"
      throw EncodingError.invalidValue(
        original,
        .init(
          codingPath: place.codingPath, debugDescription: "\(Swift.type(of: original)) \(what)."))
    }
    return value
  }

  /// The encoded value; nil if there is none, or if containers were mixed.
  private var value: Value? {
    switch content {
    case .nothing, .mixed: nil
    case .single(let value): value
    case .list(let slots): .list(slots.map { $0.value ?? .null })
    case .keyed(let keys, _, let values):
      .dictionary(
        ValueDictionary(
          distinct: keys, values.map { $0.value ?? .null }, of: encodedKeys(keys), object: object))
    }
  }

  private func encodedKeys(_ keys: [String]) -> EncodedKeys {
    EncodedKeys(type: typeName, names: keys + nilKeys, keyTypes: keyTypes)
  }

  func set(_ value: Value) {
    if case .nothing = content { content = .single(value) } else { content = .mixed }
  }

  func beginKeys(_ type: any CodingKey.Type) {
    if !keyTypes.contains(where: { $0 == type }) { keyTypes.append(type) }
    switch content {
    case .nothing: content = .keyed(keys: [], places: [:], values: [])
    case .keyed: break
    case .single, .list, .mixed: content = .mixed
    }
  }

  func beginList() {
    switch content {
    case .nothing: content = .list([])
    case .list: break
    case .single, .keyed, .mixed: content = .mixed
    }
  }

  /// The number of elements of the list.
  var count: Int { if case .list(let slots) = content { slots.count } else { 0 } }

  func append(_ slot: EncodedSlot) {
    guard case .list(var slots) = content else { return content = .mixed }
    // The list is moved out while it grows; otherwise each element would copy it.
    content = .nothing
    slots.append(slot)
    content = .list(slots)
  }

  /// Records a key whose value is nil.
  func note(_ key: String) { nilKeys.append(key) }

  /// Stores the value of a key; the last one counts.
  func put(_ slot: EncodedSlot, _ key: String) {
    guard case .keyed(var keys, var places, var values) = content else { return content = .mixed }
    content = .nothing
    if let place = places[key] {
      values[place] = slot
    } else {
      places[key] = keys.count
      keys.append(key)
      values.append(slot)
    }
    content = .keyed(keys: keys, places: places, values: values)
  }
}
