import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension SQLWriter {
  /// The whole statement.
  mutating func statement() -> String {
    let fetch = typed.fetch
    if case .entity = fetch.source.kind {
    } else {
      _ = missing.missing(
        localized("\"\(fetch.source.written)\" as a table"), at: fetch.source.span)
    }
    if let section = fetch.section { _ = missing.missing("sections", at: section.span) }
    let test = wanted(fetch)
    switch fetch.result {
    case .count: return "SELECT count(*)\(from(test))"
    case .exists: return "SELECT EXISTS (SELECT 1\(from(test)))"
    case .objects:
      let columns = columns(of: fetch)
      let grouping = groups(of: fetch)
      let order = order(of: fetch)
      return "SELECT \(columns)\(from(test))\(grouping)\(order)\(extent(of: fetch))"
    }
  }

  private func from(_ test: String) -> String {
    "\nFROM \(model.root(of: typed.entity).sqlName) AS t0\(root.joins.joined())"
      + (test.isEmpty ? "" : "\nWHERE \(test)")
  }

  /// The predicate, and which entities of the table are meant.
  private mutating func wanted(_ fetch: FetchTree) -> String {
    let text = fetch.predicate.map { condition($0, root) }
    let tableRoot = model.root(of: typed.entity)
    let all = [tableRoot] + model.descendants(of: tableRoot)
    let own =
      [typed.entity] + (fetch.includesSubentities ? model.descendants(of: typed.entity) : [])
    guard own.count < all.count else { return text ?? "" }
    let entities = "t0.\"entity\" IN (\(own.map(\.sqlText).joined(separator: ", ")))"
    let isOr = if case .or? = fetch.predicate?.kind { true } else { false }
    return text.map { "\(entities) AND \(isOr ? "(\($0))" : $0)" } ?? entities
  }

  private mutating func columns(of fetch: FetchTree) -> String {
    guard let selection = fetch.selection else {
      return fetch.isDistinct ? "DISTINCT t0.*" : "t0.*"
    }
    var columns: [String] = []
    for column in selection {
      guard let name = column.name else {
        columns.append("t0.*")
        continue
      }
      columns.append("\(aggregate(column.expression)) AS \(name.sqlName)")
    }
    return (fetch.isDistinct ? "DISTINCT " : "") + columns.joined(separator: ", ")
  }

  /// `count(SELF)`, `max(date)`, or a value of an object.
  private mutating func aggregate(_ tree: ExpressionTree) -> String {
    let functions = [
      "count:": "count", "sum:": "sum", "min:": "min", "max:": "max", "average:": "avg",
    ]
    guard case .function(let call) = tree.kind, call.arguments.count == 1,
      let function = functions[call.selector]
    else { return expression(tree, root) }
    if case .evaluatedObject = call.arguments[0].kind { return "\(function)(*)" }
    let text = "\(function)(\(expression(call.arguments[0], root)))"
    return function == "sum" ? "coalesce(\(text), 0)" : text
  }

  private mutating func groups(of fetch: FetchTree) -> String {
    var text = ""
    if !fetch.grouping.isEmpty {
      var keys: [String] = []
      for key in fetch.grouping { keys.append(expression(key, root)) }
      text = "\nGROUP BY \(keys.joined(separator: ", "))"
    }
    guard let having = fetch.having else { return text }
    return text + "\nHAVING \(condition(having: having, of: fetch))"
  }

  private mutating func condition(having predicate: PredicateTree, of fetch: FetchTree) -> String {
    guard case .comparison(let comparison) = predicate.kind, comparison.options.isEmpty,
      comparison.modifier == .direct,
      [.less, .lessOrEqual, .greater, .greaterOrEqual]
        .contains(comparison.operation)
    else { return missing.missing("this HAVING", at: predicate.span) }
    let (left, right) = (side(comparison.left, of: fetch), side(comparison.right, of: fetch))
    return "\(left) \(comparison.operation.text) \(right)"
  }

  /// What a group has: a column by its name goes before a key of that name.
  private mutating func side(_ tree: ExpressionTree, of fetch: FetchTree) -> String {
    let column = fetch.selection?.first { $0.isNamed && $0.name == tree.description }
    return aggregate(column?.expression ?? tree)
  }

  private mutating func order(of fetch: FetchTree) -> String {
    var keys: [String] = []
    for key in fetch.sort {
      if key.isNatural || !key.options.isEmpty {
        _ = missing.missing(localized("order such as \(key)"), at: key.span)
      }
      let nulls = key.nullsFirst.map { $0 ? " NULLS FIRST" : " NULLS LAST" } ?? ""
      let name = fetch.selection?.first { $0.isNamed && $0.name == key.expression.description }?
        .name
      keys.append(
        "\(name?.sqlName ?? aggregate(key.expression))\(key.isAscending ? "" : " DESC")\(nulls)")
    }
    let isOfObjects = fetch.grouping.isEmpty && fetch.having == nil && !fetch.isDistinct
    if isOfObjects, !hasAggregate(fetch) { keys.append("t0.\"objectID\"") }
    if keys.isEmpty { for key in fetch.grouping { keys.append(expression(key, root)) } }
    return keys.isEmpty ? "" : "\nORDER BY \(keys.joined(separator: ", "))"
  }

  private func hasAggregate(_ fetch: FetchTree) -> Bool {
    (fetch.selection ?? []).contains { column in
      if case .function(let call) = column.expression.kind {
        call.function?.isAggregate ?? false
      } else {
        false
      }
    }
  }

  private mutating func extent(of fetch: FetchTree) -> String {
    let limit = fetch.limit.map { expression($0, root) }
    let offset = fetch.offset.map { expression($0, root) }
    if limit == nil, offset == nil { return "" }
    let most = limit == "0" ? "-1" : limit ?? "-1"
    return "\nLIMIT \(most)" + (offset.map { " OFFSET \($0)" } ?? "")
  }
}
