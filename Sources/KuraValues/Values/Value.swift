public import Foundation
import KuraSentences

/// A value that a predicate reads, compares or computes.
///
///     Value.integer(3) == .double(3)          // true: numbers are equal by value
///     Value.string("が") == .string("か\u{3099}")  // false: other Unicode scalars
public enum Value: Sendable {
  /// `NULL`, or a missing key
  case null
  /// `YES`, `NO`
  case boolean(Bool)
  /// `3`, `-2`, `0x1F`
  case integer(Int64)
  /// `2.5`, `1e9`
  case double(Double)
  /// `0.1`, compared with a decimal attribute
  case decimal(Decimal)
  /// `"誕生"`
  case string(String)
  /// `"1935-06-11"`, compared with a date attribute
  case date(Timestamp)
  /// `"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"`, compared with a uuid attribute
  case uuid(UUID)
  /// `"https://example.com"`, compared with a uri attribute
  case uri(String)
  /// base64 text, compared with a binary attribute
  case binary([UInt8])
  /// `{1, 2, 3}`
  case list([Value])
  /// `{1, 2} UNION {3}`, or the objects of an unordered to-many relationship
  case set(ValueSet)
  /// `{"city": "Kobe"}` in JSON
  case dictionary(ValueDictionary)
  /// `MemoDate/17`
  case object(ObjectReference)
}

extension Value {
  /// The kind of a value, as messages name it.
  package enum Kind: String, Sendable, Hashable {
    case null, boolean, integer, double, decimal, string, date, uuid, uri, binary
    case list, set, dictionary, object
  }

  /// The kind: `.integer` for `3`
  package var kind: Kind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .list: .list
    case .set: .set
    case .dictionary: .dictionary
    case .object: .object
    }
  }

  /// Whether the value is null.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The elements of a list or set, or the values of a dictionary; nil for other values.
  package var elements: [Value]? {
    switch self {
    case .list(let x): x
    case .set(let x): x.elements
    case .dictionary(let x): x.values
    default: nil
    }
  }
}

extension Value.Kind {
  /// The rank of the kind when values of different kinds are sorted. All numbers have the same rank.
  package var rank: Int {
    switch self {
    case .null: 0
    case .boolean, .integer, .double, .decimal: 1
    case .string: 2
    case .date: 3
    case .uuid: 4
    case .uri: 5
    case .binary: 6
    case .list: 7
    case .set: 8
    case .dictionary: 9
    case .object: 10
    }
  }

  /// The kind in a sentence: `a string`, `an integer`.
  package var phrase: String {
    switch self {
    case .null: "nil"
    case .boolean: localized("a boolean")
    case .integer: localized("an integer")
    case .double: localized("a double")
    case .decimal: localized("a decimal")
    case .string: localized("a string")
    case .date: localized("a date")
    case .uuid: localized("a UUID")
    case .uri: localized("a URI")
    case .binary: localized("binary data")
    case .list: localized("a list")
    case .set: localized("a set")
    case .dictionary: localized("a dictionary")
    case .object: localized("an object")
    }
  }
}

extension Value: ExpressibleByIntegerLiteral {
  /// Creates an integer such as `3`.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Value: ExpressibleByFloatLiteral {
  /// Creates a double such as `2.5`.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByBooleanLiteral {
  /// Creates a Boolean such as `true`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension Value: ExpressibleByStringLiteral {
  /// Creates a string such as `"誕生"`.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension Value: ExpressibleByNilLiteral {
  /// Creates null from `nil`.
  public init(nilLiteral: ()) { self = .null }
}

extension Value: ExpressibleByArrayLiteral {
  /// Creates a list such as `[1, 2, 3]`.
  public init(arrayLiteral values: Value...) { self = .list(values) }
}

extension Value: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary such as `["city": "Kobe"]`. If a key occurs twice, the last value is
  /// used. Linear in the pairs.
  public init(dictionaryLiteral pairs: (String, Value)...) {
    self = .dictionary(ValueDictionary(pairs))
  }
}

/// The reasons why values could not be compared, read or computed with.
package enum ValueError: Error, Sendable, Hashable {
  /// `"2" < 3`
  case unordered(Value.Kind, Value.Kind)
  /// `"a" + 1`
  case notANumber(Value.Kind)
  /// `1.5 & 1`
  case notAnInteger(Value)
  /// `1 / 0`
  case divisionByZero
  /// `9223372036854775807 + 1`
  case overflow
  /// `title MATCHES "a("`: the reason, and the offset of the character if it is known
  case badPattern(reason: String, offset: Int?)
  /// `title MATCHES "(a+)+$"` for a long title of the letter a: the limit that was exceeded
  case matchLimit(MatchExcess)
  /// `"1935-13-01"`, compared with a date
  case badDate(DateProblem)
}

