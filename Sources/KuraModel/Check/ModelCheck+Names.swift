import KuraDiagnostics

extension ModelCheck {
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

  /// Parents that are not there, and circles of them.
  func inheritance(_ entity: Entity) -> [ModelProblem] {
    guard let parent = entity.parent else { return [] }
    let place = ModelPlace.entityRule(entity.name, .parent)
    guard model[parent] != nil else {
      return [.init(.unknownParent(parent, near: nearEntities(parent)), at: place)]
    }
    guard model.inheritsInCircle(entity.name) else { return [] }
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
  ) -> [ModelFacts] {
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

  /// The names that come more than once, each once.
  private func repeated(_ names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for name in names { counts[name, default: 0] += 1 }
    return names.filter { name in
      defer { counts[name] = 0 }
      return (counts[name] ?? 0) > 1
    }
  }
}
