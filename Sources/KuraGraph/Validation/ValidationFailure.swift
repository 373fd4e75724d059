public import KuraValues

/// A rule of the model that an object breaks.
///
///     do { try context.save() } catch StoreError.invalid(let failures) {
///       failures[0].description   // Item/3: "title" has no value, and is not optional (1570)
///     }
public struct ValidationFailure: Error, Sendable {
  /// The rules, with the numbers of Core Data's errors.
  public enum Rule: Int, Sendable, CaseIterable {
    /// `check (…)` is not true.
    case check = 1550
    /// Another object has the same values of unique keys.
    case unique = 1551
    /// A mandatory attribute or to-one relationship is null.
    case missing = 1570
    /// A to-many relationship has fewer objects than `min`.
    case tooFew = 1580
    /// A to-many relationship has more objects than `max`.
    case tooMany = 1590
    /// An object was deleted although a relationship with `delete deny` was not empty.
    case deniedDelete = 1600
    /// A number above `max`.
    case numberTooLarge = 1610
    /// A number below `min`.
    case numberTooSmall = 1620
    /// A date after `max`.
    case dateTooLate = 1630
    /// A date before `min`.
    case dateTooSoon = 1640
    /// A string longer than `max`.
    case stringTooLong = 1660
    /// A string shorter than `min`.
    case stringTooShort = 1670
    /// `matches "…"` does not match.
    case pattern = 1680
    /// A relationship leads to an object that was deleted under `delete none`.
    case dangling = 133_000
  }

  /// The object that breaks the rule.
  public var object: ObjectID
  /// The key, such as `title`, or `title, parentCategory` for a combined unique key.
  public var key: String
  /// The rule.
  public var rule: Rule
  /// The present value.
  public var value: Value
  /// The requirement of the rule: a bound, a pattern, or the conflicting object.
  public var wanted: String
  /// The reason why the rule could not be evaluated, so that it is neither met nor broken; nil if it was evaluated.
  public var problem: String?

  /// The conflicting object, if there is one.
  package var other: ObjectID?

  package init(
    object: ObjectID, key: String, rule: Rule, value: Value, wanted: String, problem: String? = nil,
    other: ObjectID? = nil
  ) {
    self.other = other
    self.problem = problem
    self.object = object
    self.key = key
    self.rule = rule
    self.value = value
    self.wanted = wanted
  }
}
