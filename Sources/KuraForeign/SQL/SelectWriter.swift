import KuraDiagnostics
import KuraModel
import KuraSentences

/// Writes a SELECT, or a fetch with something of SQL in it, as a fetch of Kura.
struct SelectWriter {
  let writer: ExpressionWriter
  var query: SelectQuery
  var tables: TableLinks
  /// The conditions that are no links.
  var conditions: [ForeignExpression] = []
  /// Conditions on the partners of an outer join, by the place of their table.
  var outerConditions: [Int: [ForeignExpression]] = [:]

  init(_ query: SelectQuery, _ writer: ExpressionWriter) {
    self.query = query
    self.writer = writer
    tables = TableLinks(writer.names)
    if let from = query.from { tables.add(from) }
    for join in query.joins { tables.add(join.table, isOuter: join.isOuter) }
  }

  /// Takes the links out of the conditions.
  mutating func findLinks() {
    for (i, join) in query.joins.enumerated() {
      for condition in join.condition?.conjuncts ?? [] where !tables.take(condition) {
        if join.isOuter { outerConditions[i + 1, default: []].append(condition) }
        if !join.isOuter { conditions.append(condition) }
      }
    }
    for condition in query.conditions?.conjuncts ?? [] where !tables.take(condition) {
      conditions.append(condition)
    }
  }
}

extension SelectWriter {
  /// The fetches that it may be, the one with the same rows first.
  static func builders(
    _ query: SelectQuery, _ writer: ExpressionWriter
  ) throws(ForeignProblem) -> [QueryBuilder] {
    // `(SELECT 1)`: a value, and no query.
    guard query.from != nil else { throw .unreadable(query.span) }
    var select = SelectWriter(query, writer)
    select.findLinks()
    var roots = select.query.joins.isEmpty ? [0] : select.tables.exactRoots
    // What has no partner stays: the first table is what is asked.
    if select.tables.tables.contains(where: \.isOuter) { roots = [0] + roots.filter { $0 != 0 } }
    if roots.contains(0) { roots = [0] }
    if !roots.contains(0) { roots.append(0) }
    if select.selectsAllOfFirst { roots = [0] }
    var found: [QueryBuilder] = []
    var problem: ForeignProblem?
    for root in roots {
      do throws(ForeignProblem) { found.append(try select.builder(from: root)) } catch {
        problem = problem ?? error
      }
    }
    guard let problem, found.isEmpty else { return found }
    throw problem
  }

  /// `SELECT c.* FROM Category c JOIN …`
  private var selectsAllOfFirst: Bool {
    guard query.columns.count == 1, case .infix(".", let table, _) = query.columns[0].value.kind
    else {
      return false
    }
    return table.lastWord.flatMap(tables.index) == 0
  }

  func builder(from root: Int) throws(ForeignProblem) -> QueryBuilder {
    var select = self
    select.tables.place(from: root)
    if let lost = select.tables.tables.indices.first(where: {
      select.tables.tables[$0].place == nil
    }) {
      let name = select.tables.tables[lost].name
      throw writer.missing(
        localized("a join with \(name)"),
        localized("a relationship leads from one entity to another: item.category.name"),
        at: query.span)
    }
    for (table, conditions) in outerConditions {
      let path = try writer.inside(select.scope(root)) { () throws(ForeignProblem) in
        try select.narrowed(table, conditions)
      }
      select.tables.setPath(path, of: table)
    }
    return try writer.inside(select.scope(root)) { () throws(ForeignProblem) in
      try select.written(root)
    }
  }

  /// The partners of an outer join that meet its conditions.
  private func narrowed(
    _ table: Int, _ conditions: [ForeignExpression]
  ) throws(ForeignProblem) -> String {
    let found = tables.tables[table]
    guard let place = found.place, place.isMany else {
      throw writer.missing(localized("a condition of LEFT JOIN"), at: conditions[0].span)
    }
    return try subquery(of: found, place, conditions)
  }

