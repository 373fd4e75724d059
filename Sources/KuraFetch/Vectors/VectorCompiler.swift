import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// Deeper expressions are rare, and would need stack space.
  static var deepestVector: Int { 64 }

  /// Compiles an expression for whole chunks; returns nil if that is not possible.
  mutating func vector(_ tree: ExpressionTree, _ scope: FilterScope) -> (any VectorNode)? {
    guard tree.height <= Self.deepestVector else { return nil }
    if case .constant(let constant) = tree.kind { return ConstantNode(constant.value) }
    return DeepStack.run {
      encodedNode(tree, scope)
        ?? plainVector(tree, scope).map { productNode(tree, insteadOf: $0, scope) ?? $0 }
    }
  }

  /// Compiles an expression without codes of its values.
  mutating func plainVector(
    _ tree: ExpressionTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    switch tree.kind {
    case .constant(let constant): return ConstantNode(constant.value)
    case .keyPath(let path):
      return scope.list.map { self.path(path, of: $0, scope) } ?? self.path(path, scope)
    case .function(let call): return function(call, scope)
    case .message(let target, let selector, let arguments):
      guard arguments.isEmpty, let inner = vector(target, scope) else { return nil }
      return message(selector, to: inner)
    case .ternary(let condition, let yes, let no):
      guard let yes = vector(yes, scope), let no = vector(no, scope) else { return nil }
      return TernaryNode(filter(condition, scope), yes, no)
    case .predicate(let predicate):
      guard let yes = ConstantNode(.boolean(true)), let no = ConstantNode(.boolean(false)) else {
        return nil
      }
      return TernaryNode(filter(predicate, scope), yes, no)
    case .variable(let name):
      return given[name].flatMap { ColumnNode(0, $0.type, given: $0.column) }
    case .index(let list, let place):
      if case .function(let call) = list.kind, let inner = call.arguments.first,
        let text = call.element(place, environment.evaluation)
      {
        return vector(inner, scope).flatMap(text.node)
      }
      if case .size = place {
        return partCount(list, scope) ?? related(list, scope)?.aggregate(.count, nil)
      }
      return jsonPath(tree, scope).flatMap { JSONPathNode($0.column, $0.path) }
    case .evaluatedObject:
      guard scope.list != nil else { return nil }
      return jsonPath(tree, scope).flatMap { JSONPathNode($0.column, $0.path) }
    case .anyKey, .objectOrQuotient, .indexAfterDot,
      .aggregate, .subquery, .mapped, .setOperation, .assignment, .fetch:
      return nil
    }
  }

  private mutating func function(
    _ call: FunctionCall, _ scope: FilterScope
  ) -> (any VectorNode)? {
    if let summary = summary(call, scope) ?? distinctCount(call, scope) { return summary }
    guard let function = call.builtIn, function.entry.operands.accept(call.arguments.count) else {
      return nil
    }
    switch function.loop.row {
    case .list(let operation): return listSummary(call, operation, scope)
    case .cast: return cast(call.arguments[0], to: call.arguments[1].literal, scope)
    case .textAndLiterals:
      guard let text = call.ofFirstText(environment.evaluation) else { return nil }
      return vector(call.arguments[0], scope).flatMap(text.node)
    case .arithmetic(let operation):
      return call.arguments.mapAll { vector($0, scope) }.flatMap {
        arithmetic(call, operation, $0, scope)
      }
    case .part(let part):
      guard environment.calendar == nil else { return nil }
      return vector(call.arguments[0], scope).flatMap { part.node(of: $0, environment.rules) }
    case .node(let node):
      return call.arguments.mapAll { vector($0, scope) }.flatMap {
        node(LoopOperands(call: call, nodes: $0, environment: environment))
      }
    case nil: return nil
    }
  }

  /// Compiles an operation; a literal among decimals keeps its digits, even if it is chosen only for some rows.
  private mutating func arithmetic(
    _ call: FunctionCall, _ operation: ArithmeticNode.Operation, _ operands: [any VectorNode],
    _ scope: FilterScope
  ) -> (any VectorNode)? {
    var operands = operands
    for (place, argument) in call.arguments.enumerated() {
      let literals = argument.doubleLiterals
      guard !literals.isEmpty, operands[1 - place].kind.hasDecimals else { continue }
      // In rows with integers the literal is a double.
      guard operands[1 - place].kind == .decimal,
        argument.choices == nil || literals.allSatisfy(\.isExactBesideDecimals),
        let node = vector(argument.besideDecimals, scope)
      else { return nil }
      operands[place] = node
    }
    return QuotientNode(operation, operands[0], operands[1])
      ?? ArithmeticNode(operation, operands[0], operands[1])
      ?? (operation == .divide ? QuotientNode(operands[0], operands[1]) : nil)
  }

  private mutating func cast(
    _ tree: ExpressionTree, to type: Value?, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard case .string(let name)? = type, let inner = vector(tree, scope) else { return nil }
    let isOptional = name.hasSuffix("?")
    switch (isOptional ? String(name.dropLast()) : name, inner.kind) {
    case ("NSString", .text), ("NSNumber", .integer), ("NSNumber", .double), ("NSNumber", .mixed),
      ("NSDate", .date):
      return inner
    case ("NSString", _):
      return ComputedNode.concatenated([inner], keepsNull: true, environment.rules)
    case ("NSNumber", .text):
      return ComputedNode.numberOfText(inner, othersAreNull: isOptional)
    case ("NSNumber", .date): return ComputedNode.seconds(inner)
    default: return nil
    }
  }

  /// Compiles `title.length`, `FUNCTION(title, "uppercaseString")`, `date.timeIntervalSince1970`, `link.host`
  private func message(_ selector: String, to inner: any VectorNode) -> (any VectorNode)? {
    if inner.kind == .date { return ComputedNode.seconds(inner, message: selector) }
    if inner.kind == .uri { return ComputedNode.addressPart(inner, message: selector) }
    guard inner.kind == .text,
      let function = BuiltInFunction(message: selector) ?? BuiltInFunction(selector: selector),
      function.entry.operands.accept(1), case .node(let node)? = function.loop.row
    else { return nil }
    return node(
      LoopOperands(call: FunctionCall(function, []), nodes: [inner], environment: environment))
  }
}

