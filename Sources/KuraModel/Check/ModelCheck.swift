package import KuraBytes
package import KuraDiagnostics
import KuraPredicates
package import KuraValues

/// The consistency check of a model.
///
///     ModelCheck(model).problems                 // empty for a model that a store may have
///     ModelCheck(model).unresolved               // problems that a later statement can resolve
package struct ModelCheck {
  let model: Model

  /// A flag that ends the check early, with an incomplete result.
  private let cancel: CancelFlag

  package init(_ model: Model, _ cancel: CancelFlag = CancelFlag()) {
    (self.model, self.cancel) = (model, cancel)
  }

  /// All problems, in the order of the model.
  ///
  /// Linear in the model, except that each unknown name is compared with all others.
  package var problems: [ModelProblem] { contradictions + unresolved }

  /// The problems that no later definition can resolve. A statement that causes one is rejected.
  package var contradictions: [ModelProblem] {
    tooManyKeys + duplicateEntities + duplicateRequests
      + model.entities.flatMap { cancel.isRequested ? [] : contradictions(in: $0) }
  }

  private var tooManyKeys: [ModelProblem] {
    ModelLimit.firstBeyond(model.entities).map {
      [ModelProblem(.tooManyKeys(entity: $0), at: .entity($0))]
    } ?? []
  }

  /// The problems that later statements can resolve: allowed during entry, but not in a saved store.
  ///
  ///     entity Item { tags: [Tag] inverse items }   // Tag is not defined yet
  package var unresolved: [ModelProblem] { unresolvedDestinations + unresolvedInverses }

  private func contradictions(in entity: Entity) -> [ModelProblem] {
    var problems = inheritance(entity) + keys(entity) + uniqueness(entity) + indexes(entity)
    problems += cycles(entity)
    for attribute in entity.attributes where !cancel.isRequested {
      problems += rules(attribute, entity.name) + ruleKeys(attribute, entity.name)
    }
    for relationship in entity.relationships {
      problems += rules(relationship, entity.name)
      problems += inverse(relationship, entity.name).filter { !$0.facts.isUnresolved }
    }
    return problems
  }
}

extension ModelCheck {
  /// Relationships to entities that are not defined.
  package var unresolvedDestinations: [ModelProblem] {
    model.entities.flatMap { entity in
      entity.relationships.filter { model[$0.destination] == nil }.map {
        ModelProblem(
          .unknownDestination($0.destination, near: nearEntities($0.destination)),
          at: .relationshipRule($0.name, entity: entity.name, .destination))
      }
    }
  }

  /// Inverses that the destination does not have, or that do not name an inverse yet.
  package var unresolvedInverses: [ModelProblem] {
    model.entities.flatMap { entity in
      entity.relationships.flatMap { inverse($0, entity.name) }.filter(\.facts.isUnresolved)
    }
  }
}

extension ModelProblemKind {
  /// Whether a later definition can resolve the problem.
  package var isUnresolved: Bool {
    switch self {
    case .unknownDestination, .unknownInverse: true
    case .inverseNotMutual(let pair): pair.leadsTo == nil
    default: false
    }
  }
}

/// A problem of a model, and the part that it concerns.
package struct ModelProblem: Sendable, Hashable {
  package var facts: ModelProblemKind
  package var place: ModelPlace
  /// The place in the text of a `check` or `derived`, as a span of its tree; nil for other problems.
  package var ruleSpan: SourceSpan?

  init(_ facts: ModelProblemKind, at place: ModelPlace, ruleSpan: SourceSpan? = nil) {
    self.facts = facts
    self.place = place
    self.ruleSpan = ruleSpan
  }
}

extension ModelCheck {
  func uniqueness(_ entity: Entity) -> [ModelProblem] {
    entity.uniquenessConstraints.flatMap { keys in
      constraint(keys, entity.name).map { .init($0, at: .entityRule(entity.name, .unique)) }
    }
  }

  private func constraint(_ keys: [String], _ entity: String) -> [ModelProblemKind] {
    if keys.isEmpty { return [.emptyUnique] }
    let twice = keys.indices.filter { keys[..<$0].contains(keys[$0]) }
    return keys.compactMap { unique($0, entity) } + twice.map { .repeatedUniqueKey(keys[$0]) }
  }

