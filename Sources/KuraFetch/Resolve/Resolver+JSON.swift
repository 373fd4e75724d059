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
    guard let warnings = environment.warnings else { return }
    let reader = JSONPathReader(graph: snapshot.graph, entity: entity)
    for node in fetch.nodes {
      warnings.note(reader.problems(node, in: [:]), in: environment.source)
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

/// Follows key paths into JSON, and says what they meet there.
private struct JSONPathReader {
  let graph: Graph
  let entity: String

  /// What a path has come to: the JSON behind it, and whether a list was on the way.
  struct Reached {
    var column: Column
    var shape: JSONShape
    var isInList = false
    /// Whether it is one of what stands there: the element of a SUBQUERY.
    var isElement = false

    var isList: Bool { isInList || !isElement && shape.isLists }
  }

  func problems(_ node: TreeNode, in scope: [String: Reached]) -> [Diagnostic] {
    var scope = scope
    var found = here(node, scope)
    if case .expression(let tree) = node,
      case .subquery(let collection, let variable, _) = tree.kind
    {
      var element = reached(collection, scope)
      element?.isInList = false
      element?.isElement = true
      scope[variable] = element
    }
    node.descending {
      node.forEachChild { child, _ in found += problems(child, in: scope) }
    }
    return found
  }

  private func here(_ node: TreeNode, _ scope: [String: Reached]) -> [Diagnostic] {
    switch node {
    case .expression(let tree):
      guard case .keyPath(let path) = tree.kind else { return [] }
      return missingKey(path, scope).map { [$0] } ?? []
    case .predicate(let tree):
      guard case .comparison(let comparison) = tree.kind, comparison.asksForOneValue,
        reached(comparison.left, scope)?.isList == true
      else { return [] }
      return [comparison.warning(of: comparison.left.expressionFormat)]
    }
  }
}

extension JSONPathReader {
  /// What stands at the end of a path of keys into JSON.
  private func reached(_ tree: ExpressionTree, _ scope: [String: Reached]) -> Reached? {
    guard case .keyPath(let path) = tree.kind, var (reached, rest) = start(path, scope) else {
      return nil
    }
    for component in rest {
      guard component.kind == .key, let shape = reached.shape[component.name] else { return nil }
      reached.isInList = reached.isList
      reached.shape = shape
      reached.isElement = false
    }
    return reached
  }

  /// Where a path enters JSON, and its keys from there.
  private func start(
    _ path: KeyPathTree, _ scope: [String: Reached]
  ) -> (Reached, ArraySlice<KeyComponent>)? {
    if let base = path.base {
      guard case .variable(let name) = base.kind, let reached = scope[name] else { return nil }
      return (reached, path.components[...])
    }
    var entity = entity
    for (i, component) in path.components.enumerated() where component.kind == .key {
      if let column = column(component.name, of: entity) {
        let rest = path.components[(i + 1)...]
        return column.jsonShape.map { (Reached(column: column, shape: $0), rest) }
      }
      guard case .relationship(let link)? = graph.model.property(named: component.name, of: entity)
      else { return nil }
      entity = link.destination
    }
    return nil
  }

  private func column(_ key: String, of entity: String) -> Column? {
    guard let place = graph.place(of: entity),
      case .attribute(let column, .json)? = graph.tables[place.table].layout.slots[place.code][key]
    else { return nil }
    return graph.tables[place.table].columns[column]
  }

  /// The warning of a key that nothing has, where one is near or all was looked at.
  private func missingKey(_ path: KeyPathTree, _ scope: [String: Reached]) -> Diagnostic? {
    guard let (start, rest) = start(path, scope) else { return nil }
    var shape = start.shape
    for component in rest {
      guard component.kind == .key else { return nil }
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
