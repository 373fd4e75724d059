import KuraDiagnostics

extension ModelCheck {
  /// Indexes whose keys are none, or have no order.
  func indexes(_ entity: Entity) -> [ModelProblem] {
    let facts = entity.indexes.flatMap { index($0, entity.name) } + repeated(entity)
    return facts.map { ModelProblem($0, at: .entityRule(entity.name, .indexes)) }
  }

  private func index(_ index: FetchIndex, _ entity: String) -> [ModelFacts] {
    let keys = index.keys
    if keys.isEmpty { return [.emptyIndex] }
    let twice = keys.indices.filter { keys[..<$0].contains(keys[$0]) }
    return keys.compactMap { indexKey($0, entity) } + twice.map { .repeatedIndexKey(keys[$0]) }
  }

  private func indexKey(_ key: String, _ entity: String) -> ModelFacts? {
    switch model.property(named: key, of: entity) {
    case .attribute(let attribute):
      attribute.type.isIndexable ? nil : .indexNotForType(key, attribute.type)
    case .relationship: .relationshipIndex(key)
    case nil:
      .unknownIndexKey(
        key, entity: entity, near: nearNames(to: key, among: model.keys(of: entity)))
    }
  }

  /// Those that stand before themselves, in the entity or in one that it inherits from.
  private func repeated(_ entity: Entity) -> [ModelFacts] {
    let inherited = model.allIndexes(of: entity.name).filter { $0.owner != entity.name }.map(
      \.index)
    return entity.indexes.indices.compactMap { place in
      let index = entity.indexes[place]
      let isThere = inherited.contains(index) || entity.indexes[..<place].contains(index)
      return isThere ? .repeatedIndex(index.declaration) : nil
    }
  }
}
