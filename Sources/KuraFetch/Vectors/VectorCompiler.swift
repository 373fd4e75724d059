import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// Deeper ones are rare, and cost a stack.
  static var deepestVector: Int { 64 }

  /// An expression as something that is worked out for whole chunks; nil where it is none.
  mutating func vector(_ tree: ExpressionTree, _ scope: FilterScope) -> (any VectorNode)? {
    guard tree.height <= Self.deepestVector else { return nil }
    if case .constant(let constant) = tree.kind { return ConstantNode(constant.value) }
    return DeepStack.run {
      encodedNode(tree, scope)
        ?? worked(tree, scope).map { productNode(tree, insteadOf: $0, scope) ?? $0 }
    }
  }

  private mutating func worked(
    _ tree: ExpressionTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    switch tree.kind {
    case .constant(let constant): return ConstantNode(constant.value)
    case .keyPath(let path): return self.path(path, scope)
    case .function(let call): return function(call, scope)
    case .message(let target, let selector, let arguments):
      guard arguments.isEmpty, let inner = vector(target, scope) else { return nil }
      return message(selector, inner)
    case .ternary(let condition, let yes, let no):
      guard let yes = vector(yes, scope), let no = vector(no, scope) else { return nil }
      return TernaryNode(filter(condition, scope), yes, no)
    case .predicate(let predicate):
      guard let yes = ConstantNode(.boolean(true)), let no = ConstantNode(.boolean(false)) else {
        return nil
      }
      return TernaryNode(filter(predicate, scope), yes, no)
    case .variable(let name): return given[name].flatMap { GivenColumnNode($0) }
    case .evaluatedObject, .anyKey, .objectOrQuotient, .index, .indexAfterDot,
      .aggregate, .subquery, .setOperation, .assignment, .fetch:
      return nil
    }
  }

  private mutating func function(
    _ call: FunctionCall, _ scope: FilterScope
  ) -> (any VectorNode)? {
    if let summary = summary(call, scope) ?? listSummary(call, scope) { return summary }
    if call.selector == PredicateFunction.cast.selector, call.arguments.count == 2 {
      return cast(call.arguments[0], to: call.arguments[1].literal, scope)
    }
    var parts: [any VectorNode] = []
    for argument in call.arguments {
      guard let part = vector(argument, scope) else { return nil }
      parts.append(part)
    }
    switch (call.selector, parts.count) {
    case ("coalesce", 1...): return CoalesceNode(parts)
    case ("concat", 1...): return ConcatNode(parts, environment.rules)
    case ("substring", 3): return SubstringNode(parts[0], parts[1], parts[2])
    case ("daysBetween", 2): return DaysBetweenNode(parts[0], parts[1], environment.rules)
    case ("dateByAdding", 3):
      return DateAddingNode(parts, call.arguments[2].literal, environment.rules)
    case ("format", 2...): return DatePeriodNode(call, parts, environment)
    case ("length:", 1): return LengthNode(parts[0])
    case (_, 1):
      guard environment.calendar == nil else { return nil }
      return DatePartNode(call.selector, parts[0], environment.rules)
        ?? NumberNode(call.selector, parts[0]) ?? TextNode(call.selector, parts[0])
    case (_, 2): return arithmetic(call, parts)
    default: return nil
    }
  }

  /// Two operands; a literal next to decimals keeps its digits.
  private func arithmetic(
    _ call: FunctionCall, _ operands: [any VectorNode]
  ) -> (any VectorNode)? {
    guard let operation = ArithmeticNode.Operation(call.selector) else { return nil }
    var operands = operands
    for (place, argument) in call.arguments.enumerated() {
      guard let constant = argument.double, operands[1 - place].kind.hasDecimals else { continue }
      // In rows with integers the literal is the double.
      guard operands[1 - place].kind == .decimal,
        let node = ConstantNode(constant.besideDecimals)
      else { return nil }
      operands[place] = node
    }
    return ArithmeticNode(operation, operands[0], operands[1])
  }

  private mutating func cast(
    _ tree: ExpressionTree, to type: Value?, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard case .string(let name)? = type, let inner = vector(tree, scope) else { return nil }
    switch (name, inner.kind) {
    case ("NSString", .text), ("NSNumber", .integer), ("NSNumber", .double), ("NSNumber", .mixed),
      ("NSDate", .date):
      return inner
    case ("NSString", _): return ConcatNode([inner], keepsNull: true, environment.rules)
    case ("NSNumber", .text): return NumberOfTextNode(inner)
    default: return nil
    }
  }

  /// `title.length`, `FUNCTION(title, "uppercaseString")`
  private func message(_ selector: String, _ inner: any VectorNode) -> (any VectorNode)? {
    guard inner.kind == .text else { return nil }
    if selector == "length" { return LengthNode(inner) }
    return ["trim", "canonical:"].contains(selector) ? nil : TextNode(selector, inner)
  }
}

