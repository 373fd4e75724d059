import KuraPredicates

extension Model {
  /// Returns the attributes with rules that read a key or name an entity, except the key's own.
  package func rules(mentioning name: NameMentions.Name) -> [(entity: String, key: String)] {
    rules.filter { rule in
      !mentions(of: name, in: rule).isEmpty && name != .key(rule.key, owner: rule.entity)
    }.map { ($0.entity, $0.key) }
  }

  /// Renames a key or entity in every rule that mentions it.
  ///
  /// Returns the changed rules, and the rules with ambiguous mentions, which are unchanged. A rule
  /// is printed, edited as text, and parsed again.
  package mutating func renameInRules(
    _ name: NameMentions.Name, to new: String
  ) -> (changed: [String], unclear: [String]) {
    let old = self
    var changed: [String] = []
    var unclear: [String] = []
    for rule in old.rules {
      let mentions = old.mentions(of: name, in: rule)
      if mentions.isEmpty { continue }
      let text = mentions.replaced(in: rule.text, with: new)
      let isChanged = !mentions.isUnclear && set(rule, to: text)
      if isChanged { changed.append(rule.place) } else { unclear.append(rule.place) }
    }
    return (changed, unclear)
  }

  private func mentions(of name: NameMentions.Name, in rule: ModelRuleText) -> NameMentions {
    var mentions = NameMentions(of: name, in: self)
    // Parsed again from its own text, so that spans refer to it.
    if rule.isCheck, let tree = try? RuleText.predicate(rule.text) {
      mentions.visit(tree, of: rule.entity)
    } else if let tree = try? RuleText.expression(rule.text) {
      mentions.visit(tree, of: rule.entity)
    }
    return mentions
  }

  private var rules: [ModelRuleText] {
    entities.flatMap { entity in
      entity.attributes.flatMap { attribute in
        [
          attribute.check.map {
            ModelRuleText(entity.name, attribute.name, $0.predicateFormat, isCheck: true)
          },
          attribute.derivation.map {
            ModelRuleText(entity.name, attribute.name, $0.expressionFormat, isCheck: false)
          },
        ].compactMap(\.self)
      }
    }
  }

  private mutating func set(_ rule: ModelRuleText, to text: String) -> Bool {
    guard var attribute = self.attribute(named: rule.key, of: rule.entity) else { return false }
    if rule.isCheck {
      guard let tree = try? RuleText.predicate(text) else { return false }
      attribute.check = tree
    } else {
      guard let tree = try? RuleText.expression(text) else { return false }
      attribute.derivation = tree
    }
    let isUnique = self[rule.entity]?.uniquenessConstraints.contains([rule.key]) == true
    set(.attribute(attribute), of: rule.entity, isUnique: isUnique)
    return true
  }
}

/// The text of a `check` or `derived`.
private struct ModelRuleText {
  let entity: String
  let key: String
  let text: String
  let isCheck: Bool

  init(_ entity: String, _ key: String, _ text: String, isCheck: Bool) {
    self.entity = entity
    self.key = key
    self.text = text
    self.isCheck = isCheck
  }

  /// The place of the rule, such as `Item.title`.
  var place: String { "\(entity).\(key)" }
}
