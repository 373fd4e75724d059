package import KuraBytes
package import KuraDiagnostics

/// Whether a model holds together.
///
///     ModelCheck(model).problems                 // empty for a model that a store may have
///     ModelCheck(model).unresolved               // what a later statement may still define
package struct ModelCheck {
  let model: Model

  /// If it is requested, the check ends, and its result is incomplete.
  private let cancel: CancelFlag

  package init(_ model: Model, _ cancel: CancelFlag = CancelFlag()) {
    (self.model, self.cancel) = (model, cancel)
  }

  /// All that is wrong, in the model's order.
  ///
  /// Linear in the model, but for names that nobody knows, which are compared with all others.
  package var problems: [ModelProblem] { contradictions + unresolved }

  /// What no later definition can mend: a statement that brings one about is refused.
  package var contradictions: [ModelProblem] {
    tooManyKeys + duplicateEntities + duplicateRequests
      + model.entities.flatMap { cancel.isRequested ? [] : contradictions(in: $0) }
  }

  private var tooManyKeys: [ModelProblem] {
    ModelLimit.firstBeyond(model.entities).map {
      [ModelProblem(.tooManyKeys(entity: $0), at: .entity($0))]
    } ?? []
  }

  /// What later statements may still define: allowed while they are entered, refused when the store
  /// is saved.
  ///
  ///     entity Item { tags: [Tag] inverse items }   // a Tag, and its key items, are to come
  package var unresolved: [ModelProblem] { unresolvedDestinations + unresolvedInverses }

  private func contradictions(in entity: Entity) -> [ModelProblem] {
    var problems = inheritance(entity) + keys(entity) + uniqueness(entity) + indexes(entity)
    problems += circles(entity)
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

  /// Inverses that the destination has not, or that name no inverse yet.
  package var unresolvedInverses: [ModelProblem] {
    model.entities.flatMap { entity in
      entity.relationships.flatMap { inverse($0, entity.name) }.filter(\.facts.isUnresolved)
    }
  }
}

extension ModelFacts {
  /// Whether a later definition may mend it.
  package var isUnresolved: Bool {
    switch self {
    case .unknownDestination, .unknownInverse: true
    case .inverseNotMutual(let pair): pair.leadsTo == nil
    default: false
    }
  }
}

/// Something wrong in a model, and which part of it.
package struct ModelProblem: Sendable, Hashable {
  package var facts: ModelFacts
  package var place: ModelPlace
  /// Where in the text of a `check` or `derived`, by the spans of its tree; nil for all others.
  package var ruleSpan: SourceSpan?

  init(_ facts: ModelFacts, at place: ModelPlace, ruleSpan: SourceSpan? = nil) {
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

  private func constraint(_ keys: [String], _ entity: String) -> [ModelFacts] {
    if keys.isEmpty { return [.emptyUnique] }
    let twice = keys.indices.filter { keys[..<$0].contains(keys[$0]) }
    return keys.compactMap { unique($0, entity) } + twice.map { .repeatedUniqueKey(keys[$0]) }
  }

  private func unique(_ key: String, _ entity: String) -> ModelFacts? {
    switch model.property(named: key, of: entity) {
    case .attribute: nil
    case .relationship(let relationship): relationship.isToMany ? .toManyUnique(key) : nil
    case nil:
      .unknownUniqueKey(
        key, entity: entity, near: nearNames(to: key, among: model.keys(of: entity)))
    }
  }
}

extension ModelCheck {
  /// Keys in `check` and `derived` that the entity has not.
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
}
