public import Foundation
import KuraSentences

/// A value that a predicate reads, compares and computes with.
///
///     Value.integer(3) == .double(3)          // true: numbers are equal by value
///     Value.string("が") == .string("か\u{3099}")  // false: other Unicode scalars
public enum Value: Sendable {
  /// `NULL`, also a missing key.
  case null
  /// `YES`, `NO`
  case boolean(Bool)
  /// `3`, `-2`, `0x1F`
  case integer(Int64)
  /// `2.5`, `1e9`
  case double(Double)
  /// `0.1` against a decimal attribute
  case decimal(Decimal)
  /// `"誕生"`
  case string(String)
  /// `"1935-06-11"` against a date attribute
  case date(Timestamp)
  /// `"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"` against a uuid attribute
  case uuid(UUID)
  /// `"https://example.com"` against a uri attribute
  case uri(String)
  /// base64 text against a binary attribute
  case binary([UInt8])
  /// `{1, 2, 3}`
  case list([Value])
  /// `{1, 2} UNION {3}`, the objects of an unordered to-many relationship
  case set(ValueSet)
  /// `{"city": "Kobe"}` in JSON
  case dictionary(ValueDictionary)
  /// `MemoDate/17`
  case object(ObjectReference)
}

extension Value {
  /// What kind of value something is, as messages name it.
  package enum Kind: String, Sendable, Hashable {
    case null, boolean, integer, double, decimal, string, date, uuid, uri, binary
    case list, set, dictionary, object
  }

  /// `.integer` for `3`
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

  /// Whether there is nothing.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The elements of a list, a set or a dictionary's values; nil for what is no collection.
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
  /// The place of the kind where values of several kinds are sorted.
  var rank: Int {
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

  /// `a string`, `an integer`: the kind in a sentence.
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
  /// `3`
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Value: ExpressibleByFloatLiteral {
  /// `2.5`
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByBooleanLiteral {
  /// `true`
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension Value: ExpressibleByStringLiteral {
  /// `"誕生"`
  public init(stringLiteral value: String) { self = .string(value) }
}

extension Value: ExpressibleByNilLiteral {
  /// `nil`
  public init(nilLiteral: ()) { self = .null }
}

extension Value: ExpressibleByArrayLiteral {
  /// `[1, 2, 3]`, a list
  public init(arrayLiteral values: Value...) { self = .list(values) }
}

extension Value: ExpressibleByDictionaryLiteral {
  /// `["city": "Kobe"]`; of a key that comes twice the last value counts. Linear in the pairs.
  public init(dictionaryLiteral pairs: (String, Value)...) {
    self = .dictionary(ValueDictionary(pairs))
  }
}

/// Why values could not be compared, read or computed with, as facts; the sentences are elsewhere.
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
  /// `title MATCHES "a("`: what is wrong, and the offset of the character where it is known
  case badPattern(reason: String, offset: Int?)
  /// `title MATCHES "(a+)+$"` for a long title of a: the limit that was hit
  case matchLimit(MatchExcess)
  /// `"1935-13-01"` against a date
  case badDate(DateProblem)
}
