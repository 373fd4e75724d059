import KuraDiagnostics
import KuraModel
import KuraSentences

// Columns, groups, order
extension SelectWriter {
  func addColumns(to builder: inout QueryBuilder) throws {
    if try countsAll(&builder) { return }
    if query.columns.count == 1, query.columns[0].name == nil,
      let table = star(query.columns[0].value)
    {
      // All keys of the objects that are fetched.
      let isAll = query.columns[0].value.isStar
      let shown = tables.tables.indices.filter { !tables.tables[$0].isDismissed }
      let isRoot = tables.tables[table ?? 0].place?.path.isEmpty == true
      if isAll ? shown.count == 1 || !writer.isSQL : isRoot { return }
    }
    for column in query.columns {
      if let table = star(column.value) {
        let all = table.map { [$0] } ?? Array(tables.tables.indices)
        for table in all { builder.columns += try allKeys(of: table, column.value) }
        continue
      }
      let written = try writer.operand(column.value)
      let name = column.name == written.text ? nil : column.name
      if let key = missingComma(column, builder) {
        builder.columns += [.init(text: written.text, value: written), .init(text: key)]
      } else {
        builder.columns.append(.init(text: written.text, name: name, value: written))
      }
    }
  }

  /// The table of `i.*`; nil in it for `*`; nil for other columns.
  private func star(_ tree: Tree) -> Int?? {
    switch tree.kind {
    case .star: .some(nil)
    case .infix(".", let table, _): table.lastWord.flatMap(tables.index).map { .some($0) }
    default: nil
    }
  }

  /// `category.objectID`, `category.name`
  private func allKeys(of table: Int, _ tree: Tree) throws -> [QueryBuilder.Column] {
    guard let place = tables.tables[table].place, !place.isMany, let entity = place.entity,
      !tables.tables[table].isDismissed
    else { throw tree.span.unreadable }
    let model = writer.names.model
    let keys =
      ["objectID"] + model.allAttributes(of: entity).map(\.name)
      + model.allRelationships(of: entity).filter { !$0.isToMany }.map(\.name)
    return keys.map { key in
      let written = key == "objectID" ? nil : writer.key(key, of: place)
      return .init(text: written?.text ?? writer.join(place.path, key))
    }
  }

  /// `select title date` in Kura: a key after a column lacks a comma, and is not its name.
  private func missingComma(_ column: SelectQuery.Column, _ builder: QueryBuilder) -> String? {
    guard column.isBare, !writer.isSQL, let entity = builder.element.entity,
      let name = column.name, writer.names.model.property(named: name, of: entity) != nil
    else { return nil }
    return ModelNames.written(name)
  }

  /// `SELECT COUNT(*) FROM Item`, `SELECT COUNT(DISTINCT category) FROM Item`
  private func countsAll(_ builder: inout QueryBuilder) throws -> Bool {
    guard query.columns.count == 1, query.groups.isEmpty, query.having == nil, writer.isSQL,
      let (name, arguments) = query.columns[0].value.namedCall, name.lowercased() == "count",
      arguments.count == 1
    else { return false }
    let argument = arguments[0].value
    if case .prefix("DISTINCT", let inner) = argument.kind {
      let written = try writer.operand(inner)
      builder.columns = [.init(text: written.text)]
      builder.conditions += Written.known(written.nulls)
      builder.isDistinct = true
    } else if query.columns[0].name != nil || !argument.isStar && argument.literalInteger == nil {
      return false
    }
    builder.result = .count
    return true
  }

  func addGroups(to builder: inout QueryBuilder) throws {
    let having = try query.having.map { tree in try writer.predicate(tree)
    }
    if writer.partners != nil {
      builder.conditions += [having].compactMap(\.self)
      return
    }
    for tree in query.groups {
      var text = try key(tree, builder)
      // An aggregate is a key by the name of its column.
      if let name = builder.columns.first(where: { $0.text == text })?.name,
        text.contains("(")
      {
        text = ModelNames.written(name)
      }
      builder.groups.append(text)
    }
    if having != nil, query.groups.isEmpty, writer.isSQL {
      throw writer.missing(localized("HAVING without GROUP BY"), at: query.span)
    }
    builder.having = having
    addDependentKeys(to: &builder)
  }