  private func scope(_ root: Int) -> ForeignScope {
    var scope = ForeignScope()
    for table in tables.tables { scope[table.name] = table.place }
    scope.root = tables.tables[root].place
    return scope
  }

  private func written(_ root: Int) throws(ForeignProblem) -> QueryBuilder {
    var builder = QueryBuilder(try source(root), of: tables.tables[root].entity)
    builder.conditions = try writtenConditions(except: root)
    try addColumns(to: &builder)
    try addGroups(to: &builder)
    for key in query.order { builder.sort.append(try sortKey(key, builder)) }
    if let limit = query.limit, limit.literalInteger == 0, writer.parser.dialect == .sql {
      throw writer.missing("LIMIT 0", localized("limit 0 is no limit"), at: limit.span)
    }
    builder.limit = try query.limit.map { (tree) throws(ForeignProblem) in try count(tree) }
    builder.offset = try query.offset.map { (tree) throws(ForeignProblem) in try count(tree) }
    if builder.offset == "0" { builder.offset = nil }
    builder.isDistinct = builder.isDistinct || query.isDistinct
    builder.kept = query.kept.map(writer.parser.source)
    if query.result == .exists { builder.result = .exists }
    if query.result == .count { builder.result = .count }
    return builder
  }

  private func source(_ root: Int) throws(ForeignProblem) -> String {
    if let entity = tables.tables[root].entity { return ModelNames.written(entity) }
    guard let from = query.from, root == 0 else { throw .unreadable(query.span) }
    switch from.value.kind {
    case .object, .parameter: return writer.parser.source(from.value.span)
    default: return ModelNames.written(tables.tables[root].name)
    }
  }

  private func count(_ tree: ForeignExpression) throws(ForeignProblem) -> String {
    try writer.value(tree).text
  }
}

// Conditions
extension SelectWriter {
  private func writtenConditions(except root: Int) throws(ForeignProblem) -> [Written] {
    var rest = conditions
    var found: [Written] = []
    for place in tables.tables.indices where place != root {
      let table = tables.tables[place]
      let own = rest.filter { mentions(table.name, $0) }
      if table.place?.isMany == true, own.count > 1 {
        rest.removeAll { mentions(table.name, $0) }
        found.append(try one(of: table, own))
      } else if own.isEmpty, !table.isOuter {
        found += existence(place)
      }
    }
    for condition in rest { found.insert(try writer.predicate(condition), at: found.count) }
    return found
  }

  /// Several conditions that one object of many must meet.
  private func one(
    of table: TableLinks.Table, _ conditions: [ForeignExpression]
  ) throws(ForeignProblem) -> Written {
    let found = try subquery(of: table, table.place ?? .init(), conditions)
    return .predicate("\(found).@count > 0")
  }

  private func subquery(
    of table: TableLinks.Table, _ place: ForeignScope.Place, _ conditions: [ForeignExpression]
  ) throws(ForeignProblem) -> String {
    let variable = writer.newVariable()
    var scope = writer.scope
    scope[table.name] = ForeignScope.Place(path: variable, entity: table.entity)
    let all = try writer.inside(scope) { () throws(ForeignProblem) in
      var written: [Written] = []
      for condition in conditions { written.append(try writer.predicate(condition)) }
      return QueryBuilder.all(written)
    }
    return "SUBQUERY(\(place.path), \(variable), \(all?.text ?? "TRUEPREDICATE"))"
  }

  /// That an inner join has a partner.
  private func existence(_ table: Int) -> [Written] {
    guard let place = tables.tables[table].place else { return [] }
    if place.isMany { return [.predicate("\(place.path).@count > 0")] }
    return tables.mayBeMissing(table) ? [.predicate("\(place.path) != NULL")] : []
  }

  func mentions(_ name: String, _ tree: ForeignExpression) -> Bool {
    let tokens = ForeignLexer.tokens(of: writer.parser.bytes, tree.span, writer.parser.dialect)
    return zip(tokens, tokens.dropFirst()).contains { $0.isWord(name) && $1.is(".") }
  }
}
