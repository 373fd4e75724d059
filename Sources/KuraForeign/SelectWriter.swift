import KuraDiagnostics
import KuraModel
import KuraSentences

/// Fills a query from a SELECT, or from a fetch that contains words of SQL: the rows are the
/// objects of one table, and the other tables become paths.
struct SelectWriter {
  /// A table with its name and its path from the root.
  struct Table {
    let name: String
    let entity: String?
    var place: Snippet?
    /// Whether rows without a partner are kept.
    var isOuter = false
    /// Whether a condition has replaced it.
    var isDismissed = false
  }

  /// A relationship from one table to another.
  struct Link {
    let from: Int
    let way: Relationship
    let to: Int
    /// Whether it determined the path of a table.
    var isUsed = false
  }

  let writer: ExpressionWriter
  let query: Select
  var names: ModelNames { writer.names }
  var tables: [Table]
  var links: [Link] = []
  /// The conditions that are not links.
  var conditions: [Tree] = []
  /// Conditions on the partners of an outer join, by table.
  var partnerConditions: [Int: [Tree]] = [:]
  /// The partners of each object, if aggregates refer to them.
  private var partners: Snippet?
  /// Conditions that are true for objects without a partner.
  private var partnerless: [Snippet] = []

  init(_ query: Select, _ writer: ExpressionWriter) {
    self.query = query
    self.writer = writer
    tables = query.tables.map { table in
      let name = table.value.lastWord ?? ""
      let entity = writer.commonTables[name.lowercased()] ?? writer.names.entity(name)
      return Table(name: table.alias ?? name, entity: entity, isOuter: table.isOuter)
    }
  }

  /// Returns the query of a SELECT; a change concerns the objects of the first table.
  static func query(
    _ query: Select, _ writer: ExpressionWriter, isChange: Bool = false
  ) throws -> Query {
    guard !query.tables.isEmpty else { throw query.span.unreadable }
    var select = SelectWriter(query, writer)
    // A relationship leads to all objects of an entity, not only to those of a variable.
    if query.tables.count > 1, query.tables.contains(where: writer.isCommon) {
      throw query.span.missing(localized("a join with a WITH table"))
    }
    select.findLinks()
    let root = try select.chooseRoot(isChange)
    if writer.isSQL, let link = select.links.first(where: { !$0.isUsed }) {
      // A link that did not determine the path of a table is an ordinary condition.
      throw select.refusal(of: link.to)
    }
    return try writer.inside(select.scope(root)) { try select.filled(from: root) }
  }

  func index(of name: String) -> Int? {
    tables.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns the table and the key of `i.title`; nil for other expressions.
  private func column(_ tree: Tree) -> (table: Int, key: String)? {
    guard let words = tree.words, words.count == 2, let table = index(of: words[0]) else {
      return nil
    }
    return (table, words[1])
  }

  private func mentions(_ table: Int, _ tree: Tree) -> Bool {
    writer.parser.mentions(tables[table].name, tree, asOwner: true)
  }

  private func refusal(of table: Int) -> ForeignProblem {
    query.span.missing(
      localized("a join with \(tables[table].name)"),
      localized("use a relationship instead of a join: \(questionOfPartner)"))
  }

  /// A comparison with a key of a table that a relationship leads to: `ANY tags.name == …`.
  private var questionOfPartner: String {
    guard let start = tables[0].entity else { return "item.category.name" }
    for (i, table) in tables.enumerated().dropFirst() {
      guard let entity = table.entity,
        let way = names.relationships(from: start, to: entity).first
      else { continue }
      let sides = (query.condition?.conjuncts ?? []).flatMap { condition -> [Tree] in
        if case .infix(_, let left, let right) = condition.kind { [left, right] } else { [] }
      }
      let key = sides.lazy.compactMap(column).first { $0.table == i }?.key
      return "\(way.isToMany ? "ANY " : "")\(way.name).\(key ?? "KEY") == …"
    }
    return "item.category.name"
  }
}

// The conditions that are links
extension SelectWriter {
  /// Separates the links from the conditions.
  mutating func findLinks() {
    for (i, table) in query.tables.enumerated() {
      for condition in table.condition?.conjuncts ?? [] where !takeLink(condition, ofJoin: i) {
        if table.isOuter { partnerConditions[i, default: []].append(condition) }
        if !table.isOuter { conditions.append(condition) }
      }
    }
    let all = query.condition?.conjuncts ?? []
    for condition in all { rejectNull(condition) }
    conditions += all.filter { !takeLink($0, ofJoin: nil) }
  }

