import Foundation
import KuraDiagnostics
package import KuraJSON
package import KuraValues

/// Who wrote a text that is read as a value.
package enum TextSource: Sendable, Hashable {
  /// A program: dates have the forms of a document.
  case document
  /// A person, in a statement or elsewhere: dates are as people write them. At this moment words such
  /// as `today` mean a day; nil: they mean none.
  case person(now: Timestamp?)
}

extension AttributeType {
  /// Reads a JSON value as this type; `null` is null for each of them.
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

  /// Reads a text as this type: a string literal, a cell of a CSV file, an argument.
  ///
  ///     try AttributeType.integer16.value(ofText: "70000", in: zone)   // ValueMismatch.outOfRange
  ///     try AttributeType.boolean.value(ofText: "yes", in: zone)       // true
  ///
  /// Whether a string may stand against the type at all is `readsStrings`.
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
  /// `YES`, `TRUE`, `NO`, `FALSE` in any case, `1` and `0`.
  fileprivate init?(word: String) {
    switch word.lowercased() {
    case "yes", "true", "1": self = true
    case "no", "false", "0": self = false
    default: return nil
    }
  }
}

extension AttributeType {
  /// Reads a number, as it was typed, as this type, which is numeric.
  ///
  ///     try AttributeType.decimal.value(ofDigits: "0.10")    // 0.1, exactly
  ///     try AttributeType.integer.value(ofDigits: "2.5")     // ValueMismatch.fraction
  package func value(ofDigits digits: String) throws(ValueMismatch) -> Value {
    switch self {
    case .integer, .integer16, .integer32: try integer(digits)
    case .double: try double(digits)
    case .float: try float(digits)
    case .decimal: try decimal(digits)
    case .string, .boolean, .date, .uuid, .uri, .binary, .json: throw .kind(self, found: .number)
    }
  }

  /// `3.0` and `1e3` are integers too: programs that know only doubles write them so.
  private func integer(_ digits: String) throws(ValueMismatch) -> Value {
    let decimal = NumberText.decimal(digits)
    guard let value = Int64(digits) ?? decimal?.exactInteger else {
      let hasFraction = (decimal?.exponent ?? 0) < 0
      throw hasFraction ? .fraction(self, digits: digits) : .outOfRange(self, digits: digits)
    }
    guard integerRange?.contains(value) == true else { throw .outOfRange(self, digits: digits) }
    return .integer(value)
  }

  private func double(_ digits: String) throws(ValueMismatch) -> Value {
    guard let value = Double(digits), value.isFinite,
      value != 0 || !NumberText.isNonzero(digits)
    else { throw .outOfRange(self, digits: digits) }
    return .double(value)
  }

  /// The value is the nearest float, so that what is kept equals what is compared.
  private func float(_ digits: String) throws(ValueMismatch) -> Value {
    guard let value = Float(digits), value.isFinite,
      value != 0 || !NumberText.isNonzero(digits)
    else { throw .outOfRange(self, digits: digits) }
    return .double(Double(value))
  }

  private func decimal(_ digits: String) throws(ValueMismatch) -> Value {
    guard let value = NumberText.decimal(digits) else { throw .outOfRange(self, digits: digits) }
    return .decimal(value)
  }
}

/// Why a text or a JSON value is none of an attribute's type.
package enum ValueMismatch: Error, Sendable, Hashable, DiagnosticFacts {
  /// `true` against a date
  case kind(AttributeType, found: JSONKind)
  /// A date against a string
  case typed(AttributeType, found: AttributeType)
  /// `70000` against an integer16, `1e999` against a double, 40 digits against a decimal
  case outOfRange(AttributeType, digits: String)
  /// `2.5` against an integer
  case fraction(AttributeType, digits: String)
  /// `"1935-13-01"` against a date
  case date(DateProblem, text: String)
  /// `"x"` against a uuid
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
