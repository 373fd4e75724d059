public import KuraPredicates
public import KuraValues

/// A value that every object of an entity has.
public struct Attribute: Sendable, Hashable {
  /// `title`
  public var name: String
  /// `string`
  public var type: AttributeType
  /// `date?`
  public var isOptional: Bool
  /// `transient`: never written.
  public var isTransient: Bool
  /// What most attributes have not: data of a hundred thousand keys has as many attributes.
  private var rules: AttributeRules?

  /// Makes an attribute.
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
    keptRules = AttributeRules.Values(
      defaultValue: defaultValue, defaultExpression: defaultExpression, minimum: minimum,
      maximum: maximum, pattern: pattern, check: check, derivation: derivation, userInfo: userInfo)
  }
}

extension Attribute {
  /// `= NO`: what an object has that was given nothing.
  public var defaultValue: Value? {
    get { rules?.values.defaultValue }
    set { keptRules.defaultValue = newValue }
  }

  /// `= now()`: the same, computed once for each object when it is inserted.
  public var defaultExpression: ExpressionTree? {
    get { rules?.values.defaultExpression }
    set { keptRules.defaultExpression = newValue }
  }

  /// `min 0`: a number, a date, or the least length of a string in UTF-16 units.
  public var minimum: Value? {
    get { rules?.values.minimum }
    set { keptRules.minimum = newValue }
  }

  /// `max 5`
  public var maximum: Value? {
    get { rules?.values.maximum }
    set { keptRules.maximum = newValue }
  }

  /// `matches "[0-9]+"`
  public var pattern: String? {
    get { rules?.values.pattern }
    set { keptRules.pattern = newValue }
  }

  /// `check (length(title) < 20)`
  public var check: PredicateTree? {
    get { rules?.values.check }
    set { keptRules.check = newValue }
  }

  /// `derived (items.@count)`
  public var derivation: ExpressionTree? {
    get { rules?.values.derivation }
    set { keptRules.derivation = newValue }
  }

  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String? {
    get { rules?.values.userInfo }
    set { keptRules.userInfo = newValue }
  }

  private var keptRules: AttributeRules.Values {
    get { rules?.values ?? AttributeRules.Values() }
    set { rules = newValue == AttributeRules.Values() ? nil : AttributeRules(newValue) }
  }
}

/// What few attributes have, in one place on the heap.
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
