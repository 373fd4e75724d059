import KuraDiagnostics

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
