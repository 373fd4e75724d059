import KuraGraph
import KuraModel
import KuraPredicates

/// The objects whose aggregate a row has.
struct RelatedObjects {
  var link: Link
  let scope: FilterScope
  /// The key that leads from an object back to the row; nil if there is none.
  var owner: KeyComponent?
  /// Compiles expressions of objects that belong to another state of the graph; nil for the same one.
  var compiler: FilterCompiler?
  /// The rows in the order of the objects; nil if they are ascending.
  var order: [UInt32]?

  enum Link {
    case relationship(SummaryNode.Elements)
    case equalKeys(ValueJoin)

    /// Treats nil instead of a list as a list without elements.
    mutating func countsNilAsEmpty() {
      guard case .relationship(var elements) = self else { return }
      elements.nilIsEmpty = true
      self = .relationship(elements)
    }
  }

  func aggregate(
    _ operation: SummaryNode.Operation, _ inner: (any VectorNode)?
  ) -> (any VectorNode)? {
    // Doubles are added in the order of the objects.
    if order != nil, operation.addsInOrder, inner?.kind.hasDecimals != true { return nil }
    if operation == .avg, inner?.kind == .decimal {
      // Objects without a value count.
      guard let sum = aggregate(.sum, inner), let count = aggregate(.count, nil) else { return nil }
      return QuotientNode(sum, count, .mean)
    }
    return switch link {
    case .relationship(let elements): SummaryNode(operation, elements, inner)
    case .equalKeys(let join): JoinedNode(operation, join, inner)
    }
  }
}

// Related objects
extension FilterCompiler {
  mutating func vector(
    _ tree: ExpressionTree, of related: RelatedObjects
  ) -> (any VectorNode)? {
    guard var compiler = related.compiler else { return vector(tree, related.scope) }
    return compiler.vector(tree, related.scope)
  }

  /// Returns the objects of to-many relationships, of a SUBQUERY over them, or of a join by value.
  mutating func related(
    _ collection: ExpressionTree, _ scope: FilterScope
  ) -> RelatedObjects? {
    guard case .subquery(let source, let name, let predicate) = collection.kind else {
      guard case .keyPath(let path) = collection.kind else {
        return listed(collection, scope) { .after($0.steps.count) }
      }
      return collection.onlyKey.flatMap { related($0, scope) } ?? related(path, scope)
        ?? listed(collection, scope) { .after($0.steps.count) }
    }
    guard case .keyPath = source.kind else {
      return linkedSubquery(collection, scope).flatMap { related($0, scope) }
        ?? valueJoin(collection, scope)
    }
    guard var found = related(source, scope), case .relationship(var elements) = found.link
    else { return nil }
    let element = ElementPredicate(name, owner: found.owner)
    var (others, pairs): ([PredicateTree], [PairCondition]) = ([], [])
    for part in predicate.conjuncts {
      if let pair = pairMembership(part, name, found.scope, scope) {
        pairs.append(pair)
      } else if let inner = element.of(part) {
        others.append(inner)
      } else if let pair = pairComparison(part, name, found.scope, scope) {
        pairs.append(pair)
      } else {
        return nil
      }
    }
    if !pairs.isEmpty {
      guard case .keyPath(let path) = source.kind, let (links, _) = linkPath(path, scope) else {
        return nil
      }
      elements.link = .path(
        LinkPath(
          links, where: pairs, from: elements.here, to: elements.there, environment.cancel))
    }
    var folding = ConstantFolding(environment)
    var compiler = found.compiler ?? self
    elements.filter = PredicateTree.all(others).map {
      compiler.filter(folding.folded($0), found.scope)
    }
    guard elements.filter?.isOfKernels != false else { return nil }
    elements.nilIsEmpty = true
    found.link = .relationship(elements)
    return found
  }

  /// Returns the objects of a to-many relationship; nil if links may lead to deleted objects.
  func related(_ key: KeyComponent, _ scope: FilterScope) -> RelatedObjects? {
    let here = graph.tables[scope.place.table]
    guard !graph.mayDangle, let path = graph.link(key, from: scope),
      let link = ToManyLink(path.slot), case let there = path.destination,
      // Doubles are added in the order of the objects.
      graph.tables[there.place.table].identifiers.isAscending
    else { return nil }
    let elements = SummaryNode.Elements(
      link: .toMany(link), here: here, there: graph.tables[there.place.table],
      count: graph.tables[there.place.table].count, cancel: environment.cancel)
    return RelatedObjects(
      link: .relationship(elements), scope: there, owner: owner(of: key, scope))
  }

  /// Returns the to-one relationship by which each object of a to-many relationship leads back to its owner.
  func owner(of key: KeyComponent, _ scope: FilterScope) -> KeyComponent? {
    guard !graph.mayDangle,
      case .inverse(let source, let column, isToMany: true)? = graph.slot(key, of: scope.place),
      case .toOne = graph.tables[source].columns[column].kind
    else { return nil }
    return graph.inverse(of: key)
  }
}
