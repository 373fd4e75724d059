package import KuraValues

/// A rule of the model that an object breaks.
package struct ValidationFailure: Sendable {
  /// The rules, with the numbers of Core Data's errors.
  package enum Rule: Int, Sendable {
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
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    /// `matches "…"` does not match.
    case pattern = 1680
    /// A relationship leads to an object that was deleted under `delete none`.
    case dangling = 133_000
  }

  package var object: ObjectID
  /// `title`; `title, parentCategory` for keys that are unique together.
  package var key: String
  package var rule: Rule
  package var value: Value
  /// What the rule wants: a bound, a pattern, the object that is in the way.
  package var wanted: String
  /// Why the rule could not be asked, where that is so: it is neither kept nor broken.
  package var problem: String?

  package init(
    object: ObjectID, key: String, rule: Rule, value: Value, wanted: String, problem: String? = nil
  ) {
    self.problem = problem
    self.object = object
    self.key = key
    self.rule = rule
    self.value = value
    self.wanted = wanted
  }
}
