import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Looks for a kernel, or a semi-join, for each node of a bound predicate.
struct FilterCompiler {
  let graph: Graph
  let environment: FetchEnvironment
  private var nodes = 0
  /// How deep the filter stands that is being made.
  private var depth = 0
  /// What share of rows passes a test, by its node, as far as a sample was asked.
  var shares: [Int: Double] = [:]
  /// Columns of the asked table that trees read as variables.
  var given: [String: WholeColumn] = [:]
  /// The codes of columns of integers and dates that were asked for.
  var frames: [ColumnPlace: FrameOfReference?] = [:]

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
  /// The filter of a predicate, or of its opposite.
  ///
  /// NOT goes down to the comparisons (De Morgan), so that what stands under it can be put in order
  /// with what stands beside it. It stays in front of them: `NOT b < 2` is true where b is nil.
  mutating func filter(
    _ predicate: PredicateTree, _ scope: FilterScope, isNegated: Bool = false
  ) -> Filter {
    // What walks over filters goes as deep, on whatever stack there is.
    guard depth < Self.deepest else { return leaf(node(predicate, .reference), isNegated) }
    depth += 1
    defer { depth -= 1 }
    return DeepStack.run { filterKind(predicate, scope, isNegated) }
  }

  /// How deep ANDs, ORs, NOTs and SUBQUERYs may stand in each other that are no work for the
  /// evaluator.
  private static let deepest = 64

  private mutating func filterKind(
    _ predicate: PredicateTree, _ scope: FilterScope, _ isNegated: Bool
  ) -> Filter {
    switch predicate.kind {
    case .constant(let value): return node(predicate, .constant(value != isNegated))
    case .not(let inner): return filter(inner, scope, isNegated: !isNegated)
    case .and(let parts): return chain(parts, predicate, scope, isOr: isNegated, isNegated)
    case .or(let parts): return chain(parts, predicate, scope, isOr: !isNegated, isNegated)
    case .truth: return leaf(node(predicate, .reference), isNegated)
    case .comparison(let comparison):
      let filter =
        fast(comparison, predicate, scope) ?? vectorLeaf(comparison, predicate, scope)
        ?? node(predicate, .reference)
      return leaf(filter, isNegated)
    }
  }

  private mutating func leaf(_ filter: Filter, _ isNegated: Bool) -> Filter {
    guard isNegated else { return filter }
    return node(filter.predicate.turned, .not(filter))
  }

  /// AND or OR of parts; chains in it that are of the same kind are part of it.
  private mutating func chain(
    _ parts: [PredicateTree], _ whole: PredicateTree, _ scope: FilterScope, isOr: Bool,
    _ isNegated: Bool
  ) -> Filter {
    var links: [Filter] = []
    for part in parts {
      let link = filter(part, scope, isNegated: isNegated)
      switch link.kind {
      case .and(let inner) where !isOr: links += inner
      case .or(let inner) where isOr: links += inner
      case .and, .or, .constant, .kernel, .not, .reference: links.append(link)
      }
    }
    let predicate = isNegated ? whole.turned : whole
    if let end = links.last, case .constant(let answer) = end.kind, answer == isOr,
      links.allSatisfy(\.cannotFail)
    {
      return node(predicate, .constant(answer))
    }
    links = ordered(links, scope, isOr: isOr)
    return node(predicate, isOr ? .or(links) : .and(links))
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
    guard let literal = comparison.right.literal else { return nil }
    let question = LeafQuestion(comparison: comparison, literal: literal, predicate: predicate)
    switch comparison.left.kind {
    case .evaluatedObject: return selfLeaf(question, scope)
    case .keyPath(let path) where path.base == nil:
      return walk(Walk(question, path.components[...]), scope)
    default: return nil
    }
  }

  /// What the reference evaluator says if the left side is a value; nil if that fails.
  func answer(_ question: LeafQuestion, _ value: Value) -> Bool? {
    // As SELF it is no text that somebody wrote, which would be read as what stands on the other side.
    var asked = question.comparison
    asked.left.kind = .evaluatedObject
    return try? PredicateTree(.comparison(asked)).evaluate(on: value, in: environment.evaluation)
  }
}

extension PredicateTree {
  /// Its opposite, at the same place.
  var turned: PredicateTree { PredicateTree(.not(self), span: span) }
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
