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
    /// Another object has the same values of keys that are unique together.
    case unique = 1551
    /// A mandatory attribute or to-one without a value.
    case missing = 1570
    /// A to-many with fewer objects than `min`.
    case tooFew = 1580
    /// A to-many with more objects than `max`.
    case tooMany = 1590
    /// An object was deleted while a relationship with `delete deny` had objects.
    case deniedDelete = 1600
    /// A number above `max`.
    case numberTooLarge = 1610
    /// A number below `min`.
    case numberTooSmall = 1620
    /// A date behind `max`.
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

  /// Whose rule it is.
  public var object: ObjectID
  /// `title`; `title, parentCategory` for keys that are unique together.
  public var key: String
  /// Which rule.
  public var rule: Rule
  /// What stands there.
  public var value: Value
  /// What the rule wants: a bound, a pattern, the object that is in the way.
  public var wanted: String
  /// Why the rule could not be asked, where that is so: it is neither kept nor broken.
  public var problem: String?

  /// The object that is in the way, where there is one.
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
