extension Value: ExpressibleByIntegerLiteral {
  /// `3`
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Value: ExpressibleByFloatLiteral {
  /// `2.5`
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByBooleanLiteral {
  /// `true`
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension Value: ExpressibleByStringLiteral {
  /// `"誕生"`
  public init(stringLiteral value: String) { self = .string(value) }
}

extension Value: ExpressibleByNilLiteral {
  /// `nil`
  public init(nilLiteral: ()) { self = .null }
}

extension Value: ExpressibleByArrayLiteral {
  /// `[1, 2, 3]`, a list
  public init(arrayLiteral values: Value...) { self = .list(values) }
}

extension Value: ExpressibleByDictionaryLiteral {
  /// `["city": "Kobe"]`; of a key that comes twice the last value counts
  public init(dictionaryLiteral pairs: (String, Value)...) {
    self = .dictionary(ValueDictionary(pairs))
  }
}
