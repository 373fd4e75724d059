public import KuraValues

extension PredicateTree {
  /// The tree with values for its variables.
  ///
  ///     try PredicateTree(parsing: "date < $today").substituting(["today": .date(.now)])
  ///
  /// Only free variables are replaced: the `$i` of `SUBQUERY(items, $i, …)` stays its own. A string
  /// also takes the place of a key, `$b` in `$a.$b`. Variables without a value stay. Linear.
  public func substituting(_ values: [String: Value]) -> PredicateTree {
    rewritingExpressions { tree, bound in tree.substituted(values, bound) }
  }
}

extension ExpressionTree {
  /// The tree with values for its variables; only free ones are replaced.
  ///
  ///     try ExpressionTree(parsing: "price * $tax").substituting(["tax": 1.1])
  ///
  /// Linear.
  public func substituting(_ values: [String: Value]) -> ExpressionTree {
    rewritingExpressions { tree, bound in tree.substituted(values, bound) }
  }

  /// This node alone, with a value in the place of a variable.
  fileprivate func substituted(_ values: [String: Value], _ bound: Set<String>) -> ExpressionTree {
    switch kind {
    case .variable(let name):
      guard !bound.contains(name), let value = values[name] else { return self }
      return ExpressionTree(.constant(Constant(value)), span: span)
    case .keyPath(var path) where path.components.contains { $0.kind == .variable }:
      path.components = path.components.flatMap { component in
        component.kind == .variable && !bound.contains(component.name)
          ? component.keys(named: values[component.name]) : [component]
      }
      return ExpressionTree(.keyPath(path), span: span)
    default: return self
    }
  }
}

extension KeyComponent {
  /// The keys that a variable's value names; itself if that is no string.
  fileprivate func keys(named value: Value?) -> [KeyComponent] {
    guard case .string(let text) = value else { return [self] }
    return text.split(separator: ".").map { KeyComponent(String($0), span: span) }
  }
}
