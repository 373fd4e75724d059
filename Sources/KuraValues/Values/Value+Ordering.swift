package import Foundation

extension Value: Hashable {
  /// Equal as `==` in a predicate: numbers by value, strings by their Unicode scalars.
  ///
  /// A number never equals a string, a list never a set. Linear in what they hold.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let x), .integer(let y)): x == y
    case (.string(let x), .string(let y)): Value.sameScalars(x, y)
    case (.date(let x), .date(let y)): x == y
    case (.uuid(let x), .uuid(let y)): x == y
    case (.uri(let x), .uri(let y)): Value.sameScalars(x, y)
    case (.binary(let x), .binary(let y)): x == y
    case (.list(let x), .list(let y)): x == y
    case (.set(let x), .set(let y)): x == y
    case (.dictionary(let x), .dictionary(let y)): x == y
    case (.object(let x), .object(let y)): x.isSame(as: y)
    case (.object(let x), .dictionary(let y)), (.dictionary(let y), .object(let x)): x.content == y
    default: Value.compareNumbers(a, b) == .same
    }
  }

  /// Hashes so that equal values hash alike: `1`, `1.0` and `YES` do. Linear in what it holds.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean, .integer, .double, .decimal: hashNumber(into: &hasher)
    case .string(let x), .uri(let x): Value.hashScalars(x, into: &hasher)
    case .date(let x): hasher.combine(x)
    case .uuid(let x): hasher.combine(x)
    case .binary(let x): hasher.combine(x)
    case .list(let x): hasher.combine(x)
    case .set(let x): hasher.combine(x)
    case .dictionary(let x): hasher.combine(x)
    case .object(let x): x.hash(into: &hasher)
    }
  }

  /// By its value as a double; all that are not a number are alike.
  private func hashNumber(into hasher: inout Hasher) {
    let number = approximateNumber ?? .nan
    hasher.combine(number.isNaN ? .nan : number)
  }

  // A string's own == and hash take canonically equivalent strings for equal; a predicate does not.
  private static func sameScalars(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && Bytes.compare(a, b) == .same
  }

  private static func hashScalars(_ text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

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

/// The order of a file browser: digits by their value, case and width aside.
///
///     NaturalOrder.compare("Note 9", "note 10", [], Locale(identifier: "en"))   // .before
///
/// It is that of Foundation's `localizedStandardCompare(_:)`, in a locale of one's own.
package enum NaturalOrder {
  /// Compares two strings; only the same scalars are `.same`.
  ///
  /// Under `[d]` marks come last, as case does; other options say nothing new.
  package static func compare(
    _ a: String, _ b: String, _ options: TextOptions, _ locale: Locale
  ) -> ValueOrder {
    let order = a.compare(b, options: Self.options(options), range: nil, locale: locale)
    let result = ValueOrder(rawValue: order.rawValue) ?? .same
    return result == .same ? Bytes.compare(a, b) : result
  }

  /// What Foundation is asked for.
  package static func options(_ options: TextOptions) -> String.CompareOptions {
    let marks: String.CompareOptions =
      options.contains(.diacriticInsensitive) ? .diacriticInsensitive : []
    return marks.union([.numeric, .caseInsensitive, .widthInsensitive, .forcedOrdering])
  }
}