/// Conversions to Swift types; nil if the value has another type.
///
///     try ExpressionTree(parsing: "price * 2").evaluate(["price": 3]).intValue   // 6
extension Value {
  /// The Boolean, also for the numbers 1 and 0.
  public var boolValue: Bool? {
    switch self {
    case .boolean(let x): x
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  /// The number, if it has no fraction and fits into 64 bits.
  public var intValue: Int? {
    guard let number = try? wholeNumber() else { return nil }
    return Int(exactly: number)
  }

  /// The number, rounded to a double if necessary.
  public var doubleValue: Double? { approximateNumber }

  /// The number with all its digits, up to the 38 of a decimal.
  public var decimalValue: Decimal? {
    switch self {
    case .decimal(let x): x
    case .integer(let x): Decimal(x)
    case .double(let x): Decimal(digitsOf: x)
    default: nil
    }
  }

  /// The text of a string or a URI. Constant time.
  public var stringValue: String? {
    switch self {
    case .string(let x), .uri(let x): x
    default: nil
    }
  }

  /// The date.
  public var dateValue: Date? { if case .date(let x) = self { x.date } else { nil } }

  /// The UUID.
  public var uuidValue: UUID? { if case .uuid(let x) = self { x } else { nil } }

  /// The URI as a URL. Linear in the text.
  public var urlValue: URL? { if case .uri(let x) = self { URL(string: x) } else { nil } }

  /// The binary data. Linear in it.
  public var dataValue: Data? { if case .binary(let x) = self { Data(x) } else { nil } }

  /// The elements of a list or a set. Constant time.
  public var arrayValue: [Value]? {
    switch self {
    case .list(let x): x
    case .set(let x): x.elements
    default: nil
    }
  }

  /// The keys and values. Constant time; for an object that is a Swift dictionary, n log n in its
  /// keys.
  public var dictionaryValue: ValueDictionary? {
    switch self {
    case .dictionary(let x): x
    case .object(let x): x.content
    default: nil
    }
  }

  /// Returns the object, if it has the type.
  ///
  ///     value.object(as: Person.self)?.name
  ///
  /// Constant time.
  public func object<Object>(as type: Object.Type = Object.self) -> Object? {
    switch self {
    case .object(let x): x.base as? Object
    case .dictionary(let x): x.object as? Object
    default: nil
    }
  }

  /// Decodes the value as a `Decodable` type.
  ///
  ///     try value.decoded(as: [Book].self)
  ///
  /// Linear in the value. Throws a `DecodingError` with the path to the problem.
  public func decoded<Result: Decodable>(as type: Result.Type = Result.self) throws -> Result {
    try ValueDecoder().decode(type, from: self)
  }

  /// The identity of the object; nil for other values.
  package var objectID: ObjectID? { if case .object(let x) = self { x.id } else { nil } }

  /// Calls the body with each object in the value, in order.
  package func forEachObject(_ body: (ObjectReference) -> Void) {
    if case .object(let reference) = self { return body(reference) }
    for element in elements ?? [] { element.forEachObject(body) }
  }

  /// Returns the value with its objects replaced.
  package func mapObjects(_ body: (ObjectReference) -> Value) -> Value {
    switch self {
    case .object(let reference): body(reference)
    case .list(let values): .list(values.map { $0.mapObjects(body) })
    case .set(let set): .set(ValueSet(distinct: set.elements.map { $0.mapObjects(body) }))
    case .dictionary(let dictionary): .dictionary(dictionary.mapValues { $0.mapObjects(body) })
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary: self
    }
  }

  /// The identities of the objects in the value. Linear in the value.
  public var objectIDs: [ObjectID] {
    var ids: [ObjectID] = []
    forEachObject { if let id = $0.id { ids.append(id) } }
    return ids
  }

  /// Whether the value is or contains an object.
  package var holdsObjects: Bool {
    switch self {
    case .object: true
    default: elements?.contains(where: \.holdsObjects) ?? false
    }
  }
}

extension Value: Hashable {
  /// Returns whether the values are equal as by `==` in a predicate: numbers by value, strings by
  /// Unicode scalars.
  ///
  /// A number never equals a string, and a list never equals a set. Linear in the values.
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

  /// Hashes the value. Equal values such as `1`, `1.0` and `YES` have equal hashes. Linear in the
  /// value.
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

  /// Hashes the value as a double; all NaN are equal.
  private func hashNumber(into hasher: inout Hasher) {
    let number = approximateNumber ?? .nan
    hasher.combine(number.isNaN ? .nan : number)
  }

  // Swift's == and hash treat canonically equivalent strings as equal; a predicate does not.
  private static func sameScalars(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && Bytes.compare(a, b) == .same
  }

  private static func hashScalars(_ text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// The order of two values.
package enum ValueOrder: Int, Sendable, Hashable {
  /// The first comes before the second.
  case before = -1
  /// Neither comes before the other.
  case same = 0
  /// The first comes after the second.
  case after = 1
}

extension ValueOrder {
  /// Creates the order of two comparable values.
  package init<T: Comparable>(_ a: T, _ b: T) {
    self = a < b ? .before : b < a ? .after : .same
  }

  /// The order with the operands swapped.
  package var reversed: ValueOrder {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}

extension Value {
  /// Returns the order of two values as by `<` in a predicate.
  ///
  ///     try Value.order(.integer(2), .double(2.5))   // .before
  ///
  /// Numbers are compared by value across kinds, Booleans as 0 and 1, dates by time, strings and
  /// URIs by Unicode scalars, and UUIDs by their bytes. Throws `ValueError.unordered` for anything else, including null.
  package static func order(_ a: Value, _ b: Value) throws(ValueError) -> ValueOrder {
    switch (a, b) {
    case (.integer(let x), .integer(let y)): return ValueOrder(x, y)
    case (.string(let x), .string(let y)): return Bytes.compare(x, y)
    case (.date(let x), .date(let y)): return ValueOrder(x, y)
    case (.uri(let x), .uri(let y)): return Bytes.compare(x, y)
    case (.uuid(let x), .uuid(let y)): return Bytes.compare(x, y)
    default:
      if let order = compareNumbers(a, b) { return order }
      throw .unordered(a.kind, b.kind)
    }
  }

  /// Returns a total order of all values, for sorting values of different kinds.
  ///
  /// Values are ordered by kind first: null, numbers, strings, dates, then kinds that have no order
  /// in a predicate.
  package static func sortOrder(_ a: Value, _ b: Value) -> ValueOrder {
    if let order = try? order(a, b) { return order }
    switch (a, b) {
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

/// The order of a file browser: numbers in texts by value, without regard to case and width.
///
///     NaturalOrder.compare("Note 9", "note 10", [], Locale(identifier: "en"))   // .before
///
/// It is the order of Foundation's `localizedStandardCompare(_:)`, with an explicit locale.
package enum NaturalOrder {
  /// Compares two strings; only identical scalars are `.same`.
  ///
  /// Under `[d]` marks are compared last, like case; other options have no effect.
  package static func compare(
    _ a: String, _ b: String, _ options: TextOptions, _ locale: Locale
  ) -> ValueOrder {
    let order = a.compare(b, options: Self.options(options), range: nil, locale: locale)
    let result = ValueOrder(rawValue: order.rawValue) ?? .same
    return result == .same ? Bytes.compare(a, b) : result
  }

  /// Returns the options for Foundation.
  package static func options(_ options: TextOptions) -> String.CompareOptions {
    let marks: String.CompareOptions =
      options.contains(.diacriticInsensitive) ? .diacriticInsensitive : []
    return marks.union([.numeric, .caseInsensitive, .widthInsensitive, .forcedOrdering])
  }
}

/// The maximum sizes of a computed value.
package enum ValueLimit {
  /// The maximum size of a text, or of nested lists, in bytes.
  package static let bytes = 64 << 20
  /// The maximum number of elements of a list of lists.
  package static let elements = 16_000_000
  /// The maximum number of nested lists.
  package static let levels = 256
}

/// The limit that a value exceeds.
package enum ValueExcess: Sendable, Hashable {
  case bytes(Int)
  case elements(Int)
  case levels(Int)
}

extension Value {
  /// The limit that a nested collection exceeds; nil if it exceeds none.
  ///
  /// A list that contains another twice shares its memory, but doubles the written text. Elements
  /// are therefore counted as often as they would be written. Linear, up to the limit.
  package var excess: ValueExcess? {
    var scale = ValueScale()
    scale.add(self, level: 1)
    return scale.excess
  }
}

/// Sums up the size of a value.
private struct ValueScale {
  private var bytes = 0
  private(set) var excess: ValueExcess?

  mutating func add(_ value: Value, level: Int) {
    guard excess == nil else { return }
    bytes += value.ownWeight
    if bytes > ValueLimit.bytes { excess = .bytes(ValueLimit.bytes) }
    if level > ValueLimit.levels { excess = .levels(ValueLimit.levels) }
    switch value {
    case .list(let elements): add(elements, level)
    case .set(let set): add(set.elements, level)
    case .dictionary(let dictionary): add(dictionary.values, level)
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .object:
      break
    }
  }

  private mutating func add(_ elements: [Value], _ level: Int) {
    for element in elements where excess == nil { add(element, level: level + 1) }
  }
}

extension Value {
  /// The approximate size of its text.
  private var ownBytes: Int {
    switch self {
    case .string(let text), .uri(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    default: 0
    }
  }

  fileprivate var ownWeight: Int { 64 + ownBytes }
}
