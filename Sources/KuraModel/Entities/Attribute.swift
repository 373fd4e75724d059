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
