/// A dictionary that keeps the order of its keys.
///
///     ValueDictionary([("city", "Kobe")])["city"]   // "Kobe"
public struct ValueDictionary: Sendable {
  /// The distinct keys. Canonically equivalent texts with different scalars, as JSON can contain,
  /// are different keys.
  public private(set) var keys: [String] = []
  /// The values, in the order of the keys.
  public private(set) var values: [Value] = []
  /// Additional data of only some dictionaries. It takes one word, because `Value` is as large as
  /// its largest case.
  private var lookup: KeyLookup?

  /// Creates a dictionary. If a key occurs twice, the last value is used.
  ///
  /// Linear in the number of pairs.
  public init(_ pairs: [(String, Value)] = []) {
    keys.reserveCapacity(pairs.count)
    values.reserveCapacity(pairs.count)
    for (key, value) in pairs { self[key] = value }
  }

  /// Creates a dictionary from distinct keys, optionally of an encoded type.
  package init(
    distinct keys: [String], _ values: [Value], of type: EncodedKeys? = nil,
    object: AnyObject? = nil
  ) {
    (self.keys, self.values) = (keys, values)
    if keys.count > Self.smallCount { indexKeys() }
    if let type { lookUp { ($0.type, $0.object) = (type, object) } }
  }

  /// The keys of the encoded type, if there is one.
  package var encodedKeys: EncodedKeys? { lookup?.type }

  /// The class instance that was encoded, until the dictionary is changed.
  package var object: AnyObject? { lookup?.object }

  /// The value of a key; nil if there is none. Without an exact match, a canonically equivalent key
  /// is used.
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

  /// The number of keys below which a linear search is faster than hashing.
  private static let smallCount = 12
}

/// The additional data of a dictionary.
private final class KeyLookup: @unchecked Sendable {
  /// The index of each key, in large dictionaries; small ones are searched.
  var places: [ExactText: Int]?
  var type: EncodedKeys?
  var object: AnyObject?

  init(places: [ExactText: Int]? = nil, type: EncodedKeys? = nil, object: AnyObject? = nil) {
    (self.places, self.type, self.object) = (places, type, object)
  }
}

/// A text that is equal only to the same scalars.
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

  /// Returns the index of a canonically equivalent key. ASCII has only one form.
  private func placeOfOtherForm(_ key: String) -> Int? {
    key.utf8.allSatisfy { $0 < 0x80 } ? nil : keys.firstIndex(of: key)
  }

  /// Changes the additional data; copies it first if another dictionary shares it.
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
  /// Returns whether the same keys have equal values, in any order. Dictionaries encoded from class
  /// instances are equal if the instances are the same. Linear in the values.
  public static func == (a: ValueDictionary, b: ValueDictionary) -> Bool {
    if let one = a.object, let other = b.object {
      return OpaqueObject.identity(of: one) == OpaqueObject.identity(of: other)
    }
    return a.keys.count == b.keys.count && zip(a.keys, a.values).allSatisfy { b[$0] == $1 }
  }

  /// Hashes keys and values independent of their order; for an encoded class instance, hashes the
  /// instance. Linear in the values.
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
  /// Returns the value of a key; null if there is none. Constant time.
  public func value(forKey key: String) -> Value { self[key] ?? .null }
  /// The dictionary as a value, which is compared by content.
  public var predicateValue: Value { .dictionary(self) }
}

extension ValueDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary such as `["city": "Kobe"]`. Linear in the pairs.
  public init(dictionaryLiteral pairs: (String, Value)...) { self.init(pairs) }
}

extension ValueDictionary {
  func mapValues(_ body: (Value) -> Value) -> ValueDictionary {
    var result = self
    result.values = values.map(body)
    return result
  }
}
