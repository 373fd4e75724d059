import Foundation
package import KuraPredicates
package import KuraValues

extension AttributeType {
  /// Reads a literal of a statement or predicate as this type.
  ///
  ///     price: decimal = 0.1         // exactly: the literal kept its digits
  ///     due: date = "1935-06-11"     // midnight in the zone
  ///     done: boolean = 1            // YES; 0 is NO
  ///
  /// Null is null for each type.
  package func value(
    of constant: Constant, in zone: ZoneRules, from source: TextSource = .person(now: nil)
  ) throws(ValueMismatch) -> Value {
    switch (self, constant.value) {
    case (_, .null), (.boolean, .boolean): return constant.value
    case (.boolean, .integer(let x)) where x == 0 || x == 1: return .boolean(x == 1)
    case (.json, let value):
      if let number = value.endlessNumber { throw .outOfRange(self, digits: "\(number)") }
      return value
    case (_, .integer(let x)) where isNumeric:
      return try value(ofDigits: constant.digits ?? "\(x)")
    case (_, .double(let x)) where isNumeric:
      return try value(ofDigits: constant.digits ?? NumberText.digits(of: x))
    case (_, .string(let text)) where readsStrings:
      return try value(ofText: text, in: zone, from: source)
    case (_, let value):
      if holds(value) { return value }
      if let found = value.writtenAsString { throw .typed(self, found: found) }
      throw .kind(self, found: value.jsonKind)
    }
  }
}

extension AttributeType {
  /// Whether a value is one of this type, without being read as one; null is of none.
  package func holds(_ value: Value) -> Bool {
    switch (self, value) {
    case (.integer, .integer(let x)), (.integer16, .integer(let x)), (.integer32, .integer(let x)):
      integerRange?.contains(x) == true
    case (.double, .double(let x)): x.isFinite
    case (.float, .double(let x)): x.isFinite && Double(Float(x)) == x
    case (.decimal, .decimal(let x)): NumberText.decimal(NumberText.text(x)) != nil
    case (.date, .date(let x)): x.isInRange
    case (.string, .string), (.boolean, .boolean), (.uuid, .uuid), (.uri, .uri),
      (.binary, .binary):
      true
    case (.json, _): value.isJSON
    case (.integer, _), (.integer16, _), (.integer32, _), (.double, _), (.float, _),
      (.decimal, _), (.string, _), (.boolean, _), (.date, _), (.uuid, _), (.uri, _), (.binary, _):
      false
    }
  }
}

extension Value {
  /// Whether JSON has such a value, and what it holds is of that kind too.
  package var isJSON: Bool {
    switch self {
    case .null, .boolean, .integer, .string: true
    case .decimal(let x): NumberText.decimal(NumberText.text(x)) != nil
    case .double(let x): x.isFinite
    case .list(let x): x.allSatisfy(\.isJSON)
    case .dictionary(let x): x.values.allSatisfy(\.isJSON)
    case .date, .uuid, .uri, .binary, .set, .object: false
    }
  }

  /// A number in it that has no digits: infinity, or none at all.
  fileprivate var endlessNumber: Double? {
    switch self {
    case .double(let x): x.isFinite ? nil : x
    case .decimal(let x): x.isNaN ? .nan : nil
    case .list(let x): x.lazy.compactMap(\.endlessNumber).first
    case .set(let x): x.elements.lazy.compactMap(\.endlessNumber).first
    case .dictionary(let x): x.values.lazy.compactMap(\.endlessNumber).first
    case .null, .boolean, .integer, .string, .date, .uuid, .uri, .binary, .object: nil
    }
  }

  /// The type of a value that JSON has no kind for.
  fileprivate var writtenAsString: AttributeType? {
    switch self {
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .null, .boolean, .integer, .double, .decimal, .string, .list, .set, .dictionary, .object:
      nil
    }
  }

  /// The kind of JSON value as which it would be written.
  package var jsonKind: JSONKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .double, .decimal, .object: .number
    case .string, .date, .uuid, .uri, .binary: .string
    case .list, .set: .array
    case .dictionary: .object
    }
  }
}
