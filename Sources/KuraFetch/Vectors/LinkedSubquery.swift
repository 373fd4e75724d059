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
    let parts = predicate.conjuncts
    for (place, part) in parts.enumerated() {
      guard let (key, outer) = part.membership(of: name),
        let links = inverse(of: key, in: found.scope.entity, of: outer, scope)
      else { continue }
      var others = parts
      others.remove(at: place)
      if !found.hasAllRows {
        let element = ExpressionTree(.variable(name), span: source.span)
        others.append(PredicateTree(.comparison(Comparison(element, .in, source)), span: part.span))
      }
      let rest = PredicateTree.all(others) ?? PredicateTree(.constant(true), span: part.span)
      return ExpressionTree(.subquery(links, variable: name, rest), span: collection.span)
    }
    return nil
  }

  /// Returns the objects that lead to an outer object by a to-many relationship, as a path from it. Returns nil if it has
  /// no to-many relationship back, or if that has an order of its own.
  private func inverse(
    of key: String, in entity: String, of outer: ExpressionTree, _ scope: FilterScope
  ) -> ExpressionTree? {
    guard let back = graph.model.inverse(of: key, in: entity), back.relationship.isToMany,
      !back.relationship.isOrdered
    else { return nil }
    var keys: [KeyComponent] = []
    switch outer.kind {
    case .evaluatedObject: break
    case .keyPath(let path) where path.base == nil: keys = path.components
    default: return nil
    }
    let links = graph.links(keys, from: scope)
    guard links.count == keys.count, !links.contains(where: \.slot.isToMany),
      graph.model.entity((links.last?.destination ?? scope).entity, isKindOf: back.owner)
    else { return nil }
    keys.append(KeyComponent(back.relationship.name, span: outer.span))
    return ExpressionTree(.keyPath(KeyPathTree(keys)), span: outer.span)
  }
}

extension PredicateTree {
  /// The to-many relationship of an element that must contain an outer object, and that object: `ANY $p.tags == SELF`,
  /// `SELF IN $p.tags`, `$p.tags CONTAINS SELF`.
  fileprivate func membership(of element: String) -> (key: String, outer: ExpressionTree)? {
    guard case .comparison(let comparison) = kind, comparison.options.isEmpty else { return nil }
    let (objects, outer): (ExpressionTree, ExpressionTree)
    switch (comparison.modifier, comparison.operation) {
    case (.any, .equal), (.direct, .contains):
      (objects, outer) = (comparison.left, comparison.right)
    case (.direct, .in): (objects, outer) = (comparison.right, comparison.left)
    default: return nil
    }
    guard case .keyPath(let path) = objects.kind, path.base?.isVariable(element) == true,
      path.components.count == 1, path.hasKeysOnly, !outer.variables.contains(element)
    else { return nil }
    return (path.components[0].name, outer)
  }
}
