/// A set of distinct values in the order of insertion.
///
///     ValueSet([1, 2, 1.0]).elements   // [1, 2]
public struct ValueSet: Sendable {
  /// The distinct elements.
  public private(set) var elements: [Value]

  package init(distinct elements: [Value]) { self.elements = elements }

  /// Creates a set; the first of equal values remains.
  ///
  /// Linear in the number of values.
  public init(_ values: [Value]) {
    var seen = Set<Value>(minimumCapacity: values.count)
    elements = values.filter { seen.insert($0).inserted }
  }
}

extension ValueSet {
  /// Returns the union with other values. Linear in both.
  public func union(_ other: [Value]) -> ValueSet { ValueSet(elements + other) }

  /// Returns the intersection with other values. Linear in both.
  public func intersection(_ other: [Value]) -> ValueSet {
    let others = Set(other)
    return ValueSet(distinct: elements.filter(others.contains))
  }

  /// Returns the elements that the other values do not contain. Linear in both.
  public func subtracting(_ other: [Value]) -> ValueSet {
    let others = Set(other)
    return ValueSet(distinct: elements.filter { !others.contains($0) })
  }
}

extension ValueSet: Hashable {
  /// Returns whether both have the same elements, in any order. Linear in the values.
  public static func == (a: ValueSet, b: ValueSet) -> Bool {
    a.elements.count == b.elements.count && Set(a.elements) == Set(b.elements)
  }

  /// Hashes the elements independent of their order. Linear in the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements.reduce(0) { $0 &+ $1.hashValue })
  }
}

extension ValueSet: ExpressibleByArrayLiteral {
  /// Creates a set such as `[1, 2, 3]`. Linear in the values.
  public init(arrayLiteral values: Value...) { self.init(values) }
}

// Descriptions of the parts of a value; a whole value prints as Swift prints an enumeration

extension Timestamp: CustomStringConvertible {
  /// The moment in UTC, such as `2010-07-20T09:20:00Z`.
  public var description: String { text(.rfc3339, in: .utc) }
}

extension ObjectReference: CustomStringConvertible {
  /// The identity such as `Item/3`, the content of a dictionary, or the description of the object.
  /// Linear in that.
  public var description: String { id?.description ?? content?.description ?? "\(base)" }
}

extension ValueSet: CustomStringConvertible {
  /// The elements, such as `{integer(1), integer(2)}`. Linear in the elements.
  public var description: String {
    "{\(elements.map { "\($0)" }.joined(separator: ", "))}"
  }
}

extension ValueDictionary: CustomStringConvertible {
  /// The pairs in order, such as `["city": string("Kobe")]`. Linear in them.
  public var description: String {
    if keys.isEmpty { return "[:]" }
    return "[\(zip(keys, values).map { "\"\($0)\": \($1)" }.joined(separator: ", "))]"
  }
}
