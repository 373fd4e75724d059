import KuraDiagnostics
import KuraSentences

// SELECT as a value
extension ExpressionWriter {
  /// `(SELECT MAX(x) FROM …)` as a fetch in brackets, or as a path if it asks for what belongs to the
  /// object around it.
  func nested(_ select: Select) throws -> Written {
    changes += 1
    if let correlated = try correlated(select) { return correlated }
    let query = try SelectWriter.query(select, self)
    if select.result == .exists {
      guard select.groups.isEmpty, select.offset == nil, let value = query.value else {
        throw select.span.missing(localized("such a SELECT"))
      }
      return value
    }
    guard select.isPlain && aggregate(select.columns[0].value) != nil || !isSQL,
      var written = query.value
    else { throw select.span.missing(localized("a SELECT with several rows")) }
    if !isSQL, query.columns.count == 1, query.columns[0].text == "objectID" {
      return query.objects ?? written
    }
    if let column = query.columns.first?.value, written.type == .unknown {
      written.type = column.type
    }
    return written
  }

  /// The function and the argument of `MAX(x)`; nil if it is not an aggregate.
  private func aggregate(_ tree: Tree) -> (name: String, argument: Tree?)? {
    guard let (name, arguments) = tree.namedCall, Self.aggregates.contains(name.lowercased())
    else { return nil }
    return (name.lowercased(), arguments.count == 1 ? arguments[0].value : nil)
  }

  /// `x IN (SELECT category FROM Item WHERE …)`
  func member(_ first: Written, _ left: Tree, of select: Select) throws -> Written {
    changes += 1
    let problem = select.span.missing(localized("such a SELECT"))
    guard select.columns.count == 1, select.groups.isEmpty, select.limit == nil,
      select.offset == nil, try correlated(select) == nil
    else { throw problem }
    let query = try SelectWriter.query(select, self)
    guard let column = query.columns.first?.value, query.columns.count == 1,
      query.result == .objects
    else { throw problem }
    var (path, set) = (first.text(in: .sum), query.value?.text ?? "")
    switch (first.type, column.type) {
    case (.object, .integer) where column.text == "objectID": set = query.objects?.text ?? set
    case (.integer, .object) where first.ownerOfID != nil: path = first.ownerOfID ?? path
    default:
      guard first.type.agrees(with: column.type) else {
        throw left.span.missing(localized("a comparison of different types"))
      }
    }
    let met = Written.predicate("\(path) IN \(set)")
    var opposite: [Written] = [.predicate("NOT \(met.text)", .not)]
    var all = query
    (all.columns, all.result, all.sort) = ([], .count, [])
    if !first.nulls.isEmpty {
      // Of nothing NULL is no member, too.
      let known = Written.all(Written.known(first.nulls))?.text(in: .or) ?? ""
      opposite.append(.predicate("\(known) OR \(all.value?.text ?? "") == 0", .or))
    }
    if !column.nulls.isEmpty {
      all.conditions.append(.predicate("\(column.text) == NULL"))
      opposite.append(.predicate("\(all.value?.text ?? "") == 0"))
    }
    return met.or(
      not: Written.all(opposite) ?? met,
      nulls: first.nulls.joined(column.nulls.isEmpty ? [] : [set]))
  }

  /// A SELECT that names the object around it, by a relationship; nil if it does not.
  private func correlated(_ query: Select) throws -> Written? {
    guard let root = scope.root, let entity = root.entity, !query.tables.isEmpty else { return nil }
    var select = SelectWriter(query, self)
    let inner = select.tables.count
    var around = scope.names.sorted { $0.key < $1.key }.map { (name: $0.key, place: $0.value) }
    if scope[entity] == nil { around.append((entity, root)) }
    select.tables += around.map { .init(name: $0.name, entity: $0.place.entity, place: $0.place) }
    select.findLinks()
    select.place(from: nil)
    let name = select.tables[0].name
    guard var partners = select.tables[0].place else {
      // A fetch in brackets does not see the object around it.
      let own = Set(select.tables.prefix(inner).map { $0.name.lowercased() })
      for condition in select.conditions {
        for table in around where !own.contains(table.name.lowercased()) {
          guard parser.mentions(table.name, condition, asOwner: true) else { continue }
          throw condition.span.missing(
            localized("a SELECT that asks for the row around it"),
            localized("SUBQUERY(items, $x, …) asks what belongs to it"))
        }
      }
      return nil
    }
    let isTest = query.result == .exists
    guard inner == 1, select.links.allSatisfy(\.isUsed), query.groups.isEmpty, partners.isMany,
      query.having == nil, query.offset == nil, query.limit?.literalInteger ?? 1 > 0,
      query.limit == nil || isTest
    else { throw query.span.missing(localized("such a SELECT")) }
    partners.text = try subquery(partners.text, of: partners.entity, select.conditions) { element in
      var inner = scope
      inner.root = element
      inner[name] = element
      return inner
    }
    let count = partners.text + ".@count"
    if isTest { return Written.predicate("\(count) > 0").or(not: .predicate("\(count) == 0")) }
    guard query.columns.count == 1, let (function, argument) = aggregate(query.columns[0].value),
      var key = argument
    else { throw query.span.missing(localized("a SELECT with several rows")) }
    if function == "count", key.isStar || key.isLiteral { return Written(count, .integer) }
    if case .member(let base, let word) = key.kind,
      base.lastWord?.lowercased() == name.lowercased()
    {
      key = Tree(.name(word), key.span)
    }
    return try aggregate(function, of: partners, key)
  }
}
