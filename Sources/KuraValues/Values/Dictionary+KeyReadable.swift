extension Dictionary: KeyReadable where Key == String, Value == KuraValues.Value {
  /// The value of a key; null where there is none.
  public func value(forKey key: String) -> KuraValues.Value { self[key] ?? .null }
}
