import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// `items.@count > 3`, `items.@avg.estimate > 240`
  mutating func collectionOperator(
    _ name: String, _ link: SemiJoin.Link, _ walk: Walk, _ there: FilterScope
  ) -> Filter? {
    guard !walk.isInside, walk.question.comparison.modifier == .direct else { return nil }
    let question = walk.question.asked(of: walk.rest)
    if name == "count", walk.rest.count == 2 {
      let all = node(PredicateTree(.constant(true)), .constant(true))
      return counting(all, walk.key, link, question, there)
    }
    guard let operation = Summary.Operation(rawValue: "@" + name), walk.rest.count == 3,
      let key = walk.rest.last, key.kind == .key, case .inverse(let links) = link,
      case .toOne = graph.tables[there.place.table].columns[links].kind,
      case .attribute(let column, let type)? = graph.tables[there.place.table].layout
        .slots[there.place.code][key.name],
      let summary = summary(operation, key.name, column, type, question)
    else { return nil }
    let all = node(PredicateTree(.constant(true)), .constant(true))
    let join = SemiJoin(
      key: walk.key, link: link, table: there.place.table, filter: all,
      question: .summary(summary))
    return node(question.predicate, .join(join))
  }

  private mutating func counting(
    _ filter: Filter, _ key: String, _ link: SemiJoin.Link, _ question: LeafQuestion,
    _ there: FilterScope
  ) -> Filter? {
    let operation = question.comparison.operation
    guard !question.literal.isNull, let ranges = question.literal.integerRanges(operation) else {
      return nil
    }
    let join = SemiJoin(
      key: key, link: link, table: there.place.table, filter: filter,
      question: .count(ranges, isNegated: operation == .notEqual))
    return node(question.predicate, .join(join))
  }

  private func summary(
    _ operation: Summary.Operation, _ key: String, _ column: Int, _ type: AttributeType,
    _ question: LeafQuestion
  ) -> Summary? {
    guard !question.literal.isNull, let nullPasses = answer(question, .null) else { return nil }
    let asked = question.comparison.operation
    let test: Summary.Test?
    switch (type, operation) {
    case (.integer, .average), (.integer16, .average), (.integer32, .average),
      (.double, _), (.float, _):
      test = question.literal.doubleRanges(asked).map { .doubles($0) }
    case (.integer, _), (.integer16, _), (.integer32, _), (.date, .least), (.date, .greatest):
      test = question.literal.integerRanges(asked).map { .integers($0) }
    case (.date, _), (.decimal, _), (.string, _), (.boolean, _), (.uuid, _), (.uri, _),
      (.binary, _), (.json, _):
      test = nil
    }
    return test.map {
      Summary(
        operation: operation, key: key, column: column, test: $0, isNegated: asked == .notEqual,
        nullPasses: nullPasses)
    }
  }
}

extension FilterCompiler {
  /// `SUBQUERY(items, $i, $i.done == NO).@count > 3`, if each element leads to what else it asks.
  mutating func subqueryCount(
    _ base: ExpressionTree, _ path: KeyPathTree, _ question: LeafQuestion, _ scope: FilterScope
  ) -> Filter? {
    guard case .subquery(let collection, let name, let predicate) = base.kind,
      question.comparison.modifier == .direct,
      path.components.count == 1, path.components[0].kind == .collectionOperator,
      path.components[0].name == "count",
      case .keyPath(let source) = collection.kind, let key = source.onlyKey,
      let slot = graph.tables[scope.place.table].layout.slots[scope.place.code][key],
      let link = SemiJoin.Link(toMany: slot),
      case .relationship(let relationship)? = graph.model.property(named: key, of: scope.entity),
      let place = graph.place(of: relationship.destination),
      let inner = ElementPredicate(name, owner: owner(of: key, scope)).of(predicate)
    else { return nil }
    let there = FilterScope(entity: relationship.destination, place: place)
    let filter = filter(inner, there)
    guard filter.isFast else { return nil }
    return counting(filter, key, link, question, there)
  }
}

extension SemiJoin.Link {
  /// The links of a to-many; nil for every other slot.
  init?(toMany slot: KeySlot) {
    switch slot {
    case .toMany(let column, _, _): self = .lists(column: column)
    case .inverse(_, let column, isToMany: true): self = .inverse(column: column)
    case .inverse, .attribute, .toOne, .unresolved: return nil
    }
  }
}

/// A subquery's predicate as one about its element: `$i.done` becomes `done`, `$i` becomes SELF.
///
/// Where a key of the element leads to the outer object, `name` becomes `owner.name`; else it is nil
/// where the predicate asks the outer object too.
struct ElementPredicate {
  let variable: String
  let owner: String?

  init(_ variable: String, owner: String? = nil) {
    self.variable = variable
    self.owner = owner
  }

  func of(_ predicate: PredicateTree) -> PredicateTree? { try? turned(predicate) }

  /// It asks what is not the element's.
  private struct AsksOutside: Error {}

  private func turned(_ predicate: PredicateTree) throws(AsksOutside) -> PredicateTree {
    try predicate.mapParts(
      predicate: { part throws(AsksOutside) in try turned(part) },
      expression: { part throws(AsksOutside) in try turned(part) })
  }

  private func turned(_ expression: ExpressionTree) throws(AsksOutside) -> ExpressionTree {
    switch expression.kind {
    case .constant, .function, .aggregate, .ternary: break
    case .variable(variable): return ExpressionTree(.evaluatedObject, span: expression.span)
    case .variable: return expression
    case .keyPath(let path):
      if let owner, path.base == nil, path.components.allSatisfy({ $0.kind != .variable }) {
        return expression.withHead(owner)
      }
      guard try begins(path) else { break }
      return ExpressionTree(.keyPath(KeyPathTree(path.components)), span: expression.span)
    // Inside, the same name means another element.
    case .subquery(_, variable, _): throw AsksOutside()
    case .subquery: break
    case .evaluatedObject, .message, .index, .indexAfterDot, .setOperation, .assignment, .anyKey,
      .objectOrQuotient, .predicate, .fetch:
      throw AsksOutside()
    }
    return try expression.mapParts(
      predicate: { part, _ throws(AsksOutside) in try turned(part) },
      expression: { part throws(AsksOutside) in try turned(part) })
  }

  /// Whether a path begins at the element. One that begins at the object begins at the outer one.
  private func begins(_ path: KeyPathTree) throws(AsksOutside) -> Bool {
    guard let base = path.base, path.components.allSatisfy({ $0.kind != .variable }) else {
      throw AsksOutside()
    }
    if case .variable(variable) = base.kind { return true }
    return false
  }
}
