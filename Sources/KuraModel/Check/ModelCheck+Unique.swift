import KuraDiagnostics

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
