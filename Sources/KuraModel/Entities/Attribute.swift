import Foundation
import KuraDiagnostics
public import KuraPredicates
public import KuraValues

/// A value that every object of an entity has.
public struct Attribute: Sendable, Hashable {
  /// The name, such as `title`.
  public var name: String
  /// The type, such as `string`.
  public var type: AttributeType
  /// Whether the value can be null, as in `date?`.
  public var isOptional: Bool
  /// Whether the value is never saved: `transient`.
  public var isTransient: Bool
  /// Rules that most attributes do not have, stored separately because a model can have hundreds of
  /// thousands of attributes.
  private var rules: AttributeRules?

  /// Creates an attribute.
  public init(
    name: String, type: AttributeType, isOptional: Bool = false, defaultValue: Value? = nil,
    defaultExpression: ExpressionTree? = nil, minimum: Value? = nil, maximum: Value? = nil,
    pattern: String? = nil,
    check: PredicateTree? = nil, derivation: ExpressionTree? = nil, isTransient: Bool = false,
    userInfo: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    ruleValues = AttributeRules.Values(
      defaultValue: defaultValue, defaultExpression: defaultExpression, minimum: minimum,
      maximum: maximum, pattern: pattern, check: check, derivation: derivation, userInfo: userInfo)
  }
}

extension Attribute {
  /// The default of a new object, as in `= NO`.
  public var defaultValue: Value? {
    get { rules?.values.defaultValue }
    set { ruleValues.defaultValue = newValue }
  }

  /// The expression that computes the default of each new object, as in `= now()`.
  public var defaultExpression: ExpressionTree? {
    get { rules?.values.defaultExpression }
    set { ruleValues.defaultExpression = newValue }
  }

  /// The minimum number or date, or the minimum length of a string in UTF-16 units, as in `min 0`.
  public var minimum: Value? {
    get { rules?.values.minimum }
    set { ruleValues.minimum = newValue }
  }

  /// The maximum number or date, or the maximum length of a string in UTF-16 units, as in `max 5`.
  public var maximum: Value? {
    get { rules?.values.maximum }
    set { ruleValues.maximum = newValue }
  }

  /// The regular expression that a string must match, as in `matches "[0-9]+"`.
  public var pattern: String? {
    get { rules?.values.pattern }
    set { ruleValues.pattern = newValue }
  }

  /// The predicate that an object must match, as in `check (length(title) < 20)`.
  public var check: PredicateTree? {
    get { rules?.values.check }
    set { ruleValues.check = newValue }
  }

  /// The expression of a derived attribute, as in `derived (items.@count)`.
  public var derivation: ExpressionTree? {
    get { rules?.values.derivation }
    set { ruleValues.derivation = newValue }
  }

  /// Arbitrary data that is stored but not interpreted: the JSON text of an object.
  public var userInfo: String? {
    get { rules?.values.userInfo }
    set { ruleValues.userInfo = newValue }
  }

  private var ruleValues: AttributeRules.Values {
    get { rules?.values ?? AttributeRules.Values() }
    set { rules = newValue == AttributeRules.Values() ? nil : AttributeRules(newValue) }
  }
}

/// Rules that few attributes have, in one heap object.
private final class AttributeRules: Sendable, Hashable {
  struct Values: Sendable, Hashable {
    var defaultValue: Value?
    var defaultExpression: ExpressionTree?
    var minimum: Value?
    var maximum: Value?
    var pattern: String?
    var check: PredicateTree?
    var derivation: ExpressionTree?
    var userInfo: String?
  }

  let values: Values

  init(_ values: Values) { self.values = values }

  static func == (a: AttributeRules, b: AttributeRules) -> Bool { a.values == b.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension Attribute {
  package var hasDefault: Bool { defaultValue != nil || defaultExpression != nil }

  /// Returns the default of a new object; nil if there is none.
  ///
  /// An expression is computed at each call, so that two objects have different moments or UUIDs.
  package func newValue(in context: EvaluationContext) throws(DefaultFailure) -> Value? {
    guard let tree = defaultExpression else { return defaultValue }
    let value: Value
    do { value = try tree.evaluate(on: .null, in: context) } catch {
      throw .failed(error.facts.sentence)
    }
    if value.isNull || type.holds(value) { return value.isNull ? nil : value }
    do throws(ValueMismatch) {
      if case .decimal(let number) = value, type.isNumeric {
        return try type.value(ofDigits: number.description)
      }
      return try type.value(of: Constant(value), in: context.zone)
    } catch { throw .mismatch(error) }
  }
}

/// A reason why a default has no value.
package enum DefaultFailure: Error, Sendable, Hashable {
  /// `= 1 / 0`
  case failed(String)
  /// `created: date = random()`
  case mismatch(ValueMismatch)

  package var sentence: String {
    switch self {
    case .failed(let sentence): sentence
    case .mismatch(let mismatch): mismatch.sentence
    }
  }
}

extension ExpressionTree {
  /// The first part of a default that needs an object: a key, a variable or a fetch.
  var partOfAnObject: ExpressionTree? {
    first { tree in
      switch tree.kind {
      case .keyPath(let path): return path.base == nil
      case .evaluatedObject, .variable, .fetch, .anyKey, .objectOrQuotient: return true
      case .constant, .function, .message, .index, .indexAfterDot, .aggregate, .subquery, .mapped,
        .ternary, .setOperation, .assignment, .predicate:
        return false
      }
    }
  }
}

/// The type of an attribute. The raw value is its name in a model.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// A 64-bit integer
  case integer
  /// An integer from -32,768 to 32,767
  case integer16
  /// An integer from -2,147,483,648 to 2,147,483,647
  case integer32
  /// A 64-bit IEEE 754 number
  case double
  /// A 32-bit IEEE 754 number
  case float
  /// A decimal number with 38 digits
  case decimal
  /// Unicode text
  case string
  /// YES or NO
  case boolean
  /// A date in microseconds, in the years 1 to 9999
  case date
  /// A UUID of 128 bits
  case uuid
  /// The text of a URI
  case uri
  /// Bytes
  case binary
  /// Any JSON value
  case json
}

extension AttributeType {
  /// Whether a literal of the type can be a string, like `"1935-06-11"` for a date.
  package var readsStrings: Bool {
    switch self {
    case .string, .date, .uuid, .uri, .binary, .decimal: true
    case .integer, .integer16, .integer32, .double, .float, .boolean, .json: false
    }
  }

  /// Whether `min` and `max` apply: to the value, or to the length of a string.
  package var hasBounds: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal, .date, .string: true
    case .boolean, .uuid, .uri, .binary, .json: false
    }
  }

  /// The type of `min` and `max`: an integer for the length of a string.
  package var boundType: AttributeType { self == .string ? .integer : self }

  /// Whether the values are numbers.
  package var isNumeric: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal: true
    case .boolean, .string, .date, .uuid, .uri, .binary, .json: false
    }
  }

  /// The range of an integer type; nil for other types.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer: .min ... .max
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .double, .float, .decimal, .string, .boolean, .date, .uuid, .uri, .binary, .json: nil
    }
  }
}
