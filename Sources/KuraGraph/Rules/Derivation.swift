import KuraModel
import KuraPredicates
import KuraValues

/// A derived attribute, and the dependencies of its value.
struct Derivation: Sendable {
  var entity: String
  var attribute: Attribute
  var expression: ExpressionTree
  /// The relationships on its paths: `[items]` for `items.@sum.price`.
  var routes: [[String]]
  /// Whether it reads more than paths from the object, so that every change affects every object.
  var isBoundless = false
  /// Whether it contains `now()`, which is the time of the last save that wrote the object.
  var readsClock = false
}

extension Derivation {
  init?(_ attribute: Attribute, of entity: String, in model: Model) {
    guard let expression = attribute.derivation else { return nil }
    self.init(entity: entity, attribute: attribute, expression: expression, routes: [])
    TreeNode.expression(expression).walk { node, _ in
      note(node, model)
      return .into
    }
  }

  private mutating func note(_ node: TreeNode, _ model: Model) {
    guard case .expression(let expression) = node else { return }
    switch expression.kind {
    case .keyPath(let path):
      switch path.base?.kind {
      case nil, .evaluatedObject: routes.append(model.route(path, from: entity))
      case .some: isBoundless = true
      }
    case .fetch, .subquery, .mapped, .message, .anyKey, .objectOrQuotient: isBoundless = true
    case .function(let call):
      if call.depends(on: .clock) { readsClock = true }
    case .constant, .evaluatedObject, .variable, .index, .indexAfterDot, .aggregate, .ternary,
      .setOperation, .assignment, .predicate:
      return
    }
  }
}

extension Model {
  /// Returns the relationships at the start of a path, without collection operators.
  fileprivate func route(_ path: KeyPathTree, from entity: String) -> [String] {
    var route: [String] = []
    var place = entity
    for component in path.components where component.kind != .collectionOperator {
      guard let relationship = self.relationship(named: component.name, of: place) else { break }
      route.append(component.name)
      place = relationship.destination
    }
    return route
  }

  /// All derived attributes, in the order of the entities.
  var derivations: [Derivation] {
    entities.flatMap { entity in
      entity.attributes.compactMap { Derivation($0, of: entity.name, in: self) }
    }
  }
}

// Derived values that can be computed without objects
extension Graph {
  /// Returns the value of `items.@count`, without reading the objects.
  func counted(_ derivation: Derivation, _ place: GraphPlace) -> Value? {
    let table = tables[place.table]
    guard let key = derivation.countedKey, !mayDangle,
      let slot = table.layout.slots[table.entityCode(place.row)][key]
    else { return nil }
    switch slot {
    case .inverse(let source, let column, isToMany: true):
      return .integer(Int64(inverse(source: source, column: column)[place.row].count))
    case .toMany(let column, _, _):
      return .integer(Int64(table.columns[column].targetCount(place.row)))
    case .attribute, .toOne, .inverse, .unresolved: return nil
    }
  }

  /// Returns the value of `items.@sum.price`, by passing the values of the column to the reference evaluator.
  ///
  /// Nil also for an error, which the evaluation of the whole expression reports in more detail.
  func summary(
    _ derivation: Derivation, _ place: GraphPlace, _ context: EvaluationContext
  ) -> Value? {
    guard let path = derivation.summaryPath, let column = column(of: path, place) else {
      return nil
    }
    let values = column.rows.map(column.column.value)
    let operation = ExpressionTree(.keyPath(KeyPathTree([path[1], KeyComponent("self")])))
    return try? operation.evaluate(on: .list(values), in: context)
  }

  /// Returns the column of `price`, and the rows of `items` in it.
  private func column(
    of path: [KeyComponent], _ place: GraphPlace
  ) -> (column: Column, rows: [Int])? {
    let table = tables[place.table]
    let entity = table.layout.entities[table.entityCode(place.row)]
    guard let relationship = model.relationship(named: path[0].name, of: entity),
      relationship.isToMany, let there = self.place(of: relationship.destination),
      let slot = table.layout.slots[table.entityCode(place.row)][path[0].name],
      case .attribute(let column, let type)? =
        tables[there.table].layout.slots[there.code][path[2].name], type != .json
    else { return nil }
    return (tables[there.table].columns[column], rows(slot, place.table, place.row))
  }
}

extension Derivation {
  /// The `items` of an integer attribute that is derived from `items.@count`.
  fileprivate var countedKey: String? {
    guard attribute.type == .integer, case .keyPath(let path) = expression.kind,
      path.base == nil, path.components.count == 2, path.components[0].kind == .key,
      path.components[1] == KeyComponent("count", .collectionOperator)
    else { return nil }
    return path.components[0].name
  }

  /// The `items`, `@sum` and `price` of `items.@sum.price`.
  fileprivate var summaryPath: [KeyComponent]? {
    guard case .keyPath(let path) = expression.kind, path.base == nil,
      path.components.map(\.kind) == [.key, .collectionOperator, .key]
    else { return nil }
    return path.components
  }
}
