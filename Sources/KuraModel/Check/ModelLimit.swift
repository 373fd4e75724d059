import KuraDiagnostics

/// The size that a model may have.
///
/// What is known of an entity is kept for each of its keys, inherited ones too: a line of entities that
/// inherit from each other has a square of them.
package enum ModelLimit {
  /// The keys of all entities together, inherited ones counted for each.
  package static let keys = 250_000

  /// The first entity with which there are more keys than a model may have. Linear in the model.
  static func firstBeyond(_ entities: [Entity]) -> String? {
    let places = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var counts: [Int?] = Array(repeating: nil, count: entities.count)
    var total = 0
    for place in entities.indices {
      total += count(of: place, entities, places, &counts)
      if total > keys { return entities[place].name }
    }
    return nil
  }

  /// The keys of an entity and of those that it inherits from; a circle ends before it repeats.
  private static func count(
    of place: Int, _ entities: [Entity], _ places: [String: Int], _ counts: inout [Int?]
  ) -> Int {
    var line: [Int] = []
    var next: Int? = place
    while let place = next, counts[place] == nil {
      counts[place] = 0
      line.append(place)
      next = entities[place].parent.flatMap { places[$0] }
    }
    var count = next.flatMap { counts[$0] } ?? 0
    for place in line.reversed() {
      count += entities[place].attributes.count + entities[place].relationships.count
      counts[place] = count
    }
    return counts[place] ?? 0
  }
}

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
