import KuraGraph
import KuraModel
import KuraPredicates

// A SUBQUERY over objects of a fetch that have a link to the outer object
extension FilterCompiler {
  /// Returns a SUBQUERY over all linked objects instead of all fetched objects: `SUBQUERY((fetch Paper), $p, ANY $p.tags
  /// == SELF)` is `SUBQUERY(papers, $p, $p IN (fetch Paper))`. Returns nil for other expressions.
  func linkedSubquery(_ collection: ExpressionTree, _ scope: FilterScope) -> ExpressionTree? {
    guard case .subquery(let source, let name, let predicate) = collection.kind,
      case .constant(let constant) = source.kind, let found = joinedObjects(constant),
      // A linked object is found in the order of the table.
      found.order == nil
    else { return nil }
    var others = predicate.conjuncts
    let links = others.indices.lazy.compactMap { place in
      others[place].keyOfLinkToSelf(from: name)
        .flatMap { inverse(of: $0, for: scope) }.map { (place, $0) }
    }
    guard let (place, key) = links.first else { return nil }
    others.remove(at: place)
    if !found.hasAllRows {
      let element = ExpressionTree(.variable(name), span: source.span)
      others.append(PredicateTree(.comparison(Comparison(element, .in, source))))
    }
    let objects = ExpressionTree(.keyPath(KeyPathTree([key])), span: source.span)
    let rest = PredicateTree.all(others) ?? PredicateTree(.constant(true))
    return ExpressionTree(.subquery(objects, variable: name, rest), span: collection.span)
  }

  /// Returns the inverse of a relationship, if both are to-many, objects of the scope have it, and it has no order of its
  /// own.
  private func inverse(of key: KeyComponent, for scope: FilterScope) -> KeyComponent? {
    guard let back = graph.inverse(of: key), let here = back.resolved,
      let relationship = here.property.relationship, relationship.isToMany,
      !relationship.isOrdered, graph.model.entity(scope.entity, isKindOf: here.entity)
    else { return nil }
    return back
  }
}

extension PredicateTree {
  /// The to-many relationship of an element that must contain the outer object: `tags` in `ANY $p.tags == SELF`, `SELF IN
  /// $p.tags`, `$p.tags CONTAINS SELF`; nil for other conditions.
  fileprivate func keyOfLinkToSelf(from element: String) -> KeyComponent? {
    guard let (outer, objects) = membership, case .evaluatedObject = outer.kind,
      case .keyPath(let path) = objects.kind,
      path.base?.isVariable(element) == true, path.components.count == 1, path.hasKeysOnly
    else { return nil }
    return path.components[0]
  }

  /// The sides of `$a.mentor IN authors`, `ANY authors == $a.mentor` and `authors CONTAINS $a.mentor`; nil for other
  /// conditions.
  var membership: (element: ExpressionTree, objects: ExpressionTree)? {
    guard case .comparison(let comparison) = kind, comparison.options.isEmpty else { return nil }
    switch (comparison.modifier, comparison.operation) {
    case (.direct, .in): return (comparison.left, comparison.right)
    case (.direct, .contains), (.any, .equal): return (comparison.right, comparison.left)
    default: return nil
    }
  }
}