// Paths
extension FilterCompiler {
  private mutating func path(_ path: KeyPathTree, _ scope: FilterScope) -> (any VectorNode)? {
    if let base = path.base {
      if case .index(let list, let index) = base.kind {
        if let node = joinedElement(list, index, KeyPathTree(path.components), scope) {
          return node
        }
        return jsonPath(ExpressionTree(.keyPath(path)), scope)
          .flatMap { JSONPathNode($0.column, $0.path) }
      }
      if path.isCount {
        if let count = partCount(base, scope) { return count }
        if let count = distinctCount(of: base, scope) { return count }
      }
      return summary(of: base, path, scope)
    }
    guard let first = path.components.first, first.kind == .key else { return nil }
    let table = graph.tables[scope.place.table]
    switch graph.slot(first, of: scope.place) {
    case .attribute(_, .json)?:
      return jsonPath(ExpressionTree(.keyPath(path)), scope)
        .flatMap { JSONPathNode($0.column, $0.path) } ?? summary(path, scope)
    case .attribute(let column, let type)?:
      guard let node = attribute(column, type, table) else { return nil }
      guard path.components.count == 2, path.components[1].kind == .key else {
        return path.components.count == 1 ? node : nil
      }
      return message(path.components[1].name, to: node)
    case .toMany?, .inverse?: return summary(path, scope)
    // Paths across a to-one relationship are looked up.
    case .toOne?, .unresolved?: return nil
    case nil:
      guard path.hasKeysOnly, path.components.map(\.name) == ["entity", "name"] else { return nil }
      return GatherNode(table.layout.entities.map { .string($0) }, Encoding(entitiesOf: table))
    }
  }

