import KuraDiagnostics

extension ModelCheck {
  /// Rules of a relationship that contradict its kind or each other.
  func rules(_ relationship: Relationship, _ entity: String) -> [ModelProblem] {
    let findings = relationship.isToMany ? counts(relationship) : toOneRules(relationship)
    return findings.map { aspect, facts in
      .init(facts, at: .relationshipRule(relationship.name, entity: entity, aspect))
    }
  }

  private typealias Finding = (ModelPlace.RelationshipAspect, ModelFacts)

  private func counts(_ relationship: Relationship) -> [Finding] {
    guard let most = relationship.maximumCount else { return [] }
    if most == 0 { return [(.maxCount, .maximumCountOfZero)] }
    return relationship.leastCount > most
      ? [(.minCount, .minimumAboveMaximum(.minCount, .maxCount))] : []
  }

  private func toOneRules(_ relationship: Relationship) -> [Finding] {
    var findings: [Finding] = []
    if relationship.isOrdered { findings.append((.ordered, .ruleOfToOne(.ordered))) }
    if relationship.minimumCount != nil { findings.append((.minCount, .ruleOfToOne(.minCount))) }
    if relationship.maximumCount != nil { findings.append((.maxCount, .ruleOfToOne(.maxCount))) }
    return findings
  }

  /// An inverse that is not there or does not name this one back.
  ///
  /// Nothing is said of a destination that is not defined: its inverse may come with it.
  func inverse(_ relationship: Relationship, _ entity: String) -> [ModelProblem] {
    guard let key = relationship.inverse, model[relationship.destination] != nil,
      let facts = inverse(key, of: RelationshipEnd(owner: entity, relationship: relationship))
    else { return [] }
    return [
      .init(facts, at: .relationshipRule(relationship.name, entity: entity, .inverse))
    ]
  }

  private func inverse(_ key: String, of here: RelationshipEnd) -> ModelFacts? {
    let destination = here.relationship.destination
    switch model.ownedProperty(named: key, of: destination) {
    case nil:
      let known = model.allRelationships(of: destination).map(\.name)
      return .unknownInverse(
        key, destination: destination, near: nearNames(to: key, among: known))
    case let owned?:
      guard case .relationship(let relationship) = owned.property else {
        return .inverseIsAttribute(key, destination: destination)
      }
      return mutual(here, RelationshipEnd(owner: owned.owner, relationship: relationship))
    }
  }

  private func mutual(_ here: RelationshipEnd, _ there: RelationshipEnd) -> ModelFacts? {
    if here.names(there) && there.names(here) { return nil }
    let back = there.relationship.inverse.map { "\(there.relationship.destination).\($0)" }
    return .inverseNotMutual(
      InversePair(relationship: here.path, inverse: there.path, leadsTo: back))
  }
}