  private func unique(_ key: String, _ entity: String) -> ModelProblemKind? {
    switch model.property(named: key, of: entity) {
    case .attribute: nil
    case .relationship(let relationship): relationship.isToMany ? .toManyUnique(key) : nil
    case nil:
      .unknownUniqueKey(
        key, entity: entity, near: nearNames(to: key, among: model.keys(of: entity)))
    }
  }

  /// Returns unknown keys in `check` and `derived`.
  func ruleKeys(_ attribute: Attribute, _ entity: String) -> [ModelProblem] {
    var check = RuleKeys(model, entity: entity)
    if let tree = attribute.check { check.visit(tree) }
    var derivation = RuleKeys(model, entity: entity)
    if let tree = attribute.derivation { derivation.visit(tree) }
    return problems(check, .attributeRule(attribute.name, entity: entity, .check))
      + problems(derivation, .attributeRule(attribute.name, entity: entity, .derived))
  }

  private func problems(_ keys: RuleKeys, _ place: ModelPlace) -> [ModelProblem] {
    keys.unknown.map { key, entity, span in
      let near = nearNames(to: key, among: model.keys(of: entity))
      return ModelProblem(
        .unknownRuleKey(key, entity: entity, near: near), at: place, ruleSpan: span)
    }
  }

  /// Returns rules of an attribute that contradict its type or each other.
  func rules(_ attribute: Attribute, _ entity: String) -> [ModelProblem] {
    let findings = types(attribute) + bounds(attribute) + pattern(attribute)
    return (findings + defaultValue(attribute)).map { aspect, facts in
      .init(facts, at: .attributeRule(attribute.name, entity: entity, aspect))
    }
  }

  private typealias Finding = (ModelPlace.AttributeAspect, ModelProblemKind)

  /// Returns values of another type, which only a model built in Swift can have.
  private func types(_ attribute: Attribute) -> [Finding] {
    let bound = attribute.type.boundType
    let values: [(ModelPlace.AttributeAspect, AttributeType, Value?)] = [
      (.defaultValue, attribute.type, attribute.defaultValue), (.min, bound, attribute.minimum),
      (.max, bound, attribute.maximum),
    ]
    return values.compactMap { aspect, type, value in
      guard let value, attribute.type.hasBounds || aspect == .defaultValue, !type.holds(value)
      else { return nil }
      return (aspect, .badValue(aspect.rawValue, .kind(type, found: value.jsonKind)))
    }
  }

  private func bounds(_ attribute: Attribute) -> [Finding] {
    let type = attribute.type
    var findings: [Finding] = []
    if !type.hasBounds {
      if attribute.minimum != nil { findings.append((.min, .ruleNotForType(.min, type))) }
      if attribute.maximum != nil { findings.append((.max, .ruleNotForType(.max, type))) }
    } else if attribute.minimum.isAbove(attribute.maximum) {
      findings.append((.min, .minimumAboveMaximum(.min, .max)))
    }
    return findings
  }

  private func pattern(_ attribute: Attribute) -> [Finding] {
    guard let pattern = attribute.pattern else { return [] }
    if attribute.type != .string { return [(.matches, .ruleNotForType(.matches, attribute.type))] }
    do {
      _ = try RegularExpression.cached(pattern, [])
      return []
    } catch {
      return [(.matches, .badPattern(pattern, error))]
    }
  }

  private func defaultValue(_ attribute: Attribute) -> [Finding] {
    guard attribute.hasDefault else { return [] }
    let aspect: ModelPlace.AttributeAspect =
      attribute.defaultExpression == nil ? .defaultValue : .defaultExpression
    if attribute.derivation != nil { return [(aspect, .defaultOfDerived)] }
    if let tree = attribute.defaultExpression { return computed(tree, attribute) }
    return (attribute.defaultValue.map(attribute.rules) ?? []).map {
      (.defaultValue, .defaultAgainstRule($0))
    }
  }

