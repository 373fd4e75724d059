import KuraDiagnostics
package import KuraPredicates
import KuraValues

extension NameMentions {
  /// A rule of an entity.
  package mutating func visit(_ predicate: PredicateTree, of entity: String) {
    visit(predicate, MentionScope(entity: entity))
  }

  /// A rule of an entity.
  package mutating func visit(_ expression: ExpressionTree, of entity: String) {
    visit(expression, MentionScope(entity: entity))
  }

  mutating func visit(_ predicate: PredicateTree, _ scope: MentionScope) {
    visit(TreeNode.predicate(predicate), scope)
  }

  mutating func visit(_ expression: ExpressionTree, _ scope: MentionScope) {
    visit(TreeNode.expression(expression), scope)
  }

  private mutating func visit(_ node: TreeNode, _ scope: MentionScope) {
    guard case .expression(let tree) = node else { return visitChildren(of: node, scope) }
    switch tree.kind {
    case .keyPath(let path):
      visitChildren(of: node, scope)
      follow(path, scope)
    case .indexAfterDot: visitIndex(tree, node, scope)
    case .objectOrQuotient(let word, _): visit(quotient: word, tree.span, scope)
    case .fetch(let fetch): tree.descending { visit(fetch, scope) }
    case .subquery(let collection, let variable, let predicate):
      visit(collection, scope)
      var inside = scope
      inside.variables[variable] = destination(of: collection, scope)
      visit(predicate, inside)
    // A key may be chosen by a text, and an entity is compared by its name.
    case .constant(let constant): visit(constant.value)
    case .message, .anyKey: visitDynamic(node, scope)
    case .function, .index, .aggregate, .ternary, .setOperation, .assignment, .predicate,
      .evaluatedObject, .variable:
      visitChildren(of: node, scope)
    }
  }

  private mutating func visitChildren(of node: TreeNode, _ scope: MentionScope) {
    node.descending { node.forEachChild { child, _ in visit(child, scope) } }
  }

  /// Which keys are read is found out when it is evaluated.
  private mutating func visitDynamic(_ node: TreeNode, _ scope: MentionScope) {
    if case .key = name { foundUnclear() }
    visitChildren(of: node, scope)
  }

  private mutating func visit(_ constant: Value) {
    if case .entity(let entity) = name, constant == .string(entity) { foundUnclear() }
  }

  /// What follows the dot is read from what stands before it.
  private mutating func visitIndex(_ tree: ExpressionTree, _ node: TreeNode, _ scope: MentionScope)
  {
    guard case .indexAfterDot(let base, let indexed) = tree.kind else { return }
    visit(base, scope)
    var inside = scope
    inside.entity = destination(of: base, scope)
    visit(indexed, inside)
  }

  /// `Item/3`, or `price/2` where no entity is called so.
  private mutating func visit(quotient word: String, _ span: SourceSpan, _ scope: MentionScope) {
    let span = SourceSpan(span.start, span.start + word.utf8.count)
    if model[word] != nil { return note(entity: word, at: span) }
    if !scope.hidden.contains(word) { note(word, of: scope.entity, at: span) }
  }
}

extension NameMentions {
  /// Goes from entity to entity along a path.
  @discardableResult
  private mutating func follow(_ path: KeyPathTree, _ scope: MentionScope) -> String? {
    var place: String?
    switch path.base?.kind {
    case nil, .evaluatedObject: place = scope.entity
    case .some: place = path.base.flatMap { destination(of: $0, scope) }
    }
    for (i, component) in path.components.enumerated() where component.kind == .key {
      if i == 0, path.base == nil, scope.hidden.contains(component.name) { return nil }
      if isEverywhere(component.name, place) { return nil }
      note(component.name, of: place, at: component.span)
      place = place.flatMap { entity(behind: component.name, of: $0) }
    }
    return place
  }

  /// `entity.name` and `objectID` are no keys of the model.
  private func isEverywhere(_ key: String, _ entity: String?) -> Bool {
    (key == "entity" || key == "objectID")
      && entity.flatMap { model.property(named: key, of: $0) } == nil
  }

  /// The entity to which a relationship leads; nil where the key is none.
  private func entity(behind key: String, of entity: String) -> String? {
    guard case .relationship(let relationship)? = model.property(named: key, of: entity) else {
      return nil
    }
    return relationship.destination
  }

  /// The entity of the objects that an expression gives, if that can be told.
  private func destination(of tree: ExpressionTree, _ scope: MentionScope) -> String? {
    tree.descending { destinationKind(of: tree, scope) }
  }

  private func destinationKind(of tree: ExpressionTree, _ scope: MentionScope) -> String? {
    switch tree.kind {
    case .evaluatedObject: scope.entity
    case .variable(let variable): scope.variables[variable]
    case .keyPath(let path):
      {
        var copy = self
        return copy.follow(path, scope)
      }()
    case .index(let list, _): destination(of: list, scope)
    case .subquery(let collection, _, _): destination(of: collection, scope)
    case .fetch(let fetch): fetch.selection == nil ? self.entity(of: fetch.source, scope) : nil
    case .objectOrQuotient(let word, _): model[word]?.name
    case .constant, .function, .message, .indexAfterDot, .aggregate, .ternary, .setOperation,
      .assignment, .anyKey, .predicate:
      nil
    }
  }

  func entity(of source: FetchSource, _ scope: MentionScope) -> String? {
    switch source.kind {
    case .entity(let name): name
    case .objects(let tree): destination(of: tree, scope)
    case .last: nil
    }
  }
}
