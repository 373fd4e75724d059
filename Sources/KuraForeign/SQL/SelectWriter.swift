import KuraDiagnostics
import KuraModel
import KuraSentences

/// Writes a SELECT, or a fetch that contains words of SQL, as a fetch of Kura with the same rows.
struct SelectWriter {
  let writer: ExpressionWriter
  var query: SelectQuery
  var tables: TableLinks
  /// The conditions that are not links.
  private(set) var conditions: [Tree] = []
  /// Conditions on the partners of an outer join, by their table.
  private var partnerConditions: [Int: [Tree]] = [:]
  /// Conditions that objects have no partner.
  private var written: [Written] = []

  init(_ query: SelectQuery, _ writer: ExpressionWriter) {
    self.query = query
    self.writer = writer
    tables = TableLinks(writer.names)
    if let from = query.from { tables.add(from) }
    for join in query.joins { tables.add(join.table, isOuter: join.isOuter) }
  }

  /// The fetch. That of a change begins with the first table.
  static func builder(
    _ query: SelectQuery, _ writer: ExpressionWriter, isChange: Bool = false
  ) throws -> QueryBuilder {
    guard query.from != nil else { throw query.span.unreadable }
    let state = (writer.isGrouped, writer.partners)
    defer { (writer.isGrouped, writer.partners) = state }
    (writer.isGrouped, writer.partners) = (!query.groups.isEmpty, nil)
    var select = SelectWriter(query, writer)
    select.findLinks()
    let root = try select.chooseRoot(isChange)
    try select.refuseUnusedLinks()
    return try writer.inside(select.scope(root)) { try select.builder(from: root) }
  }

  /// Separates the links from the conditions.
  mutating func findLinks() {
    for (i, join) in query.joins.enumerated() {
      for condition in join.condition?.conjuncts ?? []
      where !tables.take(condition, ofJoin: i + 1) {
        if join.isOuter { partnerConditions[i + 1, default: []].append(condition) }
        if !join.isOuter { conditions.append(condition) }
      }
    }
    let all = query.conditions?.conjuncts ?? []
    for condition in all { rejectNull(condition) }
    for condition in all where !tables.take(condition, ofJoin: nil) {
      conditions.append(condition)
    }
  }

  /// A comparison with a column of a LEFT JOIN drops the rows without a partner.
  private mutating func rejectNull(_ condition: Tree) {
    guard case .infix(let sign, let left, let right) = condition.kind,
      !["IS", "IS NOT", "AND", "OR"].contains(sign)
    else { return }
    for side in sign == "IN" ? [left] : [left, right] {
      guard let words = side.words, words.count == 2, let table = tables.index(of: words[0]) else {
        continue
      }
      tables.tables[table].isOuter = false
      let more = partnerConditions.removeValue(forKey: table) ?? []
      conditions += more
    }
  }

  func mentions(_ name: String, _ tree: Tree) -> Bool {
    let tokens = ForeignLexer.tokens(of: writer.parser.bytes, tree.span, writer.parser.dialect)
    return zip(tokens, tokens.dropFirst()).contains { $0.isWord(name) && $1.is(".") }
  }
}

// The root: the table whose objects are the rows
extension SelectWriter {
  private mutating func chooseRoot(_ isChange: Bool) throws -> Int {
    if writer.parser.dialect == .kura {
      tables.place(from: 0)
      try refuseLost()
      return 0
    }
    try removePartnerless()
    let roots = isChange ? tables.exactRoots.filter { $0 == 0 } : tables.exactRoots
    if let root = roots.contains(0) ? 0 : roots.first {
      tables.place(from: root)
      if let odd = partnerConditions.values.first?.first {
        throw writer.missing(localized("a condition of LEFT JOIN"), at: odd.span)
      }
      return root
    }
    tables.place(from: 0)
    try refuseLost()
    try choosePartners(isChange)
    return 0
  }

  /// Every link must have led to a table; one that is left over is another condition.
  private func refuseUnusedLinks() throws {
    guard writer.isSQL, let link = tables.links.first(where: { !$0.isUsed }) else { return }
    throw refusal(of: link.to)
  }

  private func refuseLost() throws {
    if let lost = tables.tables.firstIndex(where: { $0.place == nil }) { throw refusal(of: lost) }
  }

  private func refusal(of table: Int) -> ForeignProblem {
    writer.missing(
      localized("a join with \(tables.tables[table].name)"),
      localized("a relationship leads from one entity to another: item.category.name"),
      at: query.span)
  }

  /// `LEFT JOIN Item i ON … WHERE i.id IS NULL`: the objects without a partner.
  private mutating func removePartnerless() throws {
    var copy = tables
    copy.place(from: 0)
    for table in tables.tables.indices.reversed() where tables.tables[table].isOuter {
      guard let place = copy.tables[table].place, place.isMany,
        let i = conditions.firstIndex(where: { asksForNothing($0, table) })
      else { continue }
      let name = tables.tables[table].name
      conditions.remove(at: i)
      let rest =
        conditions + query.columns.map(\.value) + query.order.map(\.value) + query.groups
        + [query.having].compactMap(\.self)
      guard !rest.contains(where: { mentions(name, $0) || $0.isStar }) else {
        throw refusal(of: table)
      }
      let path = try narrowed(copy.tables[table], partnerConditions[table] ?? [])
      partnerConditions[table] = nil
      written.append(.predicate("\(path).@count == 0"))
      tables.tables[table].isOuter = false
      tables.tables[table].place = Place(path: path, isMany: false)
      tables.dismiss(table)
    }
  }

  /// Whether a condition is `i.id IS NULL`, and no partner has nothing there.
  private func asksForNothing(_ condition: Tree, _ table: Int) -> Bool {
    guard case .infix("IS", let left, let right) = condition.kind, right.isNull,
      let words = left.words, words.count == 2, tables.index(of: words[0]) == table
    else { return false }
    return tables.isAlwaysThere(words[1], of: table)
  }

