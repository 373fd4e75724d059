import KuraDiagnostics
import KuraModel
import KuraSentences

// Columns, groups, order.
extension SelectWriter {
  func addColumns(to builder: inout QueryBuilder) throws(ForeignProblem) {
    if query.result != .objects { return }
    if try countsAll(&builder) { return }
    let isAll =
      query.columns.count == 1 && isStar(query.columns[0].value) && query.columns[0].name == nil
    guard !isAll else { return }
    for column in query.columns {
      let text = isStar(column.value) ? "*" : try writer.value(column.value).text
      if let key = missingColumn(column, builder) {
        builder.columns += [.init(text: text), .init(text: key)]
        continue
      }
      let name = column.name == text ? nil : column.name
      builder.columns.append(.init(text: text, name: name))
    }
  }

  /// `title date`: in Kura's own words, and where nothing is selected from, a key behind a column lacks a comma, and names nothing.
  private func missingColumn(
    _ column: SelectQuery.Column, _ builder: QueryBuilder
  ) -> String? {
    guard column.isBare, writer.parser.dialect == .kura || query.isWithoutFrom,
      let entity = builder.element.entity,
      let name = column.name, writer.names.model.property(named: name, of: entity) != nil
    else { return nil }
    return ModelNames.written(name)
  }

  /// `SELECT COUNT(*) FROM Item`, `SELECT COUNT(DISTINCT category) FROM Item`
  private func countsAll(_ builder: inout QueryBuilder) throws(ForeignProblem) -> Bool {
    guard query.columns.count == 1, query.groups.isEmpty, query.columns[0].name == nil,
      let (name, arguments) = query.columns[0].value.namedCall, name.lowercased() == "count",
      arguments.count == 1, writer.parser.dialect == .sql
    else { return false }
    if case .prefix("DISTINCT", let inner) = arguments[0].value.kind {
      builder.columns = [.init(text: try writer.value(inner).text)]
      builder.isDistinct = true
    } else if !isStar(arguments[0].value), arguments[0].value.literalInteger == nil {
      return false
    }
    builder.result = .count
    return true
  }

  private func isStar(_ tree: ForeignExpression) -> Bool {
    switch tree.kind {
    case .star: true
    case .infix(".", let table, _): table.lastWord.flatMap(tables.index) != nil
    default: false
    }
  }

  /// Groups of objects; where only what belongs to each object is summed up, there are none.
  func addGroups(to builder: inout QueryBuilder) throws(ForeignProblem) {
    let having = try query.having.map { (tree) throws(ForeignProblem) in try writer.predicate(tree)
    }
    let isPerObject =
      builder.columns.contains { $0.text.contains(".@") }
      && !builder.columns.contains { isAggregate($0.text) }
    if isPerObject, !query.groups.isEmpty {
      builder.conditions += [having].compactMap(\.self)
      return
    }
    for key in query.groups { builder.groups.append(try group(key, builder)) }
    builder.having = [having].compactMap(\.self)
  }

  private func isAggregate(_ text: String) -> Bool {
    ["count(", "sum(", "min(", "max(", "avg(", "average("].contains {
      text.lowercased().contains($0)
    }
  }

  /// `category`, or the number or the name of a column.
  private func group(
    _ tree: ForeignExpression, _ builder: QueryBuilder
  ) throws(ForeignProblem) -> String {
    if let number = tree.literalInteger, builder.columns.indices.contains(number - 1) {
      return columnName(builder.columns[number - 1])
    }
    if let name = tree.lastWord, builder.columns.contains(where: { $0.name == name }) {
      return name
    }
    return try writer.value(tree).text
  }

  private func columnName(_ column: QueryBuilder.Column) -> String {
    column.name.map(ModelNames.written) ?? column.text
  }

  func sortKey(
    _ key: SelectQuery.Order, _ builder: QueryBuilder
  ) throws(ForeignProblem) -> QueryBuilder.SortKey {
    var text = try group(key.value, builder)
    // An aggregate is a key by the name of its column.
    let same = builder.columns.first { $0.text == text && $0.name != nil }
    if let name = same?.name { text = ModelNames.written(name) }
    return .init(text: text + key.options, isDescending: key.isDescending, tail: key.tail)
  }
}

// SELECT as a value
extension ExpressionWriter {
  /// `(SELECT …)` as a fetch in brackets, or as a path where it asks for what belongs to the object
  /// around it.
  func nested(_ query: SelectQuery) throws(ForeignProblem) -> Written {
    changes += 1
    let start = nullable.count
    defer { nullable.removeLast(nullable.count - start) }
    if let correlated = try correlated(query) { return correlated }
    guard let builder = try SelectWriter.builders(query, self).first else {
      throw .unreadable(query.span)
    }
    return try value(of: builder, query)
  }

