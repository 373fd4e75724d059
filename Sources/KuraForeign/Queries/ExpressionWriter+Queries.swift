import KuraDiagnostics
import KuraModel
import KuraSentences

// Queries that begin with an entity and go on in steps: `items.filter { … }.count`.
extension ExpressionWriter {
  /// The query that an expression is; nil: it is none.
  func query(_ tree: ForeignExpression) throws(ForeignProblem) -> QueryBuilder? {
    try parser.step()
    switch tree.kind {
    case .name(let name): return source(named: name)
    case .parameter(let name):
      return scope[name] == nil ? nil : source(named: name)
    case .root: return input
    case .elements(let base): return try query(base)
    case .member(let base, let name): return try memberQuery(base, name, tree)
    case .call(let callee, let arguments): return try callQuery(callee, arguments, tree)
    case .index(let base, let index):
      guard var query = try query(base) else { return nil }
      guard let place = index.literalInteger else {
        return try maskedQuery(query, base, index, tree)
      }
      if place < 0 { query.reverse() }
      let offset = place < 0 ? -place - 1 : place
      if offset > 0 { query.offset = String(offset) }
      query.limit = "1"
      return query
    case .slice(let base, let from, let to): return try slicedQuery(base, from, to, tree)
    case .comprehension(let found): return try comprehensionQuery(found)
    case .infix("|", let left, let right): return try pipedQuery(left, right)
    case .list(let elements) where elements.count == 1 && scope.root?.isMany != false:
      guard parser.dialect == .jq || parser.source(tree.span).hasPrefix("[...") else { return nil }
      return try query(elements[0])
    default: return nil
    }
  }

