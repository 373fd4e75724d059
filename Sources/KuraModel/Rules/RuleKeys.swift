import KuraDiagnostics
import KuraPredicates

/// The keys that a rule reads, held against the entity whose rule it is.
///
/// Paths that begin at a variable are left to the evaluation: their objects are not known here.
struct RuleKeys {
  let model: Model
  let entity: String
  /// Keys that nobody has, each with the entity where it was looked for.
  private(set) var unknown: [(key: String, entity: String, span: SourceSpan)] = []
  /// The attributes of the object itself that are read.
  private(set) var own: [String] = []

  init(_ model: Model, entity: String) {
    self.model = model
    self.entity = entity
  }
}

extension RuleKeys {
  mutating func visit(_ predicate: PredicateTree) { visit(.predicate(predicate)) }

  mutating func visit(_ expression: ExpressionTree) { visit(.expression(expression)) }

  private mutating func visit(_ node: TreeNode) {
    node.walk { node, _ in
      guard case .expression(let expression) = node else { return .into }
      return visitNode(expression)
    }
  }

  private mutating func visitNode(_ expression: ExpressionTree) -> WalkStep {
    switch expression.kind {
    case .keyPath(let path): return visit(path)
    case .objectOrQuotient(let name, _): visitQuotient(name, expression.span)
    // What follows the dot is a key of what stands before it.
    case .indexAfterDot(let base, _):
      visit(base)
      return .over
    case .constant, .evaluatedObject, .variable, .anyKey, .fetch, .function, .message, .index,
      .aggregate, .subquery, .ternary, .setOperation, .assignment, .predicate:
      break
    }
    return .into
  }

  private mutating func visit(_ path: KeyPathTree) -> WalkStep {
    switch path.base?.kind {
    case nil, .evaluatedObject:
      follow(path.components)
      return .over
    default: return .into
    }
  }

  /// `price/2` without blanks, where no entity is called so.
  private mutating func visitQuotient(_ name: String, _ span: SourceSpan) {
    if model[name] == nil { follow([KeyComponent(name, span: span)]) }
  }

  /// Goes from entity to entity until an attribute, whose inside is not known, or the end.
  private mutating func follow(_ components: [KeyComponent]) {
    var place = entity
    for (i, component) in components.enumerated() {
      switch component.kind {
      case .collectionOperator: continue
      case .variable: return
      case .key: break
      }
      switch model.property(named: component.name, of: place) {
      case .relationship(let relationship)? where model[relationship.destination] != nil:
        place = relationship.destination
      case .attribute?:
        if i == 0 { own.append(component.name) }
        return
      case .relationship?: return
      case nil:
        if !isEverywhere(component.name, isFirst: i == 0) {
          unknown.append((component.name, place, component.span))
        }
        return
      }
    }
  }

  /// Keys that need no declaration: `objectID`, `entity.name`, `items.count`.
  private func isEverywhere(_ key: String, isFirst: Bool) -> Bool {
    key == "objectID" || key == "entity" || !isFirst && (key == "count" || key == "length")
  }
}