  private func value(
    of builder: QueryBuilder, _ query: SelectQuery
  ) throws(ForeignProblem) -> Written {
    var builder = builder
    var type = WrittenType.unknown
    if builder.columns.count == 1 {
      let column = try inside(ForeignScope(root: builder.element)) { () throws(ForeignProblem) in
        try value(query.columns[0].value)
      }
      type = column.type
      if column.text == "objectID" {
        builder.columns = []
        type = builder.element.entity.map { .object($0) } ?? .unknown
      }
    }
    guard var written = builder.value else { throw .unreadable(query.span) }
    written.type = type
    return written
  }

  /// A SELECT that names the object around it, by a relationship; nil: it does not.
  private func correlated(_ query: SelectQuery) throws(ForeignProblem) -> Written? {
    guard let root = scope.root, root.entity != nil, query.from != nil else { return nil }
    var select = SelectWriter(query, self)
    let inner = select.tables.tables.count
    for (name, place) in scope.names.sorted(by: { $0.key < $1.key }) {
      select.tables.add(outer: name, place)
    }
    if let entity = root.entity, scope[entity] == nil { select.tables.add(outer: entity, root) }
    select.findLinks()
    let outer = select.tables.tables.indices.filter { $0 >= inner }
    select.tables.spread()
    guard let place = select.tables.tables[0].place else {
      try refuseOuter(select, outer)
      return nil
    }
    return try correlated(select, place, inner)
  }

  /// A fetch in brackets sees nothing of what stands around it.
  private func refuseOuter(_ select: SelectWriter, _ outer: [Int]) throws(ForeignProblem) {
    let inner = Set(select.tables.tables.prefix(1).map { $0.name.lowercased() })
    for condition in select.conditions {
      for table in outer where !inner.contains(select.tables.tables[table].name.lowercased()) {
        if select.mentions(select.tables.tables[table].name, condition) {
          throw missing(
            localized("a SELECT that asks for the row around it"),
            localized("SUBQUERY(items, $x, …) asks what belongs to it"),
            at: condition.span)
        }
      }
    }
  }

  private func correlated(
    _ select: SelectWriter, _ place: ForeignScope.Place, _ inner: Int
  ) throws(ForeignProblem) -> Written {
    let isSingle = select.conditions.count < 2 && select.query.result == .exists || !place.isMany
    let variable = isSingle ? nil : newVariable()
    var scope = self.scope
    let element = variable.map { ForeignScope.Place(path: $0, entity: place.entity) } ?? place
    scope.root = element
    for table in select.tables.tables.prefix(inner) { scope[table.name] = table.place }
    scope[select.tables.tables[0].name] = element
    let all = try inside(scope) { () throws(ForeignProblem) in
      var written: [Written] = []
      for condition in select.conditions { written.append(try predicate(condition)) }
      return QueryBuilder.all(written)
    }
    if select.query.result == .exists, isSingle {
      let way = Written(place.path, .object(place.entity ?? ""), isMany: place.isMany)
      return all ?? truth(way, isTrue: true)
    }
    let many = all.map { "SUBQUERY(\(place.path), \(variable ?? "$x"), \($0.text))" } ?? place.path
    if select.query.result == .exists { return .predicate("\(many).@count > 0") }
    return try aggregate(select.query, place, many, hasConditions: all != nil)
  }

  /// `items.@count`, `items.@max.minutes`, `parentCategory.name`
  private func aggregate(
    _ query: SelectQuery, _ place: ForeignScope.Place, _ many: String, hasConditions: Bool
  ) throws(ForeignProblem) -> Written {
    guard query.columns.count == 1 else { throw .unreadable(query.span) }
    let column = query.columns[0].value
    var owner = ForeignScope(root: ForeignScope.Place(path: "", entity: place.entity))
    if let from = query.from { owner[from.alias ?? from.value.lastWord ?? ""] = owner.root }
    guard let (name, arguments) = column.namedCall, let first = arguments.first else {
      let key = try inside(owner) { () throws(ForeignProblem) in try value(column) }
      guard !place.isMany, !hasConditions else { throw .unreadable(query.span) }
      return Written(place.path + "." + key.text, key.type)
    }
    if name.lowercased() == "count" { return Written(many + ".@count", .number) }
    let known = ["max": "@max", "min": "@min", "sum": "@sum", "avg": "@avg"]
    guard let sign = known[name.lowercased()] else { throw .unreadable(query.span) }
    let key = try inside(owner) { () throws(ForeignProblem) in try value(first.value) }
    return Written("\(many).\(sign).\(key.text)", key.type)
  }
}
