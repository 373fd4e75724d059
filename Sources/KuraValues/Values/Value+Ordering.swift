import Foundation

/// How one value stands to another.
package enum ValueOrder: Int, Sendable, Hashable {
  /// The first comes before the second.
  case before = -1
  /// Neither comes before the other.
  case same = 0
  /// The first comes after the second.
  case after = 1
}

extension ValueOrder {
  /// The order of two things that compare.
  package init<T: Comparable>(_ a: T, _ b: T) {
    self = a < b ? .before : b < a ? .after : .same
  }

  /// The order with the two exchanged.
  package var reversed: ValueOrder {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}

extension Value {
  /// The order of two values as `<` in a predicate sees it.
  ///
  ///     try Value.order(.integer(2), .double(2.5))   // .before
  ///
  /// Numbers by value across their kinds, booleans as 0 and 1, dates by time, strings and URIs by
  /// their Unicode scalars. Throws `ValueError.unordered` for anything else, null too.
  package static func order(_ a: Value, _ b: Value) throws(ValueError) -> ValueOrder {
    switch (a, b) {
    case (.integer(let x), .integer(let y)): return ValueOrder(x, y)
    case (.string(let x), .string(let y)): return Bytes.compare(x, y)
    case (.date(let x), .date(let y)): return ValueOrder(x, y)
    case (.uri(let x), .uri(let y)): return Bytes.compare(x, y)
    default:
      if let order = compareNumbers(a, b) { return order }
      throw .unordered(a.kind, b.kind)
    }
  }

  /// An order over all values, for sorting values of several kinds.
  ///
  /// By kind first: null, numbers, strings, dates, then what has no order in a predicate.
  package static func sortOrder(_ a: Value, _ b: Value) -> ValueOrder {
    if let order = try? order(a, b) { return order }
    switch (a, b) {
    case (.uuid(let x), .uuid(let y)): return Bytes.compare(x.uuidString, y.uuidString)
    case (.binary(let x), .binary(let y)): return lexical(x, y) { ValueOrder($0, $1) }
    case (.list(let x), .list(let y)): return lexical(x, y, by: sortOrder)
    case (.set(let x), .set(let y)): return lexical(x.elements, y.elements, by: sortOrder)
    case (.dictionary(let x), .dictionary(let y)): return lexical(x.values, y.values, by: sortOrder)
    case (.object(let x), .object(let y)): return ObjectID.order(x.id, y.id)
    default: return ValueOrder(a.kind.rank, b.kind.rank)
    }
  }

  private static func lexical<T>(
    _ a: [T], _ b: [T], by order: (T, T) -> ValueOrder
  ) -> ValueOrder {
    for (x, y) in zip(a, b) {
      let order = order(x, y)
      if order != .same { return order }
    }
    return ValueOrder(a.count, b.count)
  }
}

extension ObjectID {
  static func order(_ a: ObjectID?, _ b: ObjectID?) -> ValueOrder {
    guard let a, let b else { return ValueOrder(a == nil ? 0 : 1, b == nil ? 0 : 1) }
    let order = Bytes.compare(a.root, b.root)
    return order == .same ? ValueOrder(a.number, b.number) : order
  }
}