// Paths
extension FilterCompiler {
  private mutating func path(_ path: KeyPathTree, _ scope: FilterScope) -> (any VectorNode)? {
    if let base = path.base { return summary(ofSubquery: base, path, scope) }
    guard let first = path.components.first, first.kind == .key else { return nil }
    let table = graph.tables[scope.place.table]
    switch table.layout.slots[scope.place.code][first.name] {
    case .attribute(let column, .json)?: return json(path.components.dropFirst(), column, table)
    case .attribute(let column, let type)?:
      guard let node = attribute(column, type, table) else { return nil }
      guard path.components.count == 2, path.components[1].kind == .key else {
        return path.components.count == 1 ? node : nil
      }
      return message(path.components[1].name, node)
    case .toMany?, .inverse?: return summary(path, scope)
    // What goes on behind a to-one is looked up.
    case .toOne?, .unresolved?, nil: return nil
    }
  }

  private func attribute(
    _ column: Int, _ type: AttributeType, _ table: Table
  ) -> (any VectorNode)? {
    type == .string ? TextColumnNode(column, table) : Self.column(column, type)
  }

  /// A column of numbers or dates; nil for other types.
  static func column(_ column: Int, _ type: AttributeType) -> (any VectorNode)? {
    ColumnNode(column, type)
  }

  /// `max(items.dueDate)` as `items.@max.dueDate`
  private mutating func summary(
    _ call: FunctionCall, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard let name = call.function?.collectionOperator, call.arguments.count == 1,
      case .keyPath(var path) = call.arguments[0].kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key }),
      name == "count" ? path.components.count == 1 : path.components.count > 1
    else { return nil }
    path.components.insert(KeyComponent(name, .collectionOperator), at: 1)
    return summary(path, scope)
  }

  /// `items.@avg.estimate`, `items.count`
  private mutating func summary(
    _ path: KeyPathTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard path.components.count > 1, let elements = elements(path.components[0].name, scope)
    else { return nil }
    var rest = path.components.dropFirst()
    if rest.count == 1, rest.first?.kind == .key, rest.first?.name == "count" {
      rest = [KeyComponent("count", .collectionOperator)]
    }
    return summary(rest, elements.0, elements.1)
  }

  /// `SUBQUERY(items, $i, $i.done == NO).@max.dueDate`
  private mutating func summary(
    ofSubquery base: ExpressionTree, _ path: KeyPathTree, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard case .subquery(let collection, let name, let predicate) = base.kind,
      case .keyPath(let source) = collection.kind, let key = source.onlyKey,
      let (all, there) = elements(key, scope),
      let inner = ElementPredicate(name, owner: owner(of: key, scope)).of(predicate)
    else { return nil }
    var folding = ConstantFolding(environment)
    let filter = filter(folding.folded(inner), there)
    guard filter.isOfKernels else { return nil }
    var elements = all
    elements.filter = filter
    return summary(path.components[...], elements, there)
  }

  private mutating func summary(
    _ path: ArraySlice<KeyComponent>, _ elements: SummaryNode.Elements, _ there: FilterScope
  ) -> (any VectorNode)? {
    guard let name = path.first, name.kind == .collectionOperator,
      let operation = SummaryNode.Operation(rawValue: name.name)
    else { return nil }
    let rest = Array(path.dropFirst())
    if rest.isEmpty { return SummaryNode(operation, elements, nil) }
    guard operation != .count, rest.allSatisfy({ $0.kind == .key }),
      let inner = vector(ExpressionTree(.keyPath(KeyPathTree(rest))), there)
    else { return nil }
    return SummaryNode(operation, elements, inner)
  }

  /// The objects of a to-many; nil where links may lead to deleted objects.
  private func elements(
    _ key: String, _ scope: FilterScope
  ) -> (SummaryNode.Elements, FilterScope)? {
    let here = graph.tables[scope.place.table]
    guard !graph.mayDangle, let slot = here.layout.slots[scope.place.code][key],
      let link = ToManyLink(slot), let there = destination(key, scope)
    else { return nil }
    let table = graph.tables[there.place.table]
    return (
      SummaryNode.Elements(
        link: link, here: here, there: table, cancel: environment.cancel), there
    )
  }

  /// The key by which each object of a to-many leads back to the one that has it: a to-one.
  func owner(of key: String, _ scope: FilterScope) -> String? {
    guard !graph.mayDangle,
      case .inverse(let source, let column, isToMany: true)? = graph.tables[scope.place.table]
        .layout.slots[scope.place.code][key],
      case .toOne = graph.tables[source].columns[column].kind
    else { return nil }
    return graph.model.inverse(of: key, in: scope.entity)?.relationship.name
  }
}
