/// Encodes the few keys that are asked for of many values of one type, and lets the others pass.
///
/// The same picker serves one value after the other: what it has learned of the first, that the keys
/// come in this order, makes the others quicker. What it cannot pick from, a list, a container in a
/// container, a key that nobody has encoded, it leaves to the whole encoder.
package final class KeyPicker<Element: Encodable> {
  private let picked: PickedValues

  /// Makes a picker of some keys; nil: of all.
  package init(_ keys: [String]?) {
    // What knows its value by itself has no keys to pick.
    let isPlain = Element.self is any ValueConvertible.Type
    picked = PickedValues(isPlain ? nil : keys, type: "\(Element.self)")
  }

  /// The value, in which at least the keys are that were asked for.
  package func value(of element: Element) throws -> Value {
    try pick(from: element)?.value ?? ValueEncoder().encode(element)
  }

  /// The keys of a value, until those of the next are picked; nil where only the whole value can say
  /// what there is.
  package func pick(from element: Element) throws -> PickedValues? {
    guard picked.isUsed else { return nil }
    picked.begin()
    try element.encode(to: PickingEncoder(picked: picked))
    return picked.isComplete ? picked : nil
  }
}

/// What has been picked of the value that was encoded last.
///
/// Its fields are looked at for each key of each value, by one who encodes at a time.
package final class PickedValues {
  private let keys: [String]
  @exclusivity(unchecked) private var values: [Value]
  @exclusivity(unchecked) private var isThere: [Bool]
  private let type: String
  let isUsed: Bool
  /// Where the value of each key that comes goes, in the order in which they came last time.
  @exclusivity(unchecked) private var steps: [(key: String, place: Int?)] = []
  @exclusivity(unchecked) private var step = 0
  @exclusivity(unchecked) private var missing = 0
  private(set) var keyTypes: [any CodingKey.Type] = []
  private var mayMiss: [Bool?]
  /// Somebody asked for what cannot be picked from.
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
  /// The value of a key that was asked for.
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

  /// Whether what was picked answers what will be asked.
  var isComplete: Bool { !isWhole && (missing == 0 || mayAllMiss) }

  /// The keys as a dictionary.
  var value: Value { .dictionary(ValueDictionary(distinct: keys, values)) }

  /// Whether each key that did not come is one of the type, whose value is nil.
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

  /// Where the value of a key goes that comes now; nil: nobody asks for it.
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

/// The encoder that a type sees of which some keys are picked.
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

  /// What goes nowhere: the whole value is encoded once more.
  var whole: SlotEncoder {
    picked.isWhole = true
    return SlotEncoder(slot: EncodedSlot(), place: EncoderPlace(userInfo: [:]))
  }
}
