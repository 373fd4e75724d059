public import Foundation
import KuraPredicates
import KuraValues

extension Sequence {
  /// Returns the elements that match a predicate. They can be of any type.
  ///
  ///     try people.filtered(using: KUPredicate(format: "age >= 18"))
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func filtered(using predicate: KUPredicate) throws -> [Element] {
    let prepared = predicate.tree.prepared()
    return try filter { try prepared.evaluate(value: Value(untyped: $0)) }
  }

  /// Returns the elements sorted by sort descriptors. Equal elements keep their order.
  ///
  /// Each key is computed once per element; n log n. Throws the diagnostic of the first element
  /// that cannot be evaluated, or an `UnknownValueType`.
  public func sorted(using descriptors: [KUSortDescriptor]) throws -> [Element] {
    let elements = Array(self)
    let values = try elements.indices.map { place in
      PlacedValue(place: place, value: try Value(untyped: elements[place]))
    }
    return try values.sorted(by: descriptors.map(\.tree)).map { elements[$0.place] }
  }
}

/// A value with the index of its element.
private struct PlacedValue: ValueConvertible {
  let place: Int
  let value: Value

  var predicateValue: Value { value }
}

extension NSArray {
  /// Returns the elements that match a predicate. One pass.
  public func filtered(using predicate: KUPredicate) throws -> [Any] {
    try map(\.self).filtered(using: predicate)
  }

  /// Returns the elements sorted by sort descriptors; n log n.
  public func sortedArray(using descriptors: [KUSortDescriptor]) throws -> [Any] {
    try map(\.self).sorted(using: descriptors)
  }
}

extension NSOrderedSet {
  /// Returns the elements that match a predicate, in order. One pass.
  public func filtered(using predicate: KUPredicate) throws -> NSOrderedSet {
    NSOrderedSet(array: try map(\.self).filtered(using: predicate))
  }

  /// Returns the elements sorted by sort descriptors; n log n.
  public func sortedArray(using descriptors: [KUSortDescriptor]) throws -> [Any] {
    try map(\.self).sorted(using: descriptors)
  }
}

extension NSSet {
  /// Returns the elements that match a predicate. One pass.
  public func filtered(using predicate: KUPredicate) throws -> NSSet {
    NSSet(array: try map(\.self).filtered(using: predicate))
  }

  /// Returns the elements sorted by sort descriptors; n log n.
  public func sortedArray(using descriptors: [KUSortDescriptor]) throws -> [Any] {
    try map(\.self).sorted(using: descriptors)
  }
}

extension NSMutableArray {
  /// Removes the elements that do not match a predicate, in one pass. If it throws, the array is
  /// unchanged.
  public func filter(using predicate: KUPredicate) throws {
    setArray(try map(\.self).filtered(using: predicate))
  }

  /// Sorts the elements by sort descriptors; n log n. If it throws, the array is unchanged.
  public func sort(using descriptors: [KUSortDescriptor]) throws {
    setArray(try map(\.self).sorted(using: descriptors))
  }
}

extension NSMutableSet {
  /// Removes the elements that do not match a predicate, in one pass. If it throws, the set is
  /// unchanged.
  public func filter(using predicate: KUPredicate) throws {
    let left = try map(\.self).filtered(using: predicate)
    removeAllObjects()
    addObjects(from: left)
  }
}

extension NSMutableOrderedSet {
  /// Removes the elements that do not match a predicate, in one pass. If it throws, the set is
  /// unchanged.
  public func filter(using predicate: KUPredicate) throws {
    let left = try map(\.self).filtered(using: predicate)
    removeAllObjects()
    addObjects(from: left)
  }

  /// Sorts the elements by sort descriptors; n log n. If it throws, the set is unchanged.
  public func sort(using descriptors: [KUSortDescriptor]) throws {
    let sorted = try map(\.self).sorted(using: descriptors)
    removeAllObjects()
    addObjects(from: sorted)
  }
}