  /// Groups by all keys of an object whose objectID is a key: SQL lets them be columns.
  private func addDependentKeys(to builder: inout QueryBuilder) {
    guard writer.isSQL else { return }
    for group in builder.groups where group == "objectID" || group.hasSuffix(".objectID") {
      let path = group.dropLast("objectID".count)
      for column in builder.columns
      where column.text.hasPrefix(path) && !column.text.contains("(")
        && !builder.groups.contains(column.text)
        && !builder.groups.contains(column.name.map(ModelNames.written) ?? column.text)
      {
        builder.groups.append(column.text)
      }
    }
  }

  /// A value, or the number or the name of a column.
  private func key(_ tree: Tree, _ builder: QueryBuilder) throws -> String {
    if tree.isLiteral || tree.literalInteger != nil {
      guard let number = tree.literalInteger, builder.columns.indices.contains(number - 1) else {
        throw writer.missing(localized("the number of a column"), at: tree.span)
      }
      let column = builder.columns[number - 1]
      return column.name.map(ModelNames.written) ?? column.text
    }
    if let words = tree.words, words.count == 1,
      let column = builder.columns.first(where: { $0.name?.lowercased() == words[0].lowercased() }),
      let name = column.name
    {
      let key = writer.key(words[0], of: writer.scope.root)
      guard writer.isSQL, let key, key.text != column.text else { return ModelNames.written(name) }
      // The name is also that of a key: the databases differ in what is meant.
      throw writer.missing(words[0], at: tree.span)
    }
    return try writer.operand(tree).text
  }

  func sortKey(_ key: SelectQuery.Order, _ builder: QueryBuilder) throws -> QueryBuilder.SortKey {
    var text = try self.key(key.value, builder)
    let same = builder.columns.first { $0.text == text && $0.name != nil }
    if let name = same?.name { text = ModelNames.written(name) }
    return .init(text: text + key.options, isDescending: key.isDescending, tail: key.tail)
  }
}

// SELECT as a value
extension ExpressionWriter {
  /// `(SELECT MAX(x) FROM …)` as a fetch in brackets, or as a path if it asks for what belongs to the
  /// object around it.
  func nested(_ query: SelectQuery) throws -> Written {
    changes += 1
    if let correlated = try correlated(query) { return correlated }
    let builder = try SelectWriter.builder(query, self)
    if query.result == .exists {
      guard query.groups.isEmpty, query.offset == nil, let value = builder.value else {
        throw missing(localized("such a SELECT"), at: query.span)
      }
      return value
    }
    guard query.isOneValue || !isSQL, var written = builder.value else {
      throw missing(localized("a SELECT with several rows"), at: query.span)
    }
    if let column = builder.columns.first?.value, written.type == .unknown {
      written.type = column.type
    }
    if !isSQL, builder.columns.count == 1, builder.columns[0].text == "objectID" {
      return try objects(of: builder)
    }
    return written
  }

  /// The objects themselves, for a SELECT of their objectIDs.
  private func objects(of builder: QueryBuilder) throws -> Written {
    var builder = builder
    builder.columns = []
    guard var written = builder.value else { throw SourceSpan.none.unreadable }
    written.type = builder.element.entity.map { .object($0) } ?? .unknown
    return written
  }

  /// `x IN (SELECT category FROM Item WHERE …)`
  func member(_ first: Written, _ left: Tree, of query: SelectQuery) throws -> Written {
    changes += 1
    guard query.columns.count == 1, query.groups.isEmpty, query.limit == nil, query.offset == nil,
      try correlated(query) == nil
    else { throw missing(localized("such a SELECT"), at: query.span) }
    let builder = try SelectWriter.builder(query, self)
    guard let column = builder.columns.first?.value, builder.columns.count == 1,
      case .objects = builder.result
    else { throw missing(localized("such a SELECT"), at: query.span) }
    var (path, set) = (first.text(in: .sum), builder.value?.text ?? "")
    switch (first.type, column.type) {
    case (.object, .integer) where column.text == "objectID": set = try objects(of: builder).text
    case (.integer, .object) where path == "objectID" || path.hasSuffix(".objectID"):
      path = path == "objectID" ? "SELF" : String(path.dropLast(".objectID".count))
    default:
      guard first.type.agrees(with: column.type) else {
        throw missing(localized("a comparison of different types"), at: left.span)
      }
    }
    let met = Written.predicate("\(path) IN \(set)")
    var opposite: [Written] = [.predicate("NOT \(met.text)", .not)]
    var (all, empty) = (builder, builder)
    (all.columns, all.result, all.sort) = ([], .count, [])
    empty = all
    if !first.nulls.isEmpty {
      // Of nothing NULL is no member, too.
      let known = Written.all(Written.known(first.nulls))?.text(in: .or) ?? ""
      opposite.append(.predicate("\(known) OR \(all.value?.text ?? "") == 0", .or))
    }
    if !column.nulls.isEmpty {
      empty.conditions.append(.predicate("\(column.text) == NULL"))
      opposite.append(.predicate("\(empty.value?.text ?? "") == 0"))
    }
    return met.or(
      not: Written.all(opposite) ?? met,
      nulls: first.nulls.joined(column.nulls.isEmpty ? [] : [set]))
  }

