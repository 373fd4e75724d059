/// Keys and values in the order in which they were written.
public struct ValueDictionary: Sendable {
  /// The keys, each once.
  public private(set) var keys: [String]
  /// The values, in the order of the keys.
  public private(set) var values: [Value]

  /// Makes a dictionary; of a key that comes twice the last value counts.
  public init(_ pairs: [(String, Value)] = []) {
    keys = []
    values = []
    for (key, value) in pairs { self[key] = value }
  }

  /// The value of a key, or nil.
  ///
  /// Linear in the number of keys.
  public subscript(key: String) -> Value? {
    get { keys.firstIndex(of: key).map { values[$0] } }
    set {
      if let i = keys.firstIndex(of: key) {
        if let newValue { values[i] = newValue } else { remove(at: i) }
      } else if let newValue {
        keys.append(key)
        values.append(newValue)
      }
    }
  }

  private mutating func remove(at i: Int) {
    keys.remove(at: i)
    values.remove(at: i)
  }
}

/// Values of which no two are equal, in the order in which they came.
public struct ValueSet: Sendable {
  /// The elements, each once.
  public private(set) var elements: [Value]

  /// Makes a set of values that are known to differ.
  package init(distinct elements: [Value]) { self.elements = elements }
}