  /// `books[books.year > 1910]`, `books[["title", "year"]]`
  private func maskedQuery(
    _ query: QueryBuilder, _ base: ForeignExpression, _ index: ForeignExpression,
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder {
    var query = query
    parser.mark(.python, at: index.span)
    if case .list(let keys) = index.kind {
      try map(&query, QueryStep("map", keys.map { ForeignArgument(value: $0) }, tree.span))
      return query
    }
    let name = base.lastWord ?? base.methodCall?.receiver.lastWord ?? ""
    let closure = ForeignExpression(.closure([name], index), index.span)
    try filter(&query, QueryStep("filter", [ForeignArgument(value: closure)], tree.span))
    return query
  }

  /// The objects that come in where nothing else is named.
  private var input: QueryBuilder? {
    guard let root = scope.root, root.isMany, root.path.isEmpty, let entity = root.entity else {
      return nil
    }
    return QueryBuilder(ModelNames.written(entity), of: entity)
  }

  /// The objects of an entity, or those in a variable.
  func source(named name: String) -> QueryBuilder? {
    if let place = scope[name] {
      guard place.isMany, place.path.hasPrefix("$") else { return nil }
      return QueryBuilder(place.path, of: place.entity)
    }
    guard key(name, of: scope.root) == nil else { return nil }
    let known =
      names.entity(name) ?? (Self.anyData.contains(name.lowercased()) ? defaultEntity : nil)
    return known.map { QueryBuilder(ModelNames.written($0), of: $0) }
  }

  /// What people call data of whatever kind.
  private static let anyData: Set = [
    "df", "data", "rows", "records", "array", "arr", "collection", "xs", "json", "list", "results",
  ]

  private func memberQuery(
    _ base: ForeignExpression, _ name: String, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder? {
    if let query = try query(base) {
      if let next = try stepped(query, QueryStep(name, [], tree.span, isProperty: true)) {
        return next
      }
      if scope.root == nil, let key = key(name, of: query.element) {
        var keyed = query
        keyed.setColumns([.init(text: key.text)])
        return keyed
      }
      return isStoreWord(base) ? source(named: name) : nil
    }
    return isStoreWord(base) ? source(named: name) : nil
  }

  /// Whether something is what objects are asked of: `context`, `db`, `self`.
  func isStoreWord(_ tree: ForeignExpression) -> Bool {
    switch tree.kind {
    case .name(let name):
      return scope[name] == nil && key(name, of: scope.root) == nil
        && (Self.storeWords.contains(Self.plainName(name)) || names.entity(name) == nil)
        && Self.functions[Self.plainName(name)] == nil
    case .member(let base, _): return isStoreWord(base)
    case .call(let callee, _):
      if case .member(let base, let name) = callee.kind {
        return isStoreWord(base)
          && ["getcollection", "session", "query"].contains(Self.plainName(name))
      }
      return false
    default: return false
    }
  }

  private static let storeWords: Set = [
    "context", "db", "self", "this", "store", "realm", "session", "dbcontext", "ctx", "moc",
    "prisma",
    "modelcontext", "managedobjectcontext", "viewcontext", "database", "repository", "data",
  ]

  private func callQuery(
    _ callee: ForeignExpression, _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder? {
    switch callee.kind {
    case .name(let name): return try functionQuery(name, arguments, tree)
    case .member(let base, let name):
      if let query = try query(base) {
        return try stepped(query, QueryStep(name, arguments, tree.span))
      }
      if case .name(let space) = base.kind, space == "_" || space == "Math" {
        return try functionQuery(space + "." + name, arguments, tree)
      }
      return try storeQuery(base, name, arguments)
    default: return nil
    }
  }

  /// `realm.objects(Item.self)`, `session.query(Item)`, `db.collection("books")`
  private func storeQuery(
    _ base: ForeignExpression, _ name: String, _ arguments: [ForeignArgument]
  ) throws(ForeignProblem) -> QueryBuilder? {
    let known = ["objects", "query", "collection", "set", "table", "fetch", "count"]
    guard isStoreWord(base), known.contains(Self.plainName(name)), let first = arguments.first
    else {
      return nil
    }
    if case .member(let type, "self") = first.value.kind { return try query(type) }
    if let text = first.value.literalText { return source(named: text) }
    return try query(first.value)
  }

  private func slicedQuery(
    _ base: ForeignExpression, _ from: ForeignExpression?, _ to: ForeignExpression?,
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder? {
    guard var query = try query(base) else { return nil }
    let (start, end) = (from?.literalInteger ?? 0, to?.literalInteger)
    if start < 0 || (end ?? 0) < 0 || to != nil && end == nil {
      throw missing(
        localized("a slice from the end"), localized("sort … desc limit N takes the last ones"),
        at: tree.span)
    }
    if start > 0 { query.offset = String(start) }
    if let end { query.limit = String(max(0, end - start)) }
    return query
  }

  private func comprehensionQuery(
    _ found: Comprehension
  ) throws(ForeignProblem) -> QueryBuilder? {
    guard var query = try query(found.source), !query.isCut else { return nil }
    let inner = scope.binding([found.name], to: query.element)
    try inside(inner) { () throws(ForeignProblem) in
      for condition in found.conditions { query.conditions.append(try predicate(condition)) }
      if case .name(found.name) = found.value.kind { return }
      query.setColumns(try columns(found.value))
    }
    return query
  }
}

extension ExpressionWriter {
  /// A query in brackets, as a value; nil: the expression is no query.
  func queryValue(_ tree: ForeignExpression) throws(ForeignProblem) -> Written? {
    guard let query = try query(tree), !(scope.root?.isMany == true && isRoot(tree)) else {
      return nil
    }
    guard let value = query.value else { throw .unreadable(tree.span) }
    changes += 1
    return value
  }

  private func isRoot(_ tree: ForeignExpression) -> Bool {
    if case .root = tree.kind { true } else { false }
  }

  func nestedQuery(_ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    guard let written = try queryValue(tree) else { throw .unreadable(tree.span) }
    return written
  }

  /// The columns that a closure makes of an object.
  func columns(_ tree: ForeignExpression) throws(ForeignProblem) -> [QueryBuilder.Column] {
    switch tree.kind {
    case .record(let entries):
      var columns: [QueryBuilder.Column] = []
      for (key, value) in entries {
        let written = try self.value(value)
        columns.append(.init(text: written.text, name: written.text == key ? nil : key))
      }
      return columns
    case .list(let values):
      var columns: [QueryBuilder.Column] = []
      for value in values { columns.append(.init(text: try self.value(value).text)) }
      return columns
    case .call(let callee, let arguments) where callee.lastWord?.lowercased() == "dict":
      let entries = arguments.compactMap { argument in argument.label.map { ($0, argument.value) } }
      return try columns(
        ForeignExpression(.record(entries.map { (key: $0.0, value: $0.1) }), tree.span))
    default: return [.init(text: try value(tree).text)]
    }
  }
}