  private func attribute(
    _ column: Int, _ type: AttributeType, _ table: Table
  ) -> (any VectorNode)? {
    let node: (any VectorNode)? = TextColumnNode(column, type, table) ?? ColumnNode(column, type)
    guard forced == .fallback, let node else { return node }
    return ComputedNode(node.kind, [], cost: node.cost, isSure: false) { _, rows in
      .unknown(node.kind, rows.count)
    }
  }

  /// Compiles `max(items.dueDate)`, `sum(items.(price * count))`, `median(items.price)`
  private mutating func summary(
    _ call: FunctionCall, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard let operation = SummaryNode.Operation(call), let argument = call.arguments.first else {
      return nil
    }
    switch argument.kind {
    case .function where operation == .count: return partCount(argument, scope)
    case .mapped: return summary(operation, of: argument, scope)
    case .subquery where operation == .count:
      return related(argument, scope)?.aggregate(.count, nil)
    default: break
    }
    guard case .keyPath(let path) = argument.kind, path.hasKeysOnly, !path.asksSize else {
      return nil
    }
    if let base = path.base {
      guard operation != .count else { return nil }
      return related(base, scope).flatMap { summary(operation, path.components, $0) }
    }
    if var listed = listed(argument, scope, { _ in .first }) {
      listed.link.countsNilAsEmpty()
      return listed.aggregate(operation, operation == .count ? nil : values(of: listed))
    }
    let keys = keysOfObjects(path, scope)
    guard keys > 0, (operation == .count) == (path.components.count == keys) else { return nil }
    let collection = KeyPathTree(Array(path.components[..<keys]))
    return related(ExpressionTree(.keyPath(collection)), scope)
      .flatMap { summary(operation, Array(path.components[keys...]), $0) }
  }

  /// Returns the values in the elements of a list in JSON.
  private func values(of listed: RelatedObjects) -> (any VectorNode)? {
    listed.scope.list.flatMap { JSONPathNode($0.column, $0.keys) }
  }

  /// Compiles `items.@avg.estimate`, `orders.items.count`, `order.lines.@sum.price` of a list in JSON
  private mutating func summary(
    _ path: KeyPathTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    let place = path.components.firstIndex { $0.kind == .collectionOperator || $0.name == "count" }
    guard let place, place > 0 else { return nil }
    let collection = KeyPathTree(Array(path.components[..<place]))
    return related(ExpressionTree(.keyPath(collection)), scope)
      .flatMap { summary(path.components[place...], $0) }
  }

  /// Compiles the number of elements of `split(email, "@")`.
  private mutating func partCount(_ list: ExpressionTree, _ scope: FilterScope) -> ComputedNode? {
    guard case .function(let call) = list.kind, call.builtIn == .split, call.arguments.count == 2,
      case .string(let text)? = call.arguments[1].literal, let separator = ByteSeparator(text)
    else { return nil }
    return vector(call.arguments[0], scope).flatMap { .partCount(of: $0, separator) }
  }

  /// Returns the number of keys of a path up to its last to-many relationship.
  func keysOfObjects(_ path: KeyPathTree, _ scope: FilterScope) -> Int {
    let links = graph.links(path.components, from: scope)
    return links.lastIndex { ToManyLink($0.slot) != nil }.map { $0 + 1 } ?? 0
  }

  /// Compiles `SUBQUERY(items, $i, $i.done == NO).@max.dueDate`, `items.@sum.(price * count)`
  private mutating func summary(
    of base: ExpressionTree, _ path: KeyPathTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    if case .mapped = base.kind {
      guard let name = path.operatorOfSelf, let operation = SummaryNode.Operation(named: name)
      else { return nil }
      return summary(operation, of: base, scope)
    }
    return related(base, scope).flatMap { summary(path.components[...], $0) }
  }

  /// Compiles an aggregate of `items.(price * count)`.
  private mutating func summary(
    _ operation: SummaryNode.Operation, of mapped: ExpressionTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard case .mapped(let collection, let variable, let inner) = mapped.kind,
      let related = related(collection, scope)
    else { return nil }
    if operation == .count { return related.aggregate(operation, nil) }
    var folding = ConstantFolding(environment)
    guard let tree = ElementPredicate(variable, owner: related.owner).of(inner),
      let node = vector(folding.folded(tree), of: related)
    else { return nil }
    return related.aggregate(operation, node)
  }

