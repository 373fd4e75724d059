import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Looks for a kernel, or a semi-join, for each node of a bound predicate.
struct FilterCompiler {
  let graph: Graph
  let environment: FetchEnvironment
  private var nodes = 0

  init(graph: Graph, environment: FetchEnvironment) {
    self.graph = graph
    self.environment = environment
  }
}

/// An entity whose objects are filtered, with its place.
struct FilterScope {
  let entity: String
  let place: EntityPlace
}

extension FilterCompiler {
  mutating func filter(_ predicate: PredicateTree, _ scope: FilterScope) -> Filter {
    switch predicate.kind {
    case .constant(let value): return node(predicate, .constant(value))
    case .not(let inner):
      let inner = filter(inner, scope)
      return node(predicate, .not(inner))
    case .and(let parts):
      let parts = parts.map { filter($0, scope) }
      return node(predicate, .and(Filter.ordered(parts)))
    case .or(let parts):
      let parts = parts.map { filter($0, scope) }
      return node(predicate, .or(Filter.ordered(parts)))
    case .truth: return node(predicate, .reference)
    case .comparison(let comparison):
      return fast(comparison, predicate, scope) ?? node(predicate, .reference)
    }
  }

  mutating func node(_ predicate: PredicateTree, _ kind: Filter.Kind) -> Filter {
    defer { nodes += 1 }
    return Filter(predicate: predicate, node: nodes, kind: kind)
  }

  /// A comparison that has something faster than the reference evaluator.
  private mutating func fast(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    var comparison = comparison
    if comparison.left.literal != nil, let turned = comparison.turned { comparison = turned }
    guard let literal = literal(comparison.right) else { return nil }
    let question = LeafQuestion(comparison: comparison, literal: literal, predicate: predicate)
    if let left = comparison.left.literal {
      return answer(question, left).map { node(predicate, .constant($0)) }
    }
    switch comparison.left.kind {
    case .evaluatedObject: return selfLeaf(question, scope)
    case .keyPath(let path):
      if let base = path.base { return subqueryCount(base, path, question, scope) }
      return walk(Walk(question, path.components[...]), scope)
    default: return nil
    }
  }

  /// The value of what needs no object: a literal, or a function of some.
  private func literal(_ tree: ExpressionTree) -> Value? {
    if let literal = tree.literal { return literal }
    guard case .function(let call) = tree.kind, !call.selector.hasPrefix("random"),
      call.arguments.allSatisfy({ literal($0) != nil })
    else { return nil }
    return try? tree.evaluate(on: .null, in: environment.evaluation)
  }

  /// What the reference evaluator says if the left side is a value; nil if that fails.
  func answer(_ question: LeafQuestion, _ value: Value) -> Bool? {
    var asked = question.comparison
    asked.left.kind = .constant(Constant(value))
    return try? PredicateTree(.comparison(asked)).evaluate(on: .null, in: environment.evaluation)
  }
}

/// A comparison of something with a literal.
struct LeafQuestion {
  var comparison: Comparison
  let literal: Value
  /// The predicate that it came from.
  var predicate: PredicateTree

  /// The same about the value at the end of another path, without ANY and ALL.
  func asked(of path: ArraySlice<KeyComponent>) -> LeafQuestion {
    var result = self
    result.comparison.modifier = .direct
    result.comparison.left.kind =
      path.isEmpty ? .evaluatedObject : .keyPath(KeyPathTree(Array(path)))
    result.predicate = PredicateTree(.comparison(result.comparison), span: predicate.span)
    return result
  }
}
