/// Values of which no two are equal, in the order in which they came.
///
///     ValueSet([1, 2, 1.0]).elements   // [1, 2]
public struct ValueSet: Sendable {
  /// The elements, each once.
  public private(set) var elements: [Value]

  /// Makes a set of values that are known to differ.
  package init(distinct elements: [Value]) { self.elements = elements }

  /// Makes a set; of equal values the first stays.
  ///
  /// Linear in the number of values.
  public init(_ values: [Value]) {
    var seen = Set<Value>(minimumCapacity: values.count)
    elements = values.filter { seen.insert($0).inserted }
  }
}

extension ValueSet {
  /// What is in this set or in the other. Linear in both.
  public func union(_ other: [Value]) -> ValueSet { ValueSet(elements + other) }

  /// What is in this set and in the other. Linear in both.
  public func intersection(_ other: [Value]) -> ValueSet {
    let others = Set(other)
    return ValueSet(distinct: elements.filter(others.contains))
  }

  /// What is in this set and not in the other. Linear in both.
  public func subtracting(_ other: [Value]) -> ValueSet {
    let others = Set(other)
    return ValueSet(distinct: elements.filter { !others.contains($0) })
  }
}

extension ValueSet: Hashable {
  /// Equal if each has the other's elements, in any order. Linear in what they hold.
  public static func == (a: ValueSet, b: ValueSet) -> Bool {
    a.elements.count == b.elements.count && Set(a.elements) == Set(b.elements)
  }

  /// Hashes the elements without regard to their order. Linear in what it holds.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements.reduce(0) { $0 &+ $1.hashValue })
  }
}

extension ValueSet: ExpressibleByArrayLiteral {
  /// `[1, 2, 3]`; linear in the values
  public init(arrayLiteral values: Value...) { self.init(values) }
}

// What `print` shows of the parts of a value; the whole is as Swift prints an enumeration.

extension Timestamp: CustomStringConvertible {
  /// `2010-07-20T09:20:00Z`, in UTC
  public var description: String { text(.rfc3339, in: .utc) }
}

extension ObjectReference: CustomStringConvertible {
  /// `Item/3`, the content of a dictionary, or what the object itself prints. Linear in that.
  public var description: String { id?.description ?? content?.description ?? "\(base)" }
}

extension ValueSet: CustomStringConvertible {
  /// `{integer(1), integer(2)}`. Linear in the elements.
  public var description: String {
    "{\(elements.map { "\($0)" }.joined(separator: ", "))}"
  }
}

extension ValueDictionary: CustomStringConvertible {
  /// `["city": string("Kobe")]`, in the order of its keys. Linear in them.
  public var description: String {
    if keys.isEmpty { return "[:]" }
    return "[\(zip(keys, values).map { "\"\($0)\": \($1)" }.joined(separator: ", "))]"
  }
}
