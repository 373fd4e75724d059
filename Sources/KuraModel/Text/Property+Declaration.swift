package import KuraValues

extension Attribute {
  /// `title: string? = "x" min 1 max 5 matches "[a-z]+" unique check (title != "y")`
  package func declaration(isUnique: Bool = false, in zone: ZoneRules) -> String {
    let optional = isOptional ? "?" : ""
    let rules = rules(isUnique: isUnique, in: zone).map { " " + $0 }.joined()
    return "\(StatementText.name(name)): \(type.rawValue)\(optional)\(rules)"
  }

  /// The rules as a statement writes them, in a fixed order: `= "x"`, `min 1`, `unique`.
  package func rules(isUnique: Bool = false, in zone: ZoneRules) -> [String] {
    [
      defaultValue.map { "= " + type.literal($0, in: zone) },
      minimum.map { "min " + type.boundType.literal($0, in: zone) },
      maximum.map { "max " + type.boundType.literal($0, in: zone) },
      pattern.map { "matches " + StatementText.string($0) },
      isUnique ? "unique" : nil,
      check.map { "check (\(RuleText.text($0)))" },
      isTransient ? "transient" : nil,
      derivation.map { "derived (\(RuleText.text($0)))" },
    ].compactMap { $0 }
  }
}

extension Relationship {
  /// `items: [Item] ordered inverse parentCategory delete cascade`
  package var declaration: String {
    "\(StatementText.name(name)): \(target)\(rules.map { " " + $0 }.joined())"
  }

  /// `Category?`, `[Item]`
  package var target: String {
    let name = StatementText.name(destination)
    return isToMany ? "[\(name)]" : isOptional ? name + "?" : name
  }

  /// The rules as a statement writes them, in a fixed order.
  ///
  /// A to-many that may not be empty says so by `min 1`.
  package var rules: [String] {
    [
      isOrdered ? "ordered" : nil,
      isToMany && leastCount > 0 ? "min \(leastCount)" : nil,
      isToMany ? maximumCount.map { "max \($0)" } : nil,
      inverse.map { "inverse " + StatementText.name($0) },
      deleteRule == .nullify ? nil : "delete \(deleteRule.rawValue)",
    ].compactMap { $0 }
  }
}
