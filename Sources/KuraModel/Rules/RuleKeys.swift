import KuraDiagnostics
import KuraPredicates

/// The keys that a rule reads, compared with the entity of the rule.
///
/// Paths that start at a variable are checked at evaluation, because their objects are unknown here.
struct RuleKeys {
  let model: Model
  let entity: String
  /// Unknown keys, each with the entity that lacks it.
  private(set) var unknown: [(key: String, entity: String, span: SourceSpan)] = []
  /// The attributes of the object itself that the rule reads.
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
    // A key after the dot belongs to the value before it.
    case .indexAfterDot(let base, _):
      visit(base)
      return .over
    case .constant, .evaluatedObject, .variable, .anyKey, .fetch, .function, .message, .index,
      .aggregate, .subquery, .mapped, .ternary, .setOperation, .assignment, .predicate:
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

  /// Visits `price/2` without blanks, if there is no such entity.
  private mutating func visitQuotient(_ name: String, _ span: SourceSpan) {
    if model[name] == nil { follow([KeyComponent(name, span: span)]) }
  }

  /// Follows a path from entity to entity, up to its end or to an attribute; the content of that is unknown.
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

  /// Returns whether it is a key that needs no declaration: `objectID`, `entity.name`, `items.count`.
  private func isEverywhere(_ key: String, isFirst: Bool) -> Bool {
    key == "objectID" || key == "entity" || !isFirst && (key == "count" || key == "length")
  }
}

/// Conversions between a rule and its text: `check` is a predicate, `derived` an expression.
enum RuleText {
  /// Parses a predicate such as `length(title) < 20`.
  static func predicate(_ text: String) throws(Diagnostic) -> PredicateTree {
    try PredicateTree(parsing: text)
  }

  /// Parses an expression such as `items.@count`, or a predicate with the value YES or NO: `dueDate
  /// < now()`, `NOT done`.
  static func expression(_ text: String) throws(Diagnostic) -> ExpressionTree {
    let cursor = TokenCursor(SourceText(text), mode: .format(takesArguments: false))
    do throws(SyntaxError) {
      return try whole(PredicateParser(cursor))
    } catch {
      throw error.diagnostic
    }
  }

  private static func whole(
    _ parser: consuming PredicateParser
  ) throws(SyntaxError) -> ExpressionTree {
    let tree = try parser.parseExpressionOrPredicate()
    try parser.parseEnd()
    return tree
  }
}
