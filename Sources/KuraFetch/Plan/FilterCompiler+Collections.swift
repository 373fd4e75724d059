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
  /// `SUBQUERY(items, $i, $i.done == NO).@count > 3`, if it asks nothing of the outer object.
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
      let inner = ElementPredicate(name).of(predicate)
    else { return nil }
    let there = FilterScope(entity: relationship.destination, place: place)
    let filter = filter(inner, there)
    guard filter.cannotFail else { return nil }
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
/// Nil where the predicate asks the outer object too.
struct ElementPredicate {
  let variable: String

  init(_ variable: String) { self.variable = variable }

  func of(_ predicate: PredicateTree) -> PredicateTree? {
    predicate.descending { ofKind(of: predicate) }
  }

  private func ofKind(of predicate: PredicateTree) -> PredicateTree? {
    let kind: PredicateTree.Kind?
    switch predicate.kind {
    case .constant: kind = predicate.kind
    case .not(let inner): kind = of(inner).map { .not($0) }
    case .and(let parts): kind = all(parts.map(of)).map { .and($0) }
    case .or(let parts): kind = all(parts.map(of)).map { .or($0) }
    case .truth(let expression): kind = of(expression).map { .truth($0) }
    case .comparison(var comparison):
      guard let left = of(comparison.left), let right = of(comparison.right) else { return nil }
      comparison.left = left
      comparison.right = right
      kind = .comparison(comparison)
    }
    return kind.map { PredicateTree($0, span: predicate.span) }
  }

  private func all<Node>(_ parts: [Node?]) -> [Node]? {
    let known = parts.compactMap { $0 }
    return known.count == parts.count ? known : nil
  }

  private func of(_ expression: ExpressionTree) -> ExpressionTree? {
    expression.descending { ofKind(of: expression) }
  }

  private func ofKind(of expression: ExpressionTree) -> ExpressionTree? {
    let kind: ExpressionTree.Kind?
    switch expression.kind {
    case .constant: kind = expression.kind
    case .variable(let name): kind = name == variable ? .evaluatedObject : expression.kind
    case .keyPath(let path): kind = of(path)
    case .function(var call):
      guard let arguments = all(call.arguments.map(of)) else { return nil }
      call.arguments = arguments
      kind = .function(call)
    case .aggregate(let parts): kind = all(parts.map(of)).map { .aggregate($0) }
    case .subquery(let collection, let name, let predicate):
      // Inside, the same name means another element.
      guard name != variable, let collection = of(collection), let inner = of(predicate) else {
        return nil
      }
      kind = .subquery(collection, variable: name, inner)
    case .ternary(let condition, let yes, let no):
      guard let condition = of(condition), let yes = of(yes), let no = of(no) else { return nil }
      kind = .ternary(condition, yes, no)
    case .evaluatedObject, .message, .index, .indexAfterDot, .setOperation, .assignment, .anyKey,
      .objectOrQuotient, .predicate, .fetch:
      kind = nil
    }
    return kind.map { ExpressionTree($0, span: expression.span) }
  }

  private func of(_ path: KeyPathTree) -> ExpressionTree.Kind? {
    // A path that begins at the object begins at the outer one.
    guard let base = path.base, path.components.allSatisfy({ $0.kind != .variable }) else {
      return nil
    }
    if case .variable(let name) = base.kind {
      return .keyPath(KeyPathTree(base: name == variable ? nil : base, path.components))
    }
    return of(base).map { .keyPath(KeyPathTree(base: $0, path.components)) }
  }
}
