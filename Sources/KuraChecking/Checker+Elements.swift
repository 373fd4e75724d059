import KuraModel
import KuraPredicates

// Expressions about each element of a collection
extension Checker {
  func subquery(
    _ collection: ExpressionTree, _ name: String, _ predicate: PredicateTree,
    _ expression: ExpressionTree
  ) -> CheckedExpression {
    let source = checked(collection)
    let kind = ExpressionTree.Kind.subquery(
      source.tree, variable: name, binding(name, to: source).checked(predicate))
    return CheckedExpression(tree: expression.with(kind), type: source.type)
  }

  func mapped(
    _ collection: ExpressionTree, _ name: String, _ inner: ExpressionTree,
    _ expression: ExpressionTree
  ) -> CheckedExpression {
    let source = checked(collection)
    if source.type.isOneValue {
      note(.elementsNeedCollection(text(collection)), at: collection.span)
    }
    let value = binding(name, to: source).checked(inner)
    let kind = ExpressionTree.Kind.mapped(source.tree, variable: name, value.tree)
    return CheckedExpression(tree: expression.with(kind), type: .collection(value.type))
  }

  /// Returns a checker in which a variable is an element of a collection.
  private func binding(_ name: String, to collection: CheckedExpression) -> Checker {
    var inner = self
    if case .collection(let element) = collection.type {
      inner.scope[name] = element
    } else {
      inner.scope[name] = .any
    }
    return inner
  }
}

// Operators without a key, and after an operator
extension Checker {
  /// Throws for `items.@sum`, which requires a key of the items; values are summed by `@sum.self`.
  func checkKey(
    after component: KeyComponent, _ element: CheckedType
  ) throws(Diagnostic) {
    guard component.name != "count", component.span != .none else { return }
    let isOfNumbers = ["sum", "avg"].contains(component.name)
    let keys: [String]
    switch element {
    case .object(let entity):
      keys = model.allAttributes(of: entity).filter { $0.type.isNumeric || !isOfNumbers }
        .map(\.name.writtenName)
    case .attribute(let type) where type != .json: keys = ["self"]
    default: return
    }
    var problem = Diagnostic(EvaluationError.operatorNeedsKey(component.name), at: component.span)
    let end = SourceSpan(component.span.end, component.span.end)
    problem.fixIts = keys.map { FixIt(end, "." + $0) }
    throw problem
  }

  /// Returns the problem of `items.@distinctUnionOfObjects.title.@count`, in which `@count` applies to each title. The
  /// fix applies it to the list of titles.
  func operatorOfElements(
    _ path: KeyPathTree, at place: Int, after first: String
  ) -> Diagnostic {
    let component = path.components[place]
    var problem = Diagnostic(
      .operatorOfElements("@" + component.name, list: "@" + first), at: component.span)
    let start = path.base?.span.start ?? path.components[0].span.start
    let end = path.components[place - 1].span.end
    guard component.span != .none, start < end else { return problem }
    var edits = [
      TextEdit(SourceSpan(start, start), "("), TextEdit(SourceSpan(end, end), ")"),
    ]
    if component.name != "count", place == path.components.count - 1 {
      edits.append(TextEdit(SourceSpan(component.span.end, component.span.end), ".self"))
    }
    problem.fixIts = [FixIt(edits: edits)]
    return problem
  }
}