  /// Checks the present value of a computed default, which has the same type as later ones.
  private func computed(_ tree: ExpressionTree, _ attribute: Attribute) -> [Finding] {
    if let part = tree.partOfAnObject {
      return [(.defaultExpression, .defaultOfObject(part.expressionFormat))]
    }
    do {
      _ = try attribute.newValue(in: EvaluationContext())
      return []
    } catch { return [(.defaultExpression, .badDefault(error))] }
  }
}

extension Attribute {
  /// Returns which of `min`, `max` and `matches` a value breaks; null breaks none.
  ///
  /// The length of a string is counted in UTF-16 units. An invalid pattern is not broken, because
  /// it is an error of the model. A text that takes too long to match breaks its pattern.
  package func rules(brokenBy value: Value) -> [ModelRule] {
    var broken: [ModelRule] = []
    let size = Attribute.size(of: value)
    if minimum.isAbove(size) { broken.append(.min) }
    if size.isAbove(maximum) { broken.append(.max) }
    if (try? isMatched(by: value)) != true { broken.append(.matches) }
    return broken
  }

  /// Returns whether a value meets `matches "…"`; true if there is no pattern, or an invalid one.
  ///
  /// Throws if the engine gave up without a decision.
  package func isMatched(by value: Value) throws(ValueError) -> Bool {
    guard case .string(let text) = value, let pattern,
      let expression = try? RegularExpression.cached(pattern, [])
    else { return true }
    return try expression.matches(text)
  }

  /// Returns the size for bounds: the value, or the length of a string.
  private static func size(of value: Value) -> Value? {
    switch value {
    case .null: nil
    case .string(let text): .integer(Int64(text.utf16.count))
    case .boolean, .integer, .double, .decimal, .date, .uuid, .uri, .binary, .list, .set,
      .dictionary, .object:
      value
    }
  }
}

extension Value? {
  /// Returns whether both exist and the first is greater.
  fileprivate func isAbove(_ other: Value?) -> Bool {
    guard let self, let other else { return false }
    return (try? Value.order(self, other)) == .after
  }
}

extension ModelCheck {
  /// Returns derived attributes that depend on themselves within one object.
  ///
  /// Recursion over a relationship is allowed: `TERNARY(parent == nil, 0, parent.depth + 1)` ends at the root.
  func cycles(_ entity: Entity) -> [ModelProblem] {
    let cycles = DerivedCycles(model, entity).cycles
    return cycles.map { circle in
      ModelProblem(
        .derivedFromItself(circle), at: .attributeRule(circle[0], entity: entity.name, .derived))
    }
  }
}

/// The cycles among an entity's derived attributes. Inherited attributes cannot depend on its own.
private struct DerivedCycles {
  /// The attributes of the same object that a derived attribute reads, by name.
  private var read: [String: [String]] = [:]
  /// The cycles. Each attribute needs the next one, and the last needs the first.
  private(set) var cycles: [[String]] = []

  init(_ model: Model, _ entity: Entity) {
    for attribute in entity.attributes {
      guard let tree = attribute.derivation else { continue }
      var keys = RuleKeys(model, entity: entity.name)
      keys.visit(tree)
      read[attribute.name] = keys.own
    }
    for attribute in entity.attributes where !cycles.joined().contains(attribute.name) {
      if let circle = circle(from: attribute.name) { cycles.append(circle) }
    }
  }

  /// Returns the shortest cycle from an attribute, found by breadth-first search.
  private func circle(from start: String) -> [String]? {
    var seen: Set<String> = []
    var paths = [[start]]
    while !paths.isEmpty {
      let longer = paths.flatMap { path in (read[path.last ?? start] ?? []).map { path + [$0] } }
      if let circle = longer.first(where: { $0.last == start }) { return circle.dropLast() }
      paths = longer.filter { seen.insert($0.last ?? start).inserted }
    }
    return nil
  }
}

extension ModelCheck {
  /// Returns indexes of keys that do not exist or have no order.
  func indexes(_ entity: Entity) -> [ModelProblem] {
    let facts = entity.indexes.flatMap { index($0, entity.name) } + repeated(entity)
    return facts.map { ModelProblem($0, at: .entityRule(entity.name, .indexes)) }
  }

