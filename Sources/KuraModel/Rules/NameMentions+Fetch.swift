package import KuraPredicates

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
