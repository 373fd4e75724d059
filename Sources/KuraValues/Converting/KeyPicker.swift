/// Encodes only the requested keys of many values of one type.
///
/// The same picker serves all values in turn: it remembers the order of the keys of the last one,
/// which speeds up the others. It leaves lists, nested containers and keys that were not encoded to
/// the complete encoder.
package final class KeyPicker<Element: Encodable> {
  private let picked: PickedValues

  /// Creates a picker for keys; nil means all keys.
  package init(_ keys: [String]?) {
    // A `ValueConvertible` type has no keys to pick.
    let isPlain = Element.self is any ValueConvertible.Type
    picked = PickedValues(isPlain ? nil : keys, type: "\(Element.self)")
  }

  /// Returns the value with at least the requested keys.
  package func value(of element: Element) throws -> Value {
    try pick(from: element)?.value ?? ValueEncoder().encode(element)
  }

  /// Returns the keys of a value, valid until the next call; nil if the value must be encoded
  /// completely.
  package func pick(from element: Element) throws -> PickedValues? {
    guard picked.isUsed else { return nil }
    picked.begin()
    try element.encode(to: PickingEncoder(picked: picked))
    return picked.isComplete ? picked : nil
  }
}

/// The picked keys of the value that was encoded last.
///
/// Its fields are accessed for each key of each value, by one encoder at a time.
package final class PickedValues {
  private let keys: [String]
  @exclusivity(unchecked) private var values: [Value]
  @exclusivity(unchecked) private var isThere: [Bool]
  private let type: String
  let isUsed: Bool
  /// The destinations of the keys, in the order of the last value.
  @exclusivity(unchecked) private var steps: [(key: String, place: Int?)] = []
  @exclusivity(unchecked) private var step = 0
  @exclusivity(unchecked) private var missing = 0
  private(set) var keyTypes: [any CodingKey.Type] = []
  private var mayMiss: [Bool?]
  /// Whether the type requested a container from which keys cannot be picked.
  @exclusivity(unchecked) var isWhole = false

  init(_ keys: [String]?, type: String) {
    self.keys = keys ?? []
    self.type = type
    isUsed = keys != nil
    values = Array(repeating: .null, count: self.keys.count)
    isThere = Array(repeating: false, count: self.keys.count)
    mayMiss = Array(repeating: nil, count: self.keys.count)
  }
}

extension PickedValues: KeyReadable {
  /// Returns the value of a requested key.
  package func value(forKey key: String) -> Value {
    for place in keys.indices where keys[place] == key { return values[place] }
    return .null
  }
}

extension PickedValues {
  func begin() {
    (step, missing, isWhole) = (0, keys.count, false)
    for place in keys.indices { (values[place], isThere[place]) = (.null, false) }
  }

  /// Whether the picked keys are sufficient.
  var isComplete: Bool { !isWhole && (missing == 0 || mayAllMiss) }

  /// The keys as a dictionary.
  var value: Value { .dictionary(ValueDictionary(distinct: keys, values)) }

  /// Whether each missing key belongs to the type, so that its value is nil.
  private var mayAllMiss: Bool {
    for place in keys.indices where !isThere[place] {
      let known = mayMiss[place] ?? keyTypes.contains { $0.init(stringValue: keys[place]) != nil }
      mayMiss[place] = known
      if !known { return false }
    }
    return true
  }

  func begin(_ type: any CodingKey.Type) {
    if let last = keyTypes.last, last == type { return }
    if !keyTypes.contains(where: { $0 == type }) { keyTypes.append(type) }
  }

  /// Returns the destination of the next key; nil if it was not requested.
  func place(_ key: String) -> Int? {
    let now = step
    step += 1
    if now < steps.count, steps[now].key == key { return steps[now].place }
    let place = keys.firstIndex(of: key)
    if now == steps.count { steps.append((key, place)) }
    return place
  }

  func put(_ value: Value, at place: Int) {
    if !isThere[place] { missing -= 1 }
    (values[place], isThere[place]) = (value, true)
  }
}

/// The encoder that a type receives while keys are picked from it.
struct PickingEncoder: Encoder {
  let picked: PickedValues

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    picked.begin(type)
    return KeyedEncodingContainer(PickedKeys<Key>(picked: picked))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { whole.unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { whole.singleValueContainer() }

  /// An encoder whose result is ignored, because the value will be encoded completely.
  var whole: SlotEncoder {
    picked.isWhole = true
    return SlotEncoder(slot: EncodedSlot(), place: EncoderPlace(userInfo: [:]))
  }
}