  private mutating func summary(
    _ path: ArraySlice<KeyComponent>, _ related: RelatedObjects
  ) -> (any VectorNode)? {
    guard let name = path.first else { return nil }
    let rest = Array(path.dropFirst())
    // For a collection it is the size, even if its objects have such a key.
    if name.kind == .key, name.name == "count", rest.isEmpty {
      return related.aggregate(.count, nil)
    }
    guard name.kind == .collectionOperator,
      let operation = SummaryNode.Operation(named: name.name)
    else { return nil }
    return summary(operation, rest, related)
  }

  /// Compiles an aggregate of the values that keys lead to from related objects.
  private mutating func summary(
    _ operation: SummaryNode.Operation, _ keys: [KeyComponent], _ related: RelatedObjects
  ) -> (any VectorNode)? {
    if keys.isEmpty { return related.aggregate(operation, nil) }
    guard operation != .count, keys.allSatisfy({ $0.kind == .key }),
      let inner = keys.map(\.name) == ["self"] && related.scope.list != nil
        ? values(of: related) : vector(ExpressionTree(.keyPath(KeyPathTree(keys))), of: related)
    else { return nil }
    return related.aggregate(operation, inner)
  }
}

extension SummaryNode.Operation {
  /// Returns nil for other collection operators than those of numbers.
  fileprivate init?(named name: String) {
    switch CollectionOperator(rawValue: name) {
    case .count: self = .count
    case .sum: self = .sum
    case .avg: self = .avg
    case .min: self = .min
    case .max: self = .max
    default: return nil
    }
  }

  /// Returns nil for functions that are no aggregates of numbers.
  fileprivate init?(_ call: FunctionCall) {
    if let operation = call.function?.collectionOperator, call.arguments.count == 1 {
      self.init(named: operation.rawValue)
      return
    }
    switch (call.builtIn, call.arguments.count) {
    case (.median, 1): self = .median
    case (.stddev, 1): self = .deviation
    case (.percentile, 2):
      // The evaluator reports an invalid percentage.
      guard let share = call.arguments[1].literal?.approximateNumber, 0...100 ~= share else {
        return nil
      }
      self = .percentile(share)
    default: return nil
    }
  }
}

extension FilterCompiler {
  /// Compiles `max({cost, priority})`, `sum({a, b})`, `average(a, b)`: aggregates of several expressions, row by row.
  private mutating func listSummary(
    _ call: FunctionCall, _ operation: ColumnAggregate.Loop, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard let elements = call.listedElements else { return nil }
    let known = elements.filter { $0.literal?.isNull != true }
    switch operation {
    case .count: return nil
    case .min, .max:
      return known.mapAll { vector($0, scope) }.flatMap {
        ComputedNode.extreme($0, isGreatest: operation == .max)
      }
    case .sum: return sum(known, scope)
    case .average:
      return sum(known, scope).flatMap { ComputedNode.mean(sum: $0, count: elements.count) }
    }
  }

  /// Compiles `0 + coalesce(cost, 0) + coalesce(priority, 0)`: nil counts as 0.
  private mutating func sum(
    _ elements: [ExpressionTree], _ scope: FilterScope
  ) -> (any VectorNode)? {
    if elements.isEmpty { return nil }
    let zero = ExpressionTree(.constant(Constant(.integer(0))))
    let sum = elements.reduce(zero) { sum, element in
      let filled = ExpressionTree(.function(FunctionCall(.coalesce, [element, zero])))
      return ExpressionTree(.function(FunctionCall(.add, [sum, filled])))
    }
    return vector(sum, scope)
  }
}

extension FunctionCall {
  /// The elements of a list literal, or several arguments.
  fileprivate var listedElements: [ExpressionTree]? {
    if arguments.count > 1 { return arguments }
    if case .aggregate(let elements)? = arguments.first?.kind, !elements.isEmpty { return elements }
    return nil
  }
}
