public import Foundation
import KuraPredicates
import KuraValues

extension Sequence {
  /// The elements that fulfil a predicate, whatever they are.
  ///
  ///     try people.filtered(using: KUPredicate(format: "age >= 18"))
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated, or an
  /// `UnknownValueType`.
  public func filtered(using predicate: KUPredicate) throws -> [Element] {
    let prepared = predicate.tree.prepared()
    return try filter { try prepared.evaluate(value: Value(untyped: $0)) }
  }

  /// The elements in the order of sort descriptors, those alike as they came.
  ///
  /// Each key is computed once for each element; n log n. Throws the diagnostic of the first element
  /// that cannot be evaluated, or an `UnknownValueType`.
  public func sorted(using descriptors: [KUSortDescriptor]) throws -> [Element] {
    let elements = Array(self)
    let values = try elements.indices.map { place in
      PlacedValue(place: place, value: try Value(untyped: elements[place]))
    }
    return try values.sorted(by: descriptors.map(\.tree)).map { elements[$0.place] }
  }
}

/// A value that knows which element it is of.
private struct PlacedValue: ValueConvertible {
  let place: Int
  let value: Value

  var predicateValue: Value { value }
}

extension NSArray {
  /// The elements that fulfil a predicate. One pass.
  public func filtered(using predicate: KUPredicate) throws -> [Any] {
    try map(\.self).filtered(using: predicate)
  }

  /// The elements in the order of sort descriptors; n log n.
  public func sortedArray(using descriptors: [KUSortDescriptor]) throws -> [Any] {
    try map(\.self).sorted(using: descriptors)
  }
}

extension NSOrderedSet {
  /// The elements that fulfil a predicate, in their order. One pass.
  public func filtered(using predicate: KUPredicate) throws -> NSOrderedSet {
    NSOrderedSet(array: try map(\.self).filtered(using: predicate))
  }

  /// The elements in the order of sort descriptors; n log n.
  public func sortedArray(using descriptors: [KUSortDescriptor]) throws -> [Any] {
    try map(\.self).sorted(using: descriptors)
  }
}

extension NSSet {
  /// The elements that fulfil a predicate. One pass.
  public func filtered(using predicate: KUPredicate) throws -> NSSet {
    NSSet(array: try map(\.self).filtered(using: predicate))
  }

  /// The elements in the order of sort descriptors; n log n.
  public func sortedArray(using descriptors: [KUSortDescriptor]) throws -> [Any] {
    try map(\.self).sorted(using: descriptors)
  }
}

extension NSMutableArray {
  /// Leaves the elements that fulfil a predicate, in one pass; an error leaves all.
  public func filter(using predicate: KUPredicate) throws {
    setArray(try map(\.self).filtered(using: predicate))
  }

  /// Puts the elements into the order of sort descriptors, n log n; an error leaves them as they are.
  public func sort(using descriptors: [KUSortDescriptor]) throws {
    setArray(try map(\.self).sorted(using: descriptors))
  }
}

extension NSMutableSet {
  /// Leaves the elements that fulfil a predicate, in one pass; an error leaves all.
  public func filter(using predicate: KUPredicate) throws {
    let left = try map(\.self).filtered(using: predicate)
    removeAllObjects()
    addObjects(from: left)
  }
}

extension NSMutableOrderedSet {
  /// Leaves the elements that fulfil a predicate, in one pass; an error leaves all.
  public func filter(using predicate: KUPredicate) throws {
    let left = try map(\.self).filtered(using: predicate)
    removeAllObjects()
    addObjects(from: left)
  }

  /// Puts the elements into the order of sort descriptors, n log n; an error leaves them as they are.
  public func sort(using descriptors: [KUSortDescriptor]) throws {
    let sorted = try map(\.self).sorted(using: descriptors)
    removeAllObjects()
    addObjects(from: sorted)
  }
}