  /// Notes a comparison with a column of a LEFT JOIN, which drops the rows without a partner.
  private mutating func rejectNull(_ condition: Tree) {
    guard case .infix(let sign, let left, let right) = condition.kind,
      !["IS", "IS NOT", "AND", "OR"].contains(sign)
    else { return }
    for side in sign == "IN" ? [left] : [left, right] {
      guard let (table, _) = column(side) else { continue }
      tables[table].isOuter = false
      conditions += partnerConditions.removeValue(forKey: table) ?? []
    }
  }

  /// Takes a condition of a join or of WHERE that only links tables; returns false for any other
  /// condition.
  private mutating func takeLink(_ condition: Tree, ofJoin join: Int?) -> Bool {
    guard case .infix("==", let left, let right) = condition.kind, let first = side(left),
      let second = side(right), first.table != second.table,
      let link = link(first, second) ?? link(second, first)
    else { return false }
    // A condition in WHERE does not join a table whose rows can lack a partner.
    let isJoining =
      join.map { link.from == $0 || link.to == $0 || !tables[$0].isOuter }
      ?? (!tables[link.from].isOuter && !tables[link.to].isOuter)
    if isJoining { links.append(link) }
    return isJoining
  }

  private typealias Side = (table: Int, key: String?)

  /// Returns a side of a link, `i.parentCategory`, `Category.objectID`, `c`; nil if it is not a
  /// column of a table.
  private func side(_ tree: Tree) -> Side? {
    guard let words = tree.words else { return nil }
    if words.count >= 2 {
      return index(of: words[words.count - 2]).map { ($0, words[words.count - 1]) }
    }
    let owner = tables.firstIndex { table in
      table.entity.flatMap { names.key(words[0], of: $0)?.property } != nil
    }
    return owner.map { ($0, words[0]) } ?? index(of: words[0]).map { ($0, nil) }
  }

  private func link(_ from: Side, _ to: Side) -> Link? {
    guard let entity = tables[from.table].entity, let other = tables[to.table].entity,
      let key = from.key, to.key.map({ names.isIdentity($0, of: other) }) ?? true
    else { return nil }
    if case .relationship(let way)? = names.key(key, of: entity)?.property {
      return way.destination == other && !way.isToMany
        ? Link(from: from.table, way: way, to: to.table) : nil
    }
    let ways = names.relationships(from: entity, to: other).filter { !$0.isToMany }
    guard ModelNames.plain(key).hasSuffix("id"), ways.count == 1,
      names.key(key, of: entity) == nil
    else { return nil }
    return Link(from: from.table, way: ways[0], to: to.table)
  }
}

// The paths of the tables
extension SelectWriter {
  /// Determines the paths of all tables, starting at one of them; known paths are unchanged.
  mutating func place(from root: Int?) {
    if let root { tables[root].place = .object("", tables[root].entity) }
    var isMoving = true
    while isMoving {
      isMoving = false
      for (i, link) in links.enumerated() where !link.isUsed {
        let (from, to) = (tables[link.from].place, tables[link.to].place)
        if let start = from, to == nil {
          tables[link.to].place = step(start, link.way, to: link.to)
        } else if let start = to, from == nil, let back = inverse(of: link) {
          tables[link.from].place = step(start, back, to: link.from)
        } else {
          continue
        }
        (isMoving, links[i].isUsed) = (true, true)
      }
    }
  }

  private func placed(from root: Int) -> SelectWriter {
    var copy = self
    copy.place(from: root)
    return copy
  }

  private func step(_ start: Snippet, _ way: Relationship, to table: Int) -> Snippet {
    .object(
      writer.join(start.path, way.name), tables[table].entity,
      isMany: start.isMany || way.isToMany,
      isNullable: tables[table].isOuter && (way.isOptional || !start.nulls.isEmpty))
  }

