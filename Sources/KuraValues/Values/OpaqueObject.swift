/// Something of a program's own of which a predicate knows only whether it is the same: it has no keys.
package struct OpaqueObject: KeyReadable {
  package let base: Any
  /// What two of them share that are one.
  package let identity: AnyHashable?

  /// Nil for what no two values of can be told to be the same: it is neither `Hashable` nor a class.
  init?(_ base: Any) {
    guard let identity = Self.identity(of: base) else { return nil }
    (self.base, self.identity) = (base, identity)
  }

  /// Throws an `UnknownValueType` for each key.
  package func value(forKey key: String) throws -> Value {
    // SELF is no key: who evaluates knows it.
    if key == "self" { return .null }
    throw UnknownValueType(type: "\(type(of: base))", path: [])
  }

  /// What is one by `==` if it is `Hashable`, else by `===` if it is a class.
  static func identity(of value: Any) -> AnyHashable? {
    if let hashable = value as? AnyHashable { return hashable }
    return type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }
}
