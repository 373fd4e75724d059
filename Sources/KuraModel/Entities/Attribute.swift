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
  /// `= NO`: what an object has that was given nothing.
  public var defaultValue: Value?
  /// `= now()`: the same, computed once for each object when it is inserted.
  public var defaultExpression: ExpressionTree?
  /// `min 0`: a number, a date, or the least length of a string in UTF-16 units.
  public var minimum: Value?
  /// `max 5`
  public var maximum: Value?
  /// `matches "[0-9]+"`
  public var pattern: String?
  /// `check (length(title) < 20)`
  public var check: PredicateTree?
  /// `derived (items.@count)`
  public var derivation: ExpressionTree?
  /// `transient`: never written.
  public var isTransient: Bool
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?

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
    self.defaultValue = defaultValue
    self.defaultExpression = defaultExpression
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.check = check
    self.derivation = derivation
    self.isTransient = isTransient
    self.userInfo = userInfo
  }
}