  private func inverse(of link: Link) -> Relationship? {
    guard let name = link.way.inverse, let entity = tables[link.to].entity,
      case .relationship(let back)? = names.model.property(named: name, of: entity)
    else { return nil }
    return back
  }

  /// Chooses the table whose objects are the rows. To-one relationships must lead to all others.
  private mutating func chooseRoot(_ isChange: Bool) throws -> Int {
    if writer.isSQL {
      try removePartnerless()
      let root = tables.indices.prefix(isChange ? 1 : tables.count).first { root in
        !tables[root].isOuter
          && placed(from: root).tables.allSatisfy { $0.place.map { !$0.isMany } ?? false }
      }
      if let root {
        place(from: root)
        if let odd = partnerConditions.values.first?.first {
          throw odd.span.missing(localized("this condition of LEFT JOIN"))
        }
        return root
      }
    }
    place(from: 0)
    if let lost = tables.firstIndex(where: { $0.place == nil }) { throw refusal(of: lost) }
    if writer.isSQL { try choosePartners(isChange) }
    return 0
  }

  /// Handles `LEFT JOIN Item i ON … WHERE i.id IS NULL`: the objects without a partner.
  private mutating func removePartnerless() throws {
    let reached = placed(from: 0).tables
    for table in tables.indices.reversed() where tables[table].isOuter {
      guard let place = reached[table].place, place.isMany,
        let i = conditions.firstIndex(where: { asksForNothing($0, table) })
      else { continue }
      conditions.remove(at: i)
      let rest =
        conditions + query.columns.map(\.value) + query.order.map(\.value) + query.groups
        + [query.having].compactMap(\.self)
      guard !rest.contains(where: { mentions(table, $0) || $0.isStar }) else {
        throw refusal(of: table)
      }
      let path = try narrowed(table, place)
      partnerless.append(.predicate("\(path).@count == 0"))
      links.removeAll { $0.from == table || $0.to == table }
      tables[table] = Table(
        name: tables[table].name, entity: tables[table].entity, place: Snippet(path),
        isDismissed: true)
    }
  }

  /// Returns whether a condition is `i.id IS NULL` for a key that joins the table or is never NULL.
  private func asksForNothing(_ condition: Tree, _ table: Int) -> Bool {
    guard case .infix("IS", let left, let right) = condition.kind, right.isNull,
      let (owner, key) = column(left), owner == table, let entity = tables[table].entity,
      let (name, property) = names.key(key, of: entity)
    else { return false }
    if name == "objectID" || links.contains(where: { $0.from == table && $0.way.name == name }) {
      return true
    }
    guard case .attribute(let attribute)? = property else { return false }
    return !attribute.isOptional && attribute.derivation == nil
  }

  /// Handles `SELECT c.name, COUNT(i.id) … LEFT JOIN Item i … GROUP BY c.id`: a row for each
  /// object, with aggregates of its partners.
  private mutating func choosePartners(_ isChange: Bool) throws {
    let many = tables.indices.filter { tables[$0].place?.isMany == true }
    guard let table = many.first, many.count == 1, !isChange, tables[table].isOuter,
      isGroupedByFirst, !conditions.contains(where: { mentions(table, $0) }),
      partnerConditions.keys.allSatisfy({ $0 == table }), let place = tables[table].place
    else { throw refusal(of: many.first ?? 0) }
    var partners = place
    partners.text = try narrowed(table, place)
    (tables[table].place, self.partners) = (partners, partners)
  }

  private var isGroupedByFirst: Bool {
    guard let entity = tables[0].entity, !query.groups.isEmpty else { return false }
    let keys = query.groups.map(column)
    return keys.allSatisfy { $0?.table == 0 }
      && keys.contains { names.isIdentity($0?.key ?? "", of: entity) }
  }

  /// Returns the partners that meet the conditions of the join.
  private mutating func narrowed(_ table: Int, _ place: Snippet) throws -> String {
    let conditions = partnerConditions.removeValue(forKey: table) ?? []
    return try writer.subquery(place.text, of: tables[table].entity, conditions) { element in
      var scope = scope(0)
      scope.root = .object("", tables[0].entity)
      scope[tables[0].name] = scope.root
      scope[tables[table].name] = element
      return scope
    }
  }

