import Foundation
import KuraDiagnostics
package import KuraJSON
package import KuraPredicates
package import KuraValues

extension AttributeType {
  /// Reads a literal of a statement or predicate as this type.
  ///
  ///     price: decimal = 0.1         // exactly: the literal kept its digits
  ///     due: date = "1935-06-11"     // midnight in the zone
  ///     done: boolean = 1            // YES; 0 is NO
  ///
  /// Null is null for every type.
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

  /// Returns whether a value is of this type without conversion; false for null.
  package func holds(_ value: Value) -> Bool {
    switch (self, value) {
    case (.integer, .integer(let x)), (.integer16, .integer(let x)), (.integer32, .integer(let x)):
      integerRange?.contains(x) == true
    case (.double, .double(let x)): x.isFinite
    case (.float, .double(let x)): x.isFinite && Double(Float(x)) == x
    case (.decimal, .decimal(let x)): NumberText.isWritable(x)
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
  /// Whether JSON can represent the value, including its elements.
  package var isJSON: Bool {
    switch self {
    case .null, .boolean, .integer, .string: true
    case .decimal(let x): NumberText.isWritable(x)
    case .double(let x): x.isFinite
    case .list(let x): x.allSatisfy(\.isJSON)
    case .dictionary(let x): x.values.allSatisfy(\.isJSON)
    case .date, .uuid, .uri, .binary, .set, .object: false
    }
  }

  /// The first number in the value that JSON cannot represent: infinity or NaN.
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

  /// The attribute type of a value without a JSON kind.
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

  /// The kind of JSON value that it would be written as.
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

/// The origin of a text that is read as a value.
package enum TextSource: Sendable, Hashable {
  /// A program: dates have the forms of a document.
  case document
  /// A person: dates can be in free notation. At `now`, words such as `today` mean a day; if it is nil, they mean none.
  case person(now: Timestamp?)
}

extension AttributeType {
  /// Reads a JSON value as this type; `null` is null for every type.
  ///
  ///     try AttributeType.date.value(of: node, in: zone)   // "1935-06-11": midnight in the zone
  ///     try AttributeType.decimal.value(of: node, in: zone)   // 0.1 or "0.1": by its digits
  package func value(
    of node: JSONNode, in zone: ZoneRules, from source: TextSource = .document
  ) throws(ValueMismatch) -> Value {
    switch (self, node.kind) {
    case (.json, _): return try Value(json: node)
    case (_, .null): return .null
    case (.boolean, .boolean(let value)): return .boolean(value)
    case (_, .number(let digits)) where isNumeric: return try value(ofDigits: digits)
    case (_, .string(let text)) where readsStrings:
      return try value(ofText: text, in: zone, from: source)
    default: throw .kind(self, found: node.jsonKind)
    }
  }

  /// Reads a text as this type: a string literal, a cell of a CSV file, or an argument.
  ///
  ///     try AttributeType.integer16.value(ofText: "70000", in: zone)   // ValueMismatch.outOfRange
  ///     try AttributeType.boolean.value(ofText: "yes", in: zone)       // true
  ///
  /// `readsStrings` determines whether a string is allowed for the type.
  package func value(
    ofText text: String, in zone: ZoneRules, from source: TextSource = .document
  ) throws(ValueMismatch) -> Value {
    switch self {
    case .string: .string(text)
    case .integer, .integer16, .integer32, .double, .float, .decimal: try number(in: text)
    case .boolean: try some(Bool(word: text).map(Value.boolean), text)
    case .date: try date(text, in: zone, from: source)
    case .uuid: try some(Value(uuidText: text), text)
    case .uri: try some(Value(uriText: text), text)
    case .binary: try some(Value(base64: text), text)
    case .json: try json(text)
    }
  }

  private func date(
    _ text: String, in zone: ZoneRules, from source: TextSource
  ) throws(ValueMismatch) -> Value {
    do {
      switch source {
      case .document: return .date(try Timestamp(text, in: zone))
      case .person(let now): return .date(try Timestamp(written: text, in: zone, now: now))
      }
    } catch {
      throw .date(error, text: text)
    }
  }

  private func json(_ text: String) throws(ValueMismatch) -> Value {
    guard let node = try? JSONNode(reading: Array(text.utf8)) else {
      throw .unreadable(self, text: text)
    }
    return try Value(json: node)
  }

  private func some(_ value: Value?, _ text: String) throws(ValueMismatch) -> Value {
    guard let value else { throw .unreadable(self, text: text) }
    return value
  }

  private func number(in text: String) throws(ValueMismatch) -> Value {
    guard NumberText.number(text) != nil || NumberText.decimal(text) != nil else {
      throw .unreadable(self, text: text)
    }
    return try value(ofDigits: text)
  }
}

extension Bool {
  /// Creates a Boolean from `YES`, `TRUE`, `NO`, `FALSE` in any case, `1` or `0`.
  fileprivate init?(word: String) {
    switch word.lowercased() {
    case "yes", "true", "1": self = true
    case "no", "false", "0": self = false
    default: return nil
    }
  }
}

extension AttributeType {
  /// Reads a number as written, as this numeric type.
  ///
  ///     try AttributeType.decimal.value(ofDigits: "0.10")    // 0.1, exactly
  ///     try AttributeType.integer.value(ofDigits: "2.5")     // ValueMismatch.fraction
  package func value(ofDigits digits: String) throws(ValueMismatch) -> Value {
    switch self {
    case .integer, .integer16, .integer32: try integer(digits)
    case .double: try double(Double(digits), digits)
    case .float: try double(Float(digits), digits)
    case .decimal: try decimal(digits)
    case .string, .boolean, .date, .uuid, .uri, .binary, .json: throw .kind(self, found: .number)
    }
  }

  /// Reads an integer. `3.0` and `1e3` are valid, because programs with only doubles write them.
  private func integer(_ digits: String) throws(ValueMismatch) -> Value {
    let decimal = NumberText.decimal(digits)
    guard let value = Int64(digits) ?? decimal?.exactInteger else {
      let hasFraction = (decimal?.exponent ?? 0) < 0
      throw hasFraction ? .fraction(self, digits: digits) : .outOfRange(self, digits: digits)
    }
    guard integerRange?.contains(value) == true else { throw .outOfRange(self, digits: digits) }
    return .integer(value)
  }

  /// Returns a number that was read from digits. A float is rounded to the nearest, so that stored and compared values
  /// are equal.
  private func double<Number: BinaryFloatingPoint>(
    _ value: Number?, _ digits: String
  ) throws(ValueMismatch) -> Value {
    guard let value, value.isFinite, value != 0 || !NumberText.isNonzero(digits) else {
      throw .outOfRange(self, digits: digits)
    }
    return .double(Double(value))
  }

  private func decimal(_ digits: String) throws(ValueMismatch) -> Value {
    guard let value = NumberText.decimal(digits) else { throw .outOfRange(self, digits: digits) }
    return .decimal(value)
  }
}

/// A reason why a text or a JSON value does not have an attribute's type.
package enum ValueMismatch: Error, Sendable, Hashable, DiagnosticFacts {
  /// `true` for a date
  case kind(AttributeType, found: JSONKind)
  /// A date for a string
  case typed(AttributeType, found: AttributeType)
  /// `70000` for an integer16, `1e999` for a double, 40 digits for a decimal
  case outOfRange(AttributeType, digits: String)
  /// `2.5` for an integer
  case fraction(AttributeType, digits: String)
  /// `"1935-13-01"` for a date
  case date(DateProblem, text: String)
  /// `"x"` for a uuid
  case unreadable(AttributeType, text: String)
}

/// The kinds of JSON value, for messages.
package enum JSONKind: Sendable, Hashable {
  /// `null`
  case null
  /// `true`
  case boolean
  /// `3`
  case number
  /// `"x"`
  case string
  /// `[]`
  case array
  /// `{}`
  case object
}

extension AttributeType {
  /// Returns a value of this type in document form.
  ///
  ///     AttributeType.date.node(midnight, in: zone)      // "1935-06-11"
  ///     AttributeType.decimal.node(.decimal(price), in: zone)   // "0.1"
  ///     AttributeType.float.node(.double(0.1), in: zone)  // 0.1, the shortest that a float needs
  package func node(_ value: Value, in zone: ZoneRules) -> JSONNode {
    guard self == .float, case .double(let number) = value else { return JSONNode(value, in: zone) }
    return JSONNode(.number(Float(number).description))
  }

  /// Returns a value of this type as a literal of a statement.
  ///
  ///     AttributeType.boolean.literal(.boolean(true), in: zone)   // YES
  ///     AttributeType.json.literal(.list([1, .null]), in: zone)   // {1, NULL}
  ///
  /// A JSON object is written as JSON, because the predicate language has no literal for it.
  package func literal(_ value: Value, in zone: ZoneRules) -> String {
    switch value {
    case .null: "NULL"
    case .boolean(let x): x ? "YES" : "NO"
    case .double(let x): self == .float ? Float(x).description : x.description
    case .integer(let x): "\(x)"
    case .decimal(let x): x.description
    case .list(let x): "{\(x.map { literal($0, in: zone) }.joined(separator: ", "))}"
    case .set(let x): "{\(x.elements.map { literal($0, in: zone) }.joined(separator: ", "))}"
    case .string(let x), .uri(let x): StatementText.string(x)
    case .date(let x): StatementText.string(x.documentText(in: zone))
    case .uuid(let x): StatementText.string(x.uuidString)
    case .binary(let x): StatementText.string(Data(x).base64EncodedString())
    case .dictionary: JSONNode(value, in: zone).text
    case .object(let x): x.id?.description ?? "NULL"
    }
  }
}

extension Timestamp {
  /// Returns `1935-06-11` for midnight in the zone, RFC 3339 for any other moment.
  package func documentText(in zone: ZoneRules) -> String {
    text(isMidnight(in: zone) ? .day : .rfc3339, in: zone)
  }
}

extension Value {
  /// Creates a UUID from its text, in either case.
  init?(uuidText text: String) {
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self = .uuid(uuid)
  }

  /// Creates a URI, or an IRI (RFC 3987), from a text without blanks and control characters.
  init?(uriText text: String) {
    let isURI = text.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
    }
    guard isURI, !text.isEmpty else { return nil }
    self = .uri(text)
  }

  /// Creates data from canonical base64: with padding of zero bits (RFC 4648).
  package init?(base64 text: String) {
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
      return nil
    }
    self = .binary(Array(data))
  }
}
