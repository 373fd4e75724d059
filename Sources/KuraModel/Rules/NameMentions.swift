package import KuraDiagnostics
package import KuraPredicates

/// Where a text names a key or an entity, so that another name can be written there.
///
///     var mentions = NameMentions(of: .key("title", owner: "Item"), in: model)
///     mentions.visit(request.fetch)
///     mentions.spans       // every place where it is Item's title that is meant
///
/// A key by the same name of another entity is none of them. Where it cannot be told whose key it
/// is, `isUnclear` says so, and nothing should be rewritten.
package struct NameMentions {
  /// What is looked for.
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

  /// Whether the text has to do with the name.
  package var isEmpty: Bool { spans.isEmpty && !isUnclear }
}

/// What keys mean at a place of a text.
struct MentionScope {
  /// The entity of the object that is asked; nil: not known.
  var entity: String?
  /// The entities of the variables of SUBQUERYs around.
  var variables: [String: String] = [:]
  /// Names of `select … as NAME`, which hide keys.
  var hidden: Set<String> = []
}

extension NameMentions {
  /// The whole text with another name in every place.
  package func replaced(in text: String, with new: String) -> String {
    var bytes = Array(text.utf8)
    let name = Array(StatementText.name(new).utf8)
    for span in spans.sorted(by: { $0.start > $1.start })
    where span.end <= bytes.count { bytes.replaceSubrange(span.start..<span.end, with: name) }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func found(at span: SourceSpan) { if !spans.contains(span) { spans.append(span) } }
  mutating func foundUnclear() { isUnclear = true }

  /// Notes a key that is read from objects of an entity.
  mutating func note(_ key: String, of entity: String?, at span: SourceSpan) {
    guard case .key(let wanted, let owner) = name, key == wanted else { return }
    guard let entity else { return foundUnclear() }
    if model.ownedProperty(named: key, of: entity)?.owner == owner { return found(at: span) }
    // A fetch may read a subentity's key where the parent has none.
    if model.property(named: key, of: entity) == nil, model.entity(owner, isKindOf: entity) {
      foundUnclear()
    }
  }

  mutating func note(entity: String, at span: SourceSpan) {
    if name == .entity(entity) { found(at: span) }
  }
}

extension NameMentions {
  /// A saved request.
  package mutating func visit(_ fetch: FetchTree) { visit(fetch, MentionScope()) }

  mutating func visit(_ fetch: FetchTree, _ scope: MentionScope) {
    switch fetch.source.kind {
    case .entity(let name): note(entity: name, at: fetch.source.span)
    case .objects(let tree): visit(tree, scope)
    case .last: break
    }
    var inside = MentionScope(entity: entity(of: fetch.source, scope), variables: scope.variables)
    if let predicate = fetch.predicate { visit(predicate, inside) }
    for column in fetch.selection ?? [] { visit(column.expression, inside) }
    inside.hidden = Set((fetch.selection ?? []).filter(\.isNamed).compactMap(\.name))
    for tree in fetch.grouping + fetch.sort.map(\.expression) { visit(tree, inside) }
    if let having = fetch.having { visit(having, inside) }
    if let section = fetch.section { visit(section, inside) }
    for tree in [fetch.offset, fetch.limit].compactMap(\.self) { visit(tree, inside) }
  }
}