  private func scope(_ root: Int) -> Scope {
    var scope = Scope(
      root: tables[root].place, isGrouped: !query.groups.isEmpty && partners == nil,
      partners: partners)
    for table in tables { scope[table.name] = table.place }
    return scope
  }
}

// The query
extension SelectWriter {
  private func filled(from root: Int) throws -> Query {
    var filled = Query(try source(root), of: tables[root].entity)
    if writer.isSQL { filled.conditions = partnersExist(root) }
    filled.conditions += try conditions.map(writer.predicate) + partnerless
    filled.result = query.result
    if query.result != .exists { try addColumns(to: &filled) }
    try addGroups(to: &filled)
    for key in query.order {
      let text = try self.key(key.value, filled)
      let same = filled.columns.first { $0.text == text && $0.name != nil }
      filled.sort.append(
        .init(
          text: (same?.key ?? text) + key.options, isDescending: key.isDescending, tail: key.tail))
    }
    try addBounds(to: &filled)
    filled.isDistinct = filled.isDistinct || query.isDistinct
    if filled.isDistinct, writer.isSQL {
      if filled.columns.isEmpty { filled.isDistinct = false }
      let shown = filled.columns.flatMap { [$0.text, $0.name ?? $0.text] }
      if let odd = zip(filled.sort, query.order).first(where: { !shown.contains($0.0.text) }) {
        throw odd.1.value.span.missing(
          localized("DISTINCT ordered by a column that is not selected"))
      }
    }
    filled.unchangedClauses += query.unchangedClauses.map(writer.parser.source)
    return filled
  }

  /// Returns the conditions that there are partners, for the tables of inner joins.
  private func partnersExist(_ root: Int) -> [Snippet] {
    tables.indices.compactMap { table in
      guard table != root, !tables[table].isOuter, !tables[table].isDismissed,
        let place = tables[table].place
      else { return nil }
      if place.isMany { return .predicate("\(place.text).@count > 0") }
      let mayBeMissing = links.contains { link in
        link.isUsed && link.to == table
          && (link.way.isOptional || tables[link.from].place?.nulls.isEmpty == false)
      }
      guard mayBeMissing, !conditions.contains(where: { needs(table, $0) }) else { return nil }
      return .predicate("\(place.text) != NULL")
    }
  }

  /// Returns whether a condition is false for every object without a partner.
  private func needs(_ table: Int, _ condition: Tree) -> Bool {
    guard case .infix(let sign, let left, let right) = condition.kind,
      ["==", "<", "<=", ">", ">=", "LIKE"].contains(sign), right.isLiteral
    else { return false }
    return column(left)?.table == table
  }

  private func source(_ root: Int) throws -> String {
    if writer.isCommon(query.tables[root]), let name = query.tables[root].value.lastWord {
      return "$" + name.lowercased()
    }
    if let entity = tables[root].entity { return ModelNames.written(entity) }
    guard root == 0 else { throw query.span.unreadable }
    let from = query.tables[0].value
    switch from.kind {
    case .object, .parameter: return writer.parser.source(from.span)
    default: return ModelNames.written(from.lastWord ?? tables[root].name)
    }
  }

  private func addBounds(to filled: inout Query) throws {
    if let limit = query.limit, limit.literalInteger == 0, writer.isSQL {
      throw limit.span.missing("LIMIT 0", localized("in Kura, limit 0 means no limit"))
    }
    for (word, tree) in [("limit", query.limit), ("offset", query.offset)] {
      guard let tree else { continue }
      guard let number = tree.literalInteger, number >= 0 else {
        guard !writer.isSQL else {
          throw tree.span.missing(localized("\(word.uppercased()) without a number"))
        }
        filled.unchangedClauses.append("\(word) \(try writer.value(tree).text)")
        continue
      }
      if word == "limit" { filled.limit = number } else if number > 0 { filled.offset = number }
    }
    guard filled.result == .count, writer.isSQL, filled.isCut else { return }
    throw query.span.missing(localized("LIMIT on a count"))
  }
}

// Columns and groups
extension SelectWriter {
  private func addColumns(to filled: inout Query) throws {
    if countsAll {
      filled.result = .count
      return
    }
    for column in query.columns {
      if let star = star(column.value) {
        // No columns are needed to select all keys of the fetched objects.
        let shown = tables.indices.filter { !tables[$0].isDismissed }
        let isAll = star.map { tables[$0].place?.path == "" } ?? (shown.count == 1 || !writer.isSQL)
        if isAll, query.columns.count == 1, column.name == nil { return }
        for table in star.map({ [$0] }) ?? Array(tables.indices) {
          filled.columns += try allKeys(of: table, column.value)
        }
        continue
      }
      let written = try writer.operand(column.value)
      // `select title date` in Kura: the second key lacks a comma; it is not a column name.
      if column.isBare, !writer.isSQL, let name = column.name, let entity = filled.element.entity,
        names.model.property(named: name, of: entity) != nil
      {
        filled.columns += [
          .init(value: written), .init(value: Snippet(ModelNames.written(name))),
        ]
      } else {
        let name = column.name == written.text ? nil : column.name
        filled.columns.append(.init(value: written, name: name))
      }
    }
  }

