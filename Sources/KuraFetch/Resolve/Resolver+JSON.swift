import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// What only data shows of a json attribute: that there are lists on a path, of which none is one
/// value, and that nothing has a key.
extension Resolver {
  /// Warns of `lines.qty > 5` where `lines` are lists, for `ANY lines.qty > 5` is meant; and of
  /// `payload.usr` where no payload has such a key.
  func warnOfJSON(in fetch: CheckedFetch, of entity: String) {
    guard let warnings = environment.warnings, snapshot.graph.layout.hasJSON else { return }
    let reader = JSONPathReader(graph: snapshot.graph, entity: entity)
    for node in fetch.nodes {
      warnings.note(reader.problems(node, in: [:]), in: environment.source)
    }
  }
}

extension Resolver {
  /// Throws at `sum(lines.price)` where `lines` are lists: of each object it is `lines.@sum.price`.
  func checkJSONAggregates(of fetch: CheckedFetch, _ entity: String) throws(Diagnostic) {
    guard let aggregates = fetch.selection?.grouping?.aggregates, snapshot.graph.layout.hasJSON
    else {
      return
    }
    let reader = JSONPathReader(graph: snapshot.graph, entity: entity)
    for aggregate in aggregates where aggregate.function.operands == .list(of: .number) {
      guard reader.reached(aggregate.argument, [:])?.isList == true else { continue }
      let path = aggregate.argument.expressionFormat
      let each = aggregate.argument.reading(by: aggregate.function)
      throw Diagnostic(
        CheckFacts.aggregateNeedsValue(aggregate.function.names[0], path, each: each),
        at: aggregate.span, fixIt: each.map { FixIt(aggregate.span, $0) })
    }
  }
}

extension CheckedFetch {
  /// Everything in it that reads keys of its objects.
  fileprivate var nodes: [TreeNode] {
    let columns = (selection?.columns ?? []) + (selection?.grouping?.keys ?? [])
    let arguments = selection?.grouping?.aggregates.map(\.argument) ?? []
    let trees = sort.map(\.expression) + (columns + [section].compactMap(\.self)).map(\.tree)
    return [predicate].compactMap { $0.map { .predicate($0) } }
      + (trees + arguments).map { .expression($0) }
  }
}

extension JSONPathReader {
  fileprivate func problems(_ node: TreeNode, in scope: Scope) -> [Diagnostic] {
    var scope = scope
    var found = here(node, scope)
    if case .expression(let tree) = node,
      case .subquery(let collection, let variable, _) = tree.kind
    {
      scope[variable] = element(of: collection, scope)
    }
    node.descending {
      node.forEachChild { child, _ in found += problems(child, in: scope) }
    }
    return found
  }

  private func here(_ node: TreeNode, _ scope: Scope) -> [Diagnostic] {
    switch node {
    case .expression(let tree):
      guard case .keyPath(let path) = tree.kind else { return [] }
      return missingKey(path, scope).map { [$0] } ?? []
    case .predicate(let tree):
      guard case .comparison(let comparison) = tree.kind,
        let reached = reached(comparison.left, scope)
      else { return [] }
      if comparison.asksForOneValue, reached.isList {
        return [comparison.warning(of: comparison.left.expressionFormat)]
      }
      return comparison.problemOfKind(reached.shape).map { [$0] } ?? []
    }
  }

  /// The warning of a key that nothing has, where one is near or all was looked at.
  private func missingKey(_ path: KeyPathTree, _ scope: Scope) -> Diagnostic? {
    guard let (start, rest) = start(path, scope) else { return nil }
    var shape = start.shape
    // What an operator takes in has the keys behind it: `lines.@sum.qty`.
    for component in rest where component.kind != .collectionOperator {
      // Of a list `self` is the elements themselves: `@sum.self`.
      guard component.kind == .key, component.name != "self" else { return nil }
      guard let next = shape[component.name] else {
        return missing(component, of: shape, start)
      }
      shape = next
    }
    return nil
  }

  private func missing(
    _ key: KeyComponent, of shape: JSONShape, _ start: Reached
  ) -> Diagnostic? {
    let near = nearNames(to: key.name, among: shape.keys)
    guard !shape.keys.isEmpty, !near.isEmpty || start.column.shows(start.shape) else { return nil }
    var problem = Diagnostic(
      FetchWarnings.noKeyInJSON(key.name, looked: start.shape.rows, known: shape.keys),
      at: key.span, severity: .warning)
    problem.fixIts = near.map { FixIt(key.span, $0.writtenName) }
    return problem
  }
}

extension Comparison {
  /// Whether a value that it is true of is one, no list.
  fileprivate var asksForOneValue: Bool {
    guard modifier == .direct else { return false }
    switch operation {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
      if case .constant(let constant) = right.kind {
        return !constant.value.isNull && constant.value.elements == nil
      }
      return false
    case .in:
      guard case .aggregate(let parts) = right.kind else { return false }
      return parts.allSatisfy { part in
        if case .constant(let constant) = part.kind {
          constant.value.elements == nil
        } else {
          false
        }
      }
    // Text operators fail at a list, and say so.
    case .notEqual, .contains, .between, .beginsWith, .endsWith, .like, .matches, .selector,
      .unsupported:
      return false
    }
  }

  fileprivate func warning(of path: String) -> Diagnostic {
    let start = left.span.start
    return Diagnostic(
      NeverTrueFacts.listsAreNotOne(path, operation: operation.text),
      at: left.span.joined(right.span), fixIt: FixIt(SourceSpan(start, start), "ANY "),
      severity: .warning)
  }
}
