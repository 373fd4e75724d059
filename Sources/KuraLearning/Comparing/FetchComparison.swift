package import KuraDiagnostics
package import KuraFetch
package import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
package import KuraValues

/// The results of two fetches: the common objects, and those of only one fetch.
package struct FetchComparison: Sendable {
  package let first: BoundRequest
  package let second: BoundRequest
  package let both: [Bitmap]
  package let onlyFirst: [Bitmap]
  package let onlySecond: [Bitmap]
  /// The number of objects of either source that neither finds.
  package let neither: Int
}

extension FetchComparison {
  /// Runs both fetches; throws if one fails, or their entities have no table in common.
  package init(_ first: BoundRequest, _ second: BoundRequest) throws(Diagnostic) {
    let graph = first.snapshot.graph
    guard graph.place(of: first.entity)?.table == graph.place(of: second.entity)?.table else {
      throw Diagnostic(CompareProblem.nothingInCommon(first.entity, second.entity))
    }
    let (a, b) = (try first.foundRows(), try second.foundRows())
    self.init(
      first: first, second: second, both: a.intersection(b), onlyFirst: a.subtracting(b),
      onlySecond: b.subtracting(a),
      neither: first.candidates.union(second.candidates).subtracting(a).subtracting(b).popcount)
  }

  /// Whether they find the same objects here.
  package var agrees: Bool { onlyFirst.isVoid && onlySecond.isVoid }

  /// The rows that only one finds.
  package var difference: [Bitmap] { onlyFirst.union(onlySecond) }

  /// Returns the first objects of these rows.
  package func objects(_ rows: [Bitmap], _ count: Int) -> [Value] {
    rows.firstRows(count).map { .object(ObjectReference(first.object(atRow: $0))) }
  }
}

extension BoundRequest {
  /// Returns the rows of the objects that the fetch finds, with its limit and offset.
  fileprivate func foundRows() throws(Diagnostic) -> [Bitmap] {
    guard limit != nil || offset > 0 else { return try passingRows() }
    var result = candidates.map { Bitmap(count: $0.count) }
    for row in try run().rows {
      result[Int(row) >> ColumnChunk.shift][Int(row) & ColumnChunk.mask] = true
    }
    return result
  }
}

/// The reasons why two fetches cannot be compared.
package enum CompareProblem: DiagnosticFacts {
  /// `compare Item where … with fetch Category where …`
  case nothingInCommon(String, String)

  package var sentence: String {
    switch self {
    case .nothingInCommon(let a, let b): localized("no object belongs to both \(a) and \(b)")
    }
  }

  package var help: String? { localized("compare fetches of the same entity or its subentities") }
}

extension FetchComparison {
  /// Returns the rule that causes the difference; nil if the fetches agree or no rule is found.
  package func rule(_ texts: PartTexts) throws(Diagnostic) -> SeparatingRule? {
    if agrees { return nil }
    guard let a = first.predicate, let b = second.predicate else {
      return (first.predicate ?? second.predicate).map { .morePart(texts.whole($0)) }
    }
    if let rule = try ruleOfData(a, b) { return rule }
    guard let difference = TreeDifference(a, b) else { return .extent }
    if let rule = difference.rule { return rule }
    guard let more = difference.first ?? difference.second, difference.isOfOne else { return nil }
    return .morePart(texts.whole(more))
  }

  /// Returns a rule if something is nil or empty in every object that differs.
  private func ruleOfData(
    _ a: PredicateTree, _ b: PredicateTree
  ) throws(Diagnostic) -> SeparatingRule? {
    let leaves = a.ownLeaves(besides: b) + b.ownLeaves(besides: a)
    let paths = PathList(leaves.isEmpty ? a.leaves : leaves)
    for path in paths.values where try matches(path.isNull) {
      let rule = nullRule(a, b, path.path)
      return .null(key: path.path.description, isElement: path.isThroughToMany, involves: rule)
    }
    for collection in paths.collections where try matches(collection.isEmpty) {
      return .empty(collection: collection.path.description)
    }
    return nil
  }

  /// Returns whether a predicate is true for every object that differs.
  private func matches(_ question: PredicateTree) throws(Diagnostic) -> Bool {
    let difference = difference
    do throws(Diagnostic) {
      return try first.passing(question, among: difference) == difference
    } catch {
      if error.isStop { throw error }
      return false
    }
  }

  private func nullRule(
    _ a: PredicateTree, _ b: PredicateTree, _ path: KeyPathTree
  ) -> SeparatingRule.NullRule {
    let leaves = (a.leaves + b.leaves).filter { $0.keyPaths.contains(path) }
    let isUnequal = leaves.contains { leaf in
      guard case .comparison(let comparison) = leaf.kind else { return false }
      return comparison.operation == .notEqual && !comparison.right.isLiteralNull
    }
    if isUnequal { return .unequal }
    return a.hasNegation || b.hasNegation ? .negation : .comparison
  }
}

extension TreeDifference {
  /// Whether only one predicate has the part.
  fileprivate var isOfOne: Bool { first == nil || second == nil }
}

extension PredicateTree {
  /// Returns the leaves that the other predicate lacks.
  fileprivate func ownLeaves(besides other: PredicateTree) -> [PredicateTree] {
    let others = Set(other.leaves)
    return leaves.filter { !others.contains($0) }
  }

  fileprivate var hasNegation: Bool {
    allNodes.predicates.contains { if case .not = $0.kind { true } else { false } }
  }
}

/// The distinct key paths of leaves, with their properties in the model.
private struct PathList {
  struct Path {
    let path: KeyPathTree
    let isThroughToMany: Bool

    /// `dueDate == nil`, `ANY items.price == nil`
    var isNull: PredicateTree {
      let null = ExpressionTree(.constant(Constant(.null)))
      return PredicateTree(
        .comparison(
          Comparison(
            ExpressionTree(.keyPath(path)), .equal, null,
            modifier: isThroughToMany ? .any : .direct)))
    }

    /// `items.@count == 0`
    var isEmpty: PredicateTree {
      let count = KeyPathTree(path.components + [KeyComponent("count", .collectionOperator)])
      let zero = ExpressionTree(.constant(Constant(.integer(0))))
      return PredicateTree(
        .comparison(Comparison(ExpressionTree(.keyPath(count)), .equal, zero)))
    }
  }

  private(set) var values: [Path] = []
  private(set) var collections: [Path] = []

  init(_ leaves: [PredicateTree]) {
    for path in leaves.flatMap(\.keyPaths) where path.base == nil { add(path) }
  }

  private mutating func add(_ path: KeyPathTree) {
    var keys: [KeyComponent] = []
    for component in path.components {
      guard component.kind == .key else { return }
      keys.append(component)
      guard let relationship = component.property?.relationship else {
        return addValue(path, isThroughToMany: !collections(keys).isEmpty)
      }
      if relationship.isToMany { addCollection(KeyPathTree(keys)) }
    }
    if collections(keys).isEmpty { addValue(path, isThroughToMany: false) }
  }

  /// Returns the to-many relationships of a path.
  private func collections(_ keys: [KeyComponent]) -> [Path] {
    collections.filter { keys.starts(with: $0.path.components) }
  }

  private mutating func addValue(_ path: KeyPathTree, isThroughToMany: Bool) {
    guard !values.contains(where: { $0.path == path }) else { return }
    values.append(Path(path: path, isThroughToMany: isThroughToMany))
  }

  private mutating func addCollection(_ path: KeyPathTree) {
    guard !collections.contains(where: { $0.path == path }) else { return }
    collections.append(Path(path: path, isThroughToMany: true))
  }
}