  /// Returns the table of `i.*`; nil in it for `*`; nil for other columns.
  private func star(_ tree: Tree) -> Int?? {
    switch tree.kind {
    case .star: .some(nil)
    case .infix(".", let table, _): table.lastWord.flatMap(index).map { .some($0) }
    default: nil
    }
  }

  /// Returns all keys of a table as columns: `category.objectID`, `category.name`
  private func allKeys(of table: Int, _ tree: Tree) throws -> [Query.Column] {
    guard let place = tables[table].place, !place.isMany, let entity = place.entity,
      !tables[table].isDismissed
    else { throw tree.span.unreadable }
    let keys =
      ["objectID"] + names.model.allAttributes(of: entity).map(\.name)
      + names.model.allRelationships(of: entity).filter { !$0.isToMany }.map(\.name)
    return keys.compactMap { writer.key($0, of: place).map { .init(value: $0) } }
  }

  /// Whether it is `SELECT COUNT(*) FROM Item`.
  private var countsAll: Bool {
    guard query.columns.count == 1, query.columns[0].name == nil, query.groups.isEmpty,
      query.having == nil, writer.isSQL,
      let (name, arguments) = query.columns[0].value.namedCall,
      name.lowercased() == "count", arguments.count == 1
    else { return false }
    return arguments[0].value.isStar || arguments[0].value.literalInteger != nil
  }

  private func addGroups(to filled: inout Query) throws {
    let having = try query.having.map { tree in try writer.predicate(tree) }
    if partners != nil {
      filled.conditions += [having].compactMap(\.self)
      return
    }
    for tree in query.groups {
      let text = try key(tree, filled)
      // An aggregate is sorted by the name of its column.
      let column = filled.columns.first { $0.text == text }
      filled.groups.append(text.contains("(") ? column?.key ?? text : text)
    }
    if having != nil, query.groups.isEmpty, writer.isSQL {
      throw query.span.missing(localized("HAVING without GROUP BY"))
    }
    filled.having = having
    guard writer.isSQL else { return }
    // SQL allows all keys of an object as columns if its objectID is a key.
    for group in filled.groups where group == "objectID" || group.hasSuffix(".objectID") {
      let path = group.dropLast("objectID".count)
      for column in filled.columns
      where column.text.hasPrefix(path) && !column.text.contains("(")
        && !filled.groups.contains(column.text) && !filled.groups.contains(column.key)
      {
        filled.groups.append(column.text)
      }
    }
  }

  /// Returns a value, or the number or the name of a column.
  private func key(_ tree: Tree, _ filled: Query) throws -> String {
    if tree.isLiteral || tree.literalInteger != nil {
      guard let number = tree.literalInteger, filled.columns.indices.contains(number - 1) else {
        throw tree.span.missing(localized("this column number"))
      }
      return filled.columns[number - 1].key
    }
    if let words = tree.words, words.count == 1,
      let column = filled.columns.first(where: { $0.name?.lowercased() == words[0].lowercased() })
    {
      let key = writer.key(words[0], of: writer.scope.root)
      guard writer.isSQL, let key, key.text != column.text else { return column.key }
      // The name is also a key, and databases differ in its meaning.
      throw tree.span.missing(words[0])
    }
    return try writer.operand(tree).text
  }
}
