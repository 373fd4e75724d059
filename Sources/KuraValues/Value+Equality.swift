import Foundation

extension Value: Hashable {
  /// Equal as `==` in a predicate: numbers by value, strings by their Unicode scalars.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.date(let x), .date(let y)): x == y
    case (.uuid(let x), .uuid(let y)): x == y
    case (.uri(let x), .uri(let y)): x.utf8.elementsEqual(y.utf8)
    case (.binary(let x), .binary(let y)): x == y
    case (.list(let x), .list(let y)): x == y
    case (.set(let x), .set(let y)): Set(x.elements) == Set(y.elements)
    case (.dictionary(let x), .dictionary(let y)): x == y
    case (.object(let x), .object(let y)): x === y || (x.id != nil && x.id == y.id)
    default: Value.numbersAreEqual(a, b)
    }
  }

  /// Hashes so that equal values hash alike.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean, .integer, .double, .decimal: hasher.combine(approximateNumber)
    case .string(let x), .uri(let x): for byte in x.utf8 { hasher.combine(byte) }
    case .date(let x): hasher.combine(x)
    case .uuid(let x): hasher.combine(x)
    case .binary(let x): hasher.combine(x)
    case .list(let x): hasher.combine(x)
    case .set(let x): hasher.combine(x.elements.count)
    case .dictionary(let x): hasher.combine(x.keys.count)
    case .object(let x): hasher.combine(x.id)
    }
  }

  /// The number as a double, perhaps rounded; nil for what is no number.
  package var approximateNumber: Double? {
    switch self {
    case .boolean(let x): x ? 1 : 0
    case .integer(let x): Double(x)
    case .double(let x): x
    case .decimal(let x): NSDecimalNumber(decimal: x).doubleValue
    default: nil
    }
  }

  static func numbersAreEqual(_ a: Value, _ b: Value) -> Bool {
    guard let x = a.approximateNumber, let y = b.approximateNumber else { return false }
    return x == y
  }
}

extension ValueDictionary: Hashable {
  /// Equal if the same keys have equal values, in any order.
  public static func == (a: ValueDictionary, b: ValueDictionary) -> Bool {
    a.keys.count == b.keys.count && a.keys.allSatisfy { a[$0] == b[$0] }
  }

  /// Hashes the number of keys.
  public func hash(into hasher: inout Hasher) { hasher.combine(keys.count) }
}