  /// `SELECT c.name, COUNT(i.id) … LEFT JOIN Item i … GROUP BY c.id`: a row for each object, with
  /// aggregates of its partners.
  private mutating func choosePartners(_ isChange: Bool) throws {
    let many = tables.tables.indices.filter { tables.tables[$0].place?.isMany == true }
    guard let table = many.first, many.count == 1, !isChange, tables.tables[table].isOuter,
      isGroupedByFirst,
      !conditions.contains(where: { mentions(tables.tables[table].name, $0) }),
      partnerConditions.keys.allSatisfy({ $0 == table })
    else { throw refusal(of: many.first ?? 0) }
    let path = try narrowed(tables.tables[table], partnerConditions[table] ?? [])
    tables.tables[table].place?.path = path
    writer.partners = tables.tables[table].place
    writer.isGrouped = false
  }

  private var isGroupedByFirst: Bool {
    let first = tables.tables[0]
    guard let entity = first.entity, !query.groups.isEmpty else { return false }
    let keys = query.groups.map { tree in
      let words = tree.words ?? []
      return words.count == 2 && tables.index(of: words[0]) == 0 ? words[1] : nil
    }
    return keys.allSatisfy { $0 != nil }
      && keys.contains { writer.names.isIdentity($0 ?? "", of: entity) }
  }

  /// The partners that meet the conditions of the join.
  private func narrowed(_ table: TableLinks.Table, _ conditions: [Tree]) throws -> String {
    try writer.subquery(table.place?.path ?? "", of: table.entity, conditions) { element in
      var scope = scope(0)
      scope.root = Place(path: "", entity: tables.tables[0].entity)
      scope[tables.tables[0].name] = scope.root
      scope[table.name] = element
      return scope
    }
  }

  private func scope(_ root: Int) -> Scope {
    var scope = Scope()
    for table in tables.tables { scope[table.name] = table.place }
    scope.root = tables.tables[root].place
    return scope
  }
}

extension TableLinks {
  /// Leaves a table out, whose partners are asked for by a condition.
  fileprivate mutating func dismiss(_ table: Int) {
    links.removeAll { $0.from == table || $0.to == table }
    tables[table].isDismissed = true
  }
}

// The fetch
extension SelectWriter {
  private func builder(from root: Int) throws -> QueryBuilder {
    var builder = QueryBuilder(try source(root), of: tables.tables[root].entity)
    for table in tables.tables.indices where table != root && !tables.tables[table].isOuter {
      guard !tables.tables[table].isDismissed, let place = tables.tables[table].place else {
        continue
      }
      if place.isMany {
        builder.conditions.append(.predicate("\(place.path).@count > 0"))
      } else if tables.mayBeMissing(table), !conditions.contains(where: { needs(table, $0) }) {
        builder.conditions.append(.predicate("\(place.path) != NULL"))
      }
    }
    if !writer.isSQL { builder.conditions = [] }
    builder.conditions += try conditions.map(writer.predicate) + written
    switch query.result {
    case .objects: try addColumns(to: &builder)
    case .count:
      builder.result = .count
      if !query.columns.isEmpty { try addColumns(to: &builder) }
    case .exists: builder.result = .exists
    }
    try addGroups(to: &builder)
    for key in query.order { builder.sort.append(try sortKey(key, builder)) }
    try addBounds(to: &builder)
    builder.isDistinct = builder.isDistinct || query.isDistinct
    if builder.isDistinct, writer.isSQL {
      if builder.columns.isEmpty { builder.isDistinct = false }
      let shown = builder.columns.flatMap { [$0.text, $0.name ?? $0.text] }
      if let odd = zip(builder.sort, query.order).first(where: { !shown.contains($0.0.text) }) {
        throw writer.missing(localized("DISTINCT with such an order"), at: odd.1.value.span)
      }
    }
    builder.kept += query.kept.map(writer.parser.source)
    return builder
  }

  /// Whether a condition is met by no object that has no partner.
  private func needs(_ table: Int, _ condition: Tree) -> Bool {
    guard case .infix(let sign, let left, let right) = condition.kind,
      ["==", "<", "<=", ">", ">=", "LIKE"].contains(sign), right.isLiteral,
      let words = left.words, words.count == 2
    else { return false }
    return tables.index(of: words[0]) == table
  }

  private func source(_ root: Int) throws -> String {
    if let entity = tables.tables[root].entity { return ModelNames.written(entity) }
    guard let from = query.from, root == 0 else { throw query.span.unreadable }
    switch from.value.kind {
    case .object, .parameter: return writer.parser.source(from.value.span)
    default: return ModelNames.written(from.value.lastWord ?? tables.tables[root].name)
    }
  }

  private func addBounds(to builder: inout QueryBuilder) throws {
    if let limit = query.limit, limit.literalInteger == 0, writer.isSQL {
      throw writer.missing("LIMIT 0", localized("limit 0 is no limit"), at: limit.span)
    }
    for (word, tree) in [("limit", query.limit), ("offset", query.offset)] {
      guard let tree else { continue }
      guard let number = tree.literalInteger, number >= 0 else {
        guard !writer.isSQL else {
          throw writer.missing(localized("\(word.uppercased()) without a number"), at: tree.span)
        }
        builder.kept.append("\(word) \(try writer.value(tree).text)")
        continue
      }
      if word == "limit" { builder.limit = number } else if number > 0 { builder.offset = number }
    }
    guard case .count = builder.result, writer.isSQL, builder.isCut else { return }
    throw writer.missing(localized("LIMIT of a count"), at: query.span)
  }
}
