import KuraDiagnostics
import KuraModel
import KuraPredicates
public import KuraValues

/// Evaluates the rules of one object's entity.
struct ObjectValidation {
  let object: GraphObject
  let id: ObjectID
  let context: EvaluationContext

  private var model: Model { object.snapshot.graph.model }

  var failures: [ValidationFailure] {
    model.allAttributes(of: id.entity).flatMap { failures($0) }
      + model.allRelationships(of: id.entity).flatMap { failures($0) }
  }

  func failures(ofKey key: String) -> [ValidationFailure] {
    switch model.property(named: key, of: id.entity) {
    case .attribute(let attribute)?: failures(attribute)
    case .relationship(let relationship)?: failures(relationship)
    case nil: []
    }
  }

  private func value(_ key: String) -> Value { (try? object.value(forKey: key)) ?? .null }

  private func failures(_ attribute: Attribute) -> [ValidationFailure] {
    let value = value(attribute.name)
    if value.isNull {
      // A transient attribute is null in every object that was read.
      let mayMiss = attribute.isOptional || attribute.isTransient
      return mayMiss ? [] : [failure(attribute.name, .missing, value, "a value")]
    }
    return attribute.rules(brokenBy: value).compactMap { failure(attribute, $0, value) }
      + checkFailure(attribute, value)
  }

  private func failure(
    _ attribute: Attribute, _ rule: ModelRule, _ value: Value
  ) -> ValidationFailure? {
    let bound = rule == .min ? attribute.minimum : attribute.maximum
    let wanted = bound.map { attribute.type.boundType.literal($0, in: context.zone) } ?? ""
    let code: ValidationFailure.Rule
    switch (rule, attribute.type) {
    case (.min, .string): code = .stringTooShort
    case (.max, .string): code = .stringTooLong
    case (.min, .date): code = .dateTooSoon
    case (.max, .date): code = .dateTooLate
    case (.min, _): code = .numberTooSmall
    case (.max, _): code = .numberTooLarge
    case (.matches, _): return patternFailure(attribute, value)
    case (.ordered, _), (.minCount, _), (.maxCount, _): return nil
    }
    return failure(attribute.name, code, value, wanted)
  }

  private func checkFailure(_ attribute: Attribute, _ value: Value) -> [ValidationFailure] {
    guard let check = attribute.check else { return [] }
    var failure = failure(attribute.name, .check, value, check.predicateFormat)
    do throws(Diagnostic) {
      if try check.evaluate(on: .object(ObjectReference(object)), in: context) { return [] }
    } catch {
      failure.problem = error.facts.sentence
    }
    return [failure]
  }

  private func patternFailure(_ attribute: Attribute, _ value: Value) -> ValidationFailure {
    var failure = failure(attribute.name, .pattern, value, attribute.pattern ?? "")
    do throws(ValueError) { _ = try attribute.isMatched(by: value) } catch {
      failure.problem = EvaluationError(error).sentence
    }
    return failure
  }

  private func failures(_ relationship: Relationship) -> [ValidationFailure] {
    if relationship.leastCount == 0, relationship.isToMany, relationship.greatestCount == nil {
      return []
    }
    let count = count(relationship.name)
    if count < relationship.leastCount {
      let rule: ValidationFailure.Rule = relationship.isToMany ? .tooFew : .missing
      return [
        failure(relationship.name, rule, value(relationship.name), "\(relationship.leastCount)")
      ]
    }
    if let greatest = relationship.greatestCount, count > greatest {
      return [failure(relationship.name, .tooMany, value(relationship.name), "\(greatest)")]
    }
    return []
  }

  /// Returns the number of objects in a relationship, without creating them.
  private func count(_ key: String) -> Int {
    let table = object.snapshot.graph.tables[object.table]
    guard let slot = table.layout.slots[table.entityCode(object.row)][key] else { return 0 }
    return object.snapshot.graph.rows(slot, object.table, object.row).count
  }

  private func failure(
    _ key: String, _ rule: ValidationFailure.Rule, _ value: Value, _ wanted: String
  ) -> ValidationFailure {
    ValidationFailure(object: id, key: key, rule: rule, value: value, wanted: wanted)
  }
}

/// A rule of the model that an object breaks.
///
///     do { try context.save() } catch StoreError.invalid(let failures) {
///       failures[0].description   // Item/3: "title" has no value, but is not optional (1570)
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
}
