import KuraPredicates

/// A subquery's predicate as one about its element: `$i.done` becomes `done`, `$i` becomes SELF.
///
/// Nil where the predicate asks the outer object too.
struct ElementPredicate {
  let variable: String

  init(_ variable: String) { self.variable = variable }

  func of(_ predicate: PredicateTree) -> PredicateTree? {
    predicate.descending { ofKind(of: predicate) }
  }

  private func ofKind(of predicate: PredicateTree) -> PredicateTree? {
    let kind: PredicateTree.Kind?
    switch predicate.kind {
    case .constant: kind = predicate.kind
    case .not(let inner): kind = of(inner).map { .not($0) }
    case .and(let parts): kind = all(parts.map(of)).map { .and($0) }
    case .or(let parts): kind = all(parts.map(of)).map { .or($0) }
    case .truth(let expression): kind = of(expression).map { .truth($0) }
    case .comparison(var comparison):
      guard let left = of(comparison.left), let right = of(comparison.right) else { return nil }
      comparison.left = left
      comparison.right = right
      kind = .comparison(comparison)
    }
    return kind.map { PredicateTree($0, span: predicate.span) }
  }

  private func all<Node>(_ parts: [Node?]) -> [Node]? {
    let known = parts.compactMap { $0 }
    return known.count == parts.count ? known : nil
  }

  private func of(_ expression: ExpressionTree) -> ExpressionTree? {
    expression.descending { ofKind(of: expression) }
  }

  private func ofKind(of expression: ExpressionTree) -> ExpressionTree? {
    let kind: ExpressionTree.Kind?
    switch expression.kind {
    case .constant: kind = expression.kind
    case .variable(let name): kind = name == variable ? .evaluatedObject : expression.kind
    case .keyPath(let path): kind = of(path)
    case .function(var call):
      guard let arguments = all(call.arguments.map(of)) else { return nil }
      call.arguments = arguments
      kind = .function(call)
    case .aggregate(let parts): kind = all(parts.map(of)).map { .aggregate($0) }
    case .subquery(let collection, let name, let predicate):
      // Inside, the same name means another element.
      guard name != variable, let collection = of(collection), let inner = of(predicate) else {
        return nil
      }
      kind = .subquery(collection, variable: name, inner)
    case .ternary(let condition, let yes, let no):
      guard let condition = of(condition), let yes = of(yes), let no = of(no) else { return nil }
      kind = .ternary(condition, yes, no)
    case .evaluatedObject, .message, .index, .indexAfterDot, .setOperation, .assignment, .anyKey,
      .objectOrQuotient, .predicate, .fetch:
      kind = nil
    }
    return kind.map { ExpressionTree($0, span: expression.span) }
  }

  private func of(_ path: KeyPathTree) -> ExpressionTree.Kind? {
    // A path that begins at the object begins at the outer one.
    guard let base = path.base, path.components.allSatisfy({ $0.kind != .variable }) else {
      return nil
    }
    if case .variable(let name) = base.kind {
      return .keyPath(KeyPathTree(base: name == variable ? nil : base, path.components))
    }
    return of(base).map { .keyPath(KeyPathTree(base: $0, path.components)) }
  }
}
