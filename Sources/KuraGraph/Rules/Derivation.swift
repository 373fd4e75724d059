import KuraModel
import KuraPredicates

/// A derived attribute, and what its value depends on.
struct Derivation: Sendable {
  var entity: String
  var attribute: Attribute
  var expression: ExpressionTree
  /// The relationships that its paths follow: `[items]` for `items.@sum.price`.
  var routes: [[String]]
  /// It reads what no path from the object shows: every object is concerned by every change.
  var isBoundless = false
  /// `now()` is in it, which is the time of the last save that wrote the object.
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
    case .fetch, .subquery, .message, .anyKey, .objectOrQuotient: isBoundless = true
    case .function(let call):
      if call.depends(on: .clock) { readsClock = true }
    case .constant, .evaluatedObject, .variable, .index, .indexAfterDot, .aggregate, .ternary,
      .setOperation, .assignment, .predicate:
      return
    }
  }
}

extension Model {
  /// The relationships at the beginning of a path, collection operators left out.
  fileprivate func route(_ path: KeyPathTree, from entity: String) -> [String] {
    var route: [String] = []
    var place = entity
    for component in path.components where component.kind != .collectionOperator {
      guard case .relationship(let relationship)? = property(named: component.name, of: place)
      else { break }
      route.append(component.name)
      place = relationship.destination
    }
    return route
  }

  /// Every derived attribute, in the order of the entities.
  var derivations: [Derivation] {
    entities.flatMap { entity in
      entity.attributes.compactMap { Derivation($0, of: entity.name, in: self) }
    }
  }
}
