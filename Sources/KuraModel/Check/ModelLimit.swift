import KuraDiagnostics

/// The maximum size of a model.
///
/// Each entity has facts for all its keys, including inherited ones. A chain of n entities that
/// inherit from each other therefore needs memory quadratic in n.
package enum ModelLimit {
  /// The maximum number of keys of all entities. Inherited keys count for each entity.
  package static let keys = 250_000

  /// Returns the first entity with which the model exceeds the maximum; nil if it does not. Linear in the model.
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

  /// Returns the number of keys of an entity with its ancestors. An inheritance cycle counts once.
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
  /// Returns rules of a relationship that contradict its kind or each other.
  func rules(_ relationship: Relationship, _ entity: String) -> [ModelProblem] {
    let findings = relationship.isToMany ? counts(relationship) : toOneRules(relationship)
    return findings.map { aspect, facts in
      .init(facts, at: .relationshipRule(relationship.name, entity: entity, aspect))
    }
  }

  private typealias Finding = (ModelPlace.RelationshipAspect, ModelProblemKind)

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

  /// Returns the problem of an inverse that does not exist or does not name this relationship. An
  /// undefined destination is not reported here, because its definition can include the inverse.
  func inverse(_ relationship: Relationship, _ entity: String) -> [ModelProblem] {
    guard let key = relationship.inverse, model[relationship.destination] != nil,
      let facts = inverse(key, of: RelationshipEnd(owner: entity, relationship: relationship))
    else { return [] }
    return [
      .init(facts, at: .relationshipRule(relationship.name, entity: entity, .inverse))
    ]
  }

  private func inverse(_ key: String, of here: RelationshipEnd) -> ModelProblemKind? {
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

  private func mutual(_ here: RelationshipEnd, _ there: RelationshipEnd) -> ModelProblemKind? {
    if here.names(there) && there.names(here) { return nil }
    let back = there.relationship.inverse.map { "\(there.relationship.destination).\($0)" }
    return .inverseNotMutual(
      InversePair(relationship: here.path, inverse: there.path, leadsTo: back))
  }
}
