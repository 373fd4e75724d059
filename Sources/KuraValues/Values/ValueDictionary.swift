/// Keys and values in the order in which they were written.
///
///     ValueDictionary([("city", "Kobe")])["city"]   // "Kobe"
public struct ValueDictionary: Sendable {
  /// The keys, each once: two that are the same text in other scalars, as JSON may have, are two keys.
  public private(set) var keys: [String] = []
  /// The values, in the order of the keys.
  public private(set) var values: [Value] = []
  /// What only some dictionaries have; one word, for a value is as large as the largest of its kinds.
  private var lookup: KeyLookup?

  /// Makes a dictionary; of a key that comes twice the last value counts.
  ///
  /// Linear in the number of pairs.
  public init(_ pairs: [(String, Value)] = []) {
    keys.reserveCapacity(pairs.count)
    values.reserveCapacity(pairs.count)
    for (key, value) in pairs { self[key] = value }
  }

  /// Makes a dictionary of keys that are known to differ, which an encoded type may have.
  package init(
    distinct keys: [String], _ values: [Value], of type: EncodedKeys? = nil,
    object: AnyObject? = nil
  ) {
    (self.keys, self.values) = (keys, values)
    if keys.count > Self.smallCount { indexKeys() }
    if let type { lookUp { ($0.type, $0.object) = (type, object) } }
  }

  /// Which keys there may be, if it was made of a type that says so.
  package var encodedKeys: EncodedKeys? { lookup?.type }

  /// The instance of a class that it was encoded of, as long as nobody has changed it.
  package var object: AnyObject? { lookup?.object }

  /// The value of a key, or nil; if no key has these scalars, of one that is the same text in others.
  ///
  /// Constant time; removing a key is linear in their number.
  public subscript(key: String) -> Value? {
    get { (place(of: key) ?? placeOfOtherForm(key)).map { values[$0] } }
    set {
      if object != nil { lookUp { $0.object = nil } }
      switch (place(of: key), newValue) {
      case (let place?, let value?): values[place] = value
      case (let place?, nil): remove(at: place)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Below this number of keys looking at each is faster than hashing.
  private static let smallCount = 12
}

/// What is beside the keys and values of a dictionary.
private final class KeyLookup: @unchecked Sendable {
  /// Where each key stands; only large dictionaries have it, small ones are searched.
  var places: [ExactText: Int]?
  var type: EncodedKeys?
  var object: AnyObject?

  init(places: [ExactText: Int]? = nil, type: EncodedKeys? = nil, object: AnyObject? = nil) {
    (self.places, self.type, self.object) = (places, type, object)
  }
}

/// A text that is equal to another with the same scalars only.
private struct ExactText: Hashable {
  let text: String

  static func == (a: ExactText, b: ExactText) -> Bool {
    a.text == b.text && a.text.utf8.elementsEqual(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ValueDictionary {
  private func place(of key: String) -> Int? {
    let key = ExactText(text: key)
    if let places = lookup?.places { return places[key] }
    return keys.firstIndex { ExactText(text: $0) == key }
  }

  /// ASCII has one form only.
  private func placeOfOtherForm(_ key: String) -> Int? {
    key.utf8.allSatisfy { $0 < 0x80 } ? nil : keys.firstIndex(of: key)
  }

  /// Changes what is beside the keys; what another dictionary has too is copied before.
  private mutating func lookUp(_ change: (KeyLookup) -> Void) {
    if !isKnownUniquelyReferenced(&lookup) {
      lookup = KeyLookup(
        places: lookup?.places, type: lookup?.type, object: lookup?.object)
    }
    if let lookup { change(lookup) }
  }

  private mutating func append(_ key: String, _ value: Value) {
    keys.append(key)
    values.append(value)
    if lookup?.places != nil {
      let place = keys.count - 1
      lookUp { $0.places?[ExactText(text: key)] = place }
    } else if keys.count > Self.smallCount {
      indexKeys()
    }
  }

  private mutating func remove(at place: Int) {
    keys.remove(at: place)
    values.remove(at: place)
    if lookup?.places != nil { indexKeys() }
  }

  private mutating func indexKeys() {
    let places = Dictionary(
      zip(keys, keys.indices).map { (ExactText(text: $0), $1) },
      uniquingKeysWith: { first, _ in first })
    lookUp { $0.places = places }
  }
}

extension ValueDictionary: Hashable {
  /// Equal if the same keys have equal values, in any order; what two instances of classes were
  /// encoded as is equal if they are one. Linear in what they hold.
  public static func == (a: ValueDictionary, b: ValueDictionary) -> Bool {
    if let one = a.object, let other = b.object {
      return OpaqueObject.identity(of: one) == OpaqueObject.identity(of: other)
    }
    return a.keys.count == b.keys.count && zip(a.keys, a.values).allSatisfy { b[$0] == $1 }
  }

  /// Hashes keys and values without regard to their order, of what an instance of a class was encoded as
  /// the instance. Linear in what it holds.
  public func hash(into hasher: inout Hasher) {
    if let object { return hasher.combine(OpaqueObject.identity(of: object)) }
    var sum = 0
    for (key, value) in zip(keys, values) {
      var pair = Hasher()
      pair.combine(key)
      pair.combine(value)
      sum &+= pair.finalize()
    }
    hasher.combine(sum)
  }
}

extension ValueDictionary: KeyReadable {
  /// The value of a key; null where there is none. Constant time.
  public func value(forKey key: String) -> Value { self[key] ?? .null }
  /// A dictionary, which equals another by its content.
  public var predicateValue: Value { .dictionary(self) }
}

extension ValueDictionary: ExpressibleByDictionaryLiteral {
  /// `["city": "Kobe"]`; linear in the pairs
  public init(dictionaryLiteral pairs: (String, Value)...) { self.init(pairs) }
}

extension ValueDictionary {
  /// The same keys with other values.
  func mapValues(_ body: (Value) -> Value) -> ValueDictionary {
    var result = self
    result.values = values.map(body)
    return result
  }
}