  private func index(_ index: FetchIndex, _ entity: String) -> [ModelProblemKind] {
    let keys = index.keys
    if keys.isEmpty { return [.emptyIndex] }
    let twice = keys.indices.filter { keys[..<$0].contains(keys[$0]) }
    return keys.compactMap { indexKey($0, entity) } + twice.map { .repeatedIndexKey(keys[$0]) }
  }

  private func indexKey(_ key: String, _ entity: String) -> ModelProblemKind? {
    switch model.property(named: key, of: entity) {
    case .attribute(let attribute):
      attribute.type.isIndexable ? nil : .indexNotForType(key, attribute.type)
    case .relationship: .relationshipIndex(key)
    case nil:
      .unknownIndexKey(
        key, entity: entity, near: nearNames(to: key, among: model.keys(of: entity)))
    }
  }

  /// Returns indexes that repeat an earlier one of the entity or its ancestors.
  private func repeated(_ entity: Entity) -> [ModelProblemKind] {
    let inherited = model.allIndexes(of: entity.name).filter { $0.owner != entity.name }.map(
      \.index)
    return entity.indexes.indices.compactMap { place in
      let index = entity.indexes[place]
      let isThere = inherited.contains(index) || entity.indexes[..<place].contains(index)
      return isThere ? .repeatedIndex(index.declaration) : nil
    }
  }

  var duplicateEntities: [ModelProblem] {
    repeated(model.entities.map(\.name)).map { .init(.duplicateEntity($0), at: .entity($0)) }
      + model.entities.filter(\.name.isEmpty).map {
        .init(.emptyName(.entity), at: .entity($0.name))
      }
  }

  var duplicateRequests: [ModelProblem] {
    repeated(model.requests.map(\.name)).map { .init(.duplicateRequest($0), at: .request($0)) }
      + model.requests.filter(\.name.isEmpty).map {
        .init(.emptyName(.request), at: .request($0.name))
      }
  }

  /// Returns unknown parents and inheritance cycles.
  func inheritance(_ entity: Entity) -> [ModelProblem] {
    guard let parent = entity.parent else { return [] }
    let place = ModelPlace.entityRule(entity.name, .parent)
    guard model[parent] != nil else {
      return [.init(.unknownParent(parent, near: nearEntities(parent)), at: place)]
    }
    guard model.inheritsInCycle(entity.name) else { return [] }
    let line = [entity.name] + model.ancestors(of: entity.name)
    guard let last = line.last, model[last]?.parent == entity.name else { return [] }
    return [.init(.inheritanceCycle(line + [entity.name]), at: place)]
  }

  func keys(_ entity: Entity) -> [ModelProblem] {
    let attributes = entity.attributes.map(\.name)
    let twice = Set(repeated(attributes + entity.relationships.map(\.name)))
    return attributes.flatMap { key in
      name(key, .attribute, entity, twice).map {
        .init($0, at: .attribute(key, entity: entity.name))
      }
    }
      + entity.relationships.flatMap { relationship in
        name(relationship.name, .relationship, entity, twice).map {
          .init($0, at: .relationship(relationship.name, entity: entity.name))
        }
      }
  }

  private func name(
    _ key: String, _ part: ModelPart, _ entity: Entity, _ twice: Set<String>
  ) -> [ModelProblemKind] {
    if key.isEmpty { return [.emptyName(part)] }
    if key == "objectID" { return [.reservedKey(key)] }
    if twice.contains(key) { return [.duplicateKey(key, entity: entity.name)] }
    guard let owner = model.ownedProperty(named: key, of: entity.name)?.owner,
      owner != entity.name
    else { return [] }
    return [.inheritedKey(key, entity: entity.name, ancestor: owner)]
  }

  func nearEntities(_ name: String) -> [String] {
    nearNames(to: name, among: model.entities.map(\.name))
  }

  /// Returns the names that occur more than once.
  private func repeated(_ names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for name in names { counts[name, default: 0] += 1 }
    return names.filter { name in
      defer { counts[name] = 0 }
      return (counts[name] ?? 0) > 1
    }
  }
}
