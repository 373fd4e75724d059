package import KuraDiagnostics

/// Whether a model holds together.
///
///     ModelCheck(model).problems                 // empty for a model that a store may have
///     ModelCheck(model).unresolved               // what a later statement may still define
package struct ModelCheck {
  let model: Model

  package init(_ model: Model) { self.model = model }

  /// All that is wrong, in the model's order.
  ///
  /// Linear in the model, but for names that nobody knows, which are compared with all others.
  package var problems: [ModelProblem] { contradictions + unresolved }

  /// What no later definition can mend: a statement that brings one about is refused.
  package var contradictions: [ModelProblem] {
    duplicateEntities + duplicateRequests + model.entities.flatMap(contradictions)
  }

  /// What later statements may still define: allowed while they are entered, refused when the store
  /// is saved.
  ///
  ///     entity Item { tags: [Tag] inverse items }   // a Tag, and its key items, are to come
  package var unresolved: [ModelProblem] { unresolvedDestinations + unresolvedInverses }

  private func contradictions(in entity: Entity) -> [ModelProblem] {
    var problems = inheritance(entity) + keys(entity) + uniqueness(entity)
    problems += circles(entity)
    for attribute in entity.attributes {
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