  /// A SELECT that names the object around it, by a relationship; nil if it does not.
  private func correlated(_ query: SelectQuery) throws -> Written? {
    guard let root = scope.root, let entity = root.entity, query.from != nil else { return nil }
    var select = SelectWriter(query, self)
    let inner = select.tables.tables.count
    for (name, place) in scope.names.sorted(by: { $0.key < $1.key }) {
      select.tables.add(around: name, place)
    }
    if scope[entity] == nil { select.tables.add(around: entity, root) }
    select.findLinks()
    select.tables.spread()
    guard let place = select.tables.tables[0].place else {
      try refuseOuter(select, inner)
      return nil
    }
    guard inner == 1, select.tables.links.allSatisfy(\.isUsed), query.groups.isEmpty,
      query.having == nil, query.offset == nil, query.limit?.literalInteger ?? 1 > 0,
      query.limit == nil || query.result == .exists
    else { throw missing(localized("such a SELECT"), at: query.span) }
    return try correlated(select, place)
  }

  /// A fetch in brackets does not see the object around it.
  private func refuseOuter(_ select: SelectWriter, _ inner: Int) throws {
    let own = Set(select.tables.tables.prefix(inner).map { $0.name.lowercased() })
    for condition in select.conditions {
      for table in select.tables.tables.dropFirst(inner)
      where !own.contains(table.name.lowercased()) {
        guard select.mentions(table.name, condition) else { continue }
        throw missing(
          localized("a SELECT that asks for the row around it"),
          localized("SUBQUERY(items, $x, …) asks what belongs to it"), at: condition.span)
      }
    }
  }

  private func correlated(_ select: SelectWriter, _ place: Place) throws -> Written {
    let (query, name) = (select.query, select.tables.tables[0].name)
    guard place.isMany else { throw missing(localized("such a SELECT"), at: query.span) }
    var partners = place
    partners.path = try subquery(place.path, of: place.entity, select.conditions) { element in
      var inner = scope
      inner.root = element
      inner[name] = element
      return inner
    }
    let count = partners.path + ".@count"
    if query.result == .exists {
      return Written.predicate("\(count) > 0").or(not: .predicate("\(count) == 0"))
    }
    guard query.columns.count == 1, let call = query.columns[0].value.namedCall,
      Self.aggregates.contains(call.name.lowercased()), call.arguments.count == 1
    else { throw missing(localized("a SELECT with several rows"), at: query.span) }
    let (function, argument) = (call.name.lowercased(), call.arguments[0].value)
    if function == "count", argument.isStar || argument.isLiteral {
      return Written(count, .integer)
    }
    var key = argument
    if case .member(let base, let word) = argument.kind,
      base.lastWord?.lowercased() == name.lowercased()
    {
      key = Tree(.name(word), argument.span)
    }
    return try aggregate(function, of: partners, key)
  }

  static let aggregates: Set = ["count", "sum", "min", "max", "avg"]
}

extension SelectQuery {
  /// Whether it is one row with one aggregate.
  fileprivate var isOneValue: Bool {
    guard columns.count == 1, groups.isEmpty, offset == nil, having == nil,
      let name = columns[0].value.namedCall?.name
    else { return false }
    return ExpressionWriter.aggregates.contains(name.lowercased())
  }
}
