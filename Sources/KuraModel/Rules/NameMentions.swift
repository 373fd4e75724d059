package import KuraDiagnostics
package import KuraPredicates
import KuraValues

/// The places in a text that name a key or an entity, for renaming.
///
///     var mentions = NameMentions(of: .key("title", owner: "Item"), in: model)
///     mentions.visit(request.fetch)
///     mentions.spans       // every place that means Item's title
///
/// A key with the same name in another entity is not included. If the owner of a key cannot be
/// determined, `isUnclear` is true, and the text should not be rewritten.
package struct NameMentions {
  package enum Name: Sendable, Hashable {
    /// `title` of the entity that declares it
    case key(String, owner: String)
    /// `Item`
    case entity(String)
  }

  let name: Name
  let model: Model
  package private(set) var spans: [SourceSpan] = []
  package private(set) var isUnclear = false

  package init(of name: Name, in model: Model) {
    self.name = name
    self.model = model
  }

  /// Whether the text does not mention the name.
  package var isEmpty: Bool { spans.isEmpty && !isUnclear }
}

/// The meaning of keys at a place of a text.
struct MentionScope {
  /// The entity of the evaluated object; nil if unknown.
  var entity: String?
  /// The entities of the variables of enclosing SUBQUERYs.
  var variables: [String: String] = [:]
  /// The names of `select … as NAME`, which hide keys.
  var hidden: Set<String> = []
}

extension NameMentions {
  /// Returns the text with the name replaced in all places.
  package func replaced(in text: String, with new: String) -> String {
    var bytes = Array(text.utf8)
    let name = Array(StatementText.name(new).utf8)
    for span in spans.sorted(by: { $0.start > $1.start })
    where span.end <= bytes.count { bytes.replaceSubrange(span.start..<span.end, with: name) }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func found(at span: SourceSpan) { if !spans.contains(span) { spans.append(span) } }
  mutating func foundUnclear() { isUnclear = true }

  /// Records a key that is read from objects of an entity.
  mutating func note(_ key: String, of entity: String?, at span: SourceSpan) {
    guard case .key(let wanted, let owner) = name, key == wanted else { return }
    guard let entity else { return foundUnclear() }
    if model.ownedProperty(named: key, of: entity)?.owner == owner { return found(at: span) }
    // A fetch can read the key of a subentity that the parent lacks.
    if model.property(named: key, of: entity) == nil, model.entity(owner, isKindOf: entity) {
      foundUnclear()
    }
  }

  mutating func note(entity: String, at span: SourceSpan) {
    if name == .entity(entity) { found(at: span) }
  }

  /// Visits a saved request.
  package mutating func visit(_ fetch: FetchTree) { visit(fetch, MentionScope()) }

  mutating func visit(_ fetch: FetchTree, _ scope: MentionScope) {
    switch fetch.source.kind {
    case .entity(let name): note(entity: name, at: fetch.source.span)
    case .elements(let name, let path):
      note(entity: name, at: fetch.source.span.first(name.writtenName))
      _ = follow(KeyPathTree(path), MentionScope(entity: name))
    case .objects(let tree): visit(tree, scope)
    case .last: break
    }
    var inside = MentionScope(entity: entity(of: fetch.source, scope), variables: scope.variables)
    if let name = fetch.objectName { inside.variables[name] = inside.entity }
    if let predicate = fetch.predicate { visit(predicate, inside) }
    for column in fetch.selection ?? [] { visit(column.expression, inside) }
    inside.hidden = Set((fetch.selection ?? []).filter(\.isNamed).compactMap(\.name))
    for tree in fetch.grouping + fetch.sort.map(\.expression) + fetch.limitKeys {
      visit(tree, inside)
    }
    if let having = fetch.having { visit(having, inside) }
    if let section = fetch.section { visit(section, inside) }
    for tree in [fetch.offset, fetch.limit].compactMap(\.self) { visit(tree, inside) }
  }

  /// Visits a rule of an entity.
  package mutating func visit(_ predicate: PredicateTree, of entity: String) {
    visit(predicate, MentionScope(entity: entity))
  }

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
    // An indexed key is read from the value before the dot.
    case .indexAfterDot(let base, let indexed):
      visit(base, scope)
      var inside = scope
      inside.entity = destination(of: base, scope)
      visit(indexed, inside)
    case .objectOrQuotient(let word, _): visit(quotient: word, tree.span, scope)
    case .fetch(let fetch): tree.descending { visit(fetch, scope) }
    case .subquery(let collection, let variable, let predicate):
      visit(collection, scope)
      var inside = scope
      inside.variables[variable] = destination(of: collection, scope)
      visit(predicate, inside)
    case .mapped(let collection, let variable, let inner):
      visit(collection, scope)
      var inside = scope
      inside.variables[variable] = destination(of: collection, scope)
      visit(inner, inside)
    // A text can select a key, and an entity can be compared by name.
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

  /// Visits a node with keys that are determined at evaluation.
  private mutating func visitDynamic(_ node: TreeNode, _ scope: MentionScope) {
    if case .key = name { foundUnclear() }
    visitChildren(of: node, scope)
  }

  private mutating func visit(_ constant: Value) {
    if case .entity(let entity) = name, constant == .string(entity) { foundUnclear() }
  }

  /// Visits `Item/3`, or `price/2` if there is no such entity.
  private mutating func visit(quotient word: String, _ span: SourceSpan, _ scope: MentionScope) {
    let span = SourceSpan(span.start, span.start + word.utf8.count)
    if model[word] != nil { return note(entity: word, at: span) }
    if !scope.hidden.contains(word) { note(word, of: scope.entity, at: span) }
  }

  /// Follows a path from entity to entity, and returns its destination.
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
      place = place.flatMap { model.relationship(named: component.name, of: $0)?.destination }
    }
    return place
  }

  /// Returns whether it is `entity` or `objectID`, which are not keys of the model.
  private func isEverywhere(_ key: String, _ entity: String?) -> Bool {
    (key == "entity" || key == "objectID")
      && entity.flatMap { model.property(named: key, of: $0) } == nil
  }

  /// Returns the entity of the objects of an expression; nil if unknown.
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
    case .constant, .function, .message, .indexAfterDot, .aggregate, .mapped, .ternary,
      .setOperation, .assignment, .anyKey, .predicate:
      nil
    }
  }

  /// Returns the entity of the objects at a path; nil for elements in JSON, because the model does not have their keys.
  private func elementEntity(of entity: String, _ path: [KeyComponent]) -> String? {
    let path = ElementPath(entity: entity, keys: path)
    guard let steps = try? path.steps(in: model), steps.json == nil else { return nil }
    return steps.destination
  }

  func entity(of source: FetchSource, _ scope: MentionScope) -> String? {
    switch source.kind {
    case .entity(let name): name
    case .elements(let entity, let path): elementEntity(of: entity, path)
    case .objects(let tree): destination(of: tree, scope)
    case .last: nil
    }
  }
}
