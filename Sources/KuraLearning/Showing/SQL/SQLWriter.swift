import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences

/// Writes a fetch in SQLite's language, for a table per root entity with `objectID` and a column
/// for each attribute and to-one relationship.
///
/// Predicates have two truth values, SQL has three. Each comparison is written so that NULL becomes
/// 0.
final class SQLWriter {
  let typed: AnnotatedFetch
  let missing = CounterpartList("SQLite")
  private var aliases = 0
  /// The variables of SUBQUERYs, with the tables of their elements.
  var variables: [String: SQLTable] = [:]
  /// The table of the fetched objects.
  let root: SQLTable

  init(_ typed: AnnotatedFetch) {
    self.typed = typed
    root = SQLTable(alias: "t0", entity: typed.entity, scope: SQLScope())
  }

  var model: Model { typed.model }

  /// Returns an unused alias: `t3`
  func newAlias() -> String {
    aliases += 1
    return "t\(aliases)"
  }
}

extension AnnotatedFetch {
  /// Returns the fetch in SQLite's language.
  ///
  /// Throws if something has no counterpart there.
  package func sql() throws(Untranslatable) -> String {
    let writer = SQLWriter(self)
    let text = writer.statement()
    try writer.missing.check()
    return text
  }
}

extension SQLWriter {
  /// Returns the complete statement.
  func statement() -> String {
    let fetch = typed.fetch
    if fetch.source.entity == nil {
      _ = missing.missing(
        localized("table for \"\(fetch.source.written)\""), at: fetch.source.span)
    }
    if let section = fetch.section { _ = missing.missing("sections", at: section.span) }
    missing.noteLimitKeys(of: fetch)
    let test = wanted(fetch)
    switch fetch.result {
    case .count: return "SELECT count(*)\(from(test))"
    case .exists: return "SELECT EXISTS (SELECT 1\(from(test)))"
    case .objects:
      let columns = columns(of: fetch)
      let rest = groups(of: fetch) + order(of: fetch) + extent(of: fetch)
      return "SELECT \(columns)\(from(test))\(rest)"
    }
  }

  private func from(_ test: String) -> String {
    "\nFROM \(model.root(of: typed.entity).sqlName) AS t0\(root.scope.joins)"
      + (test.isEmpty ? "" : "\nWHERE \(test)")
  }

  /// Returns the predicate, with a condition for the entities of the table.
  private func wanted(_ fetch: FetchTree) -> String {
    let tableRoot = model.root(of: typed.entity)
    let all = [tableRoot] + model.descendants(of: tableRoot)
    let own =
      [typed.entity] + (fetch.includesSubentities ? model.descendants(of: typed.entity) : [])
    guard own.count < all.count else { return fetch.predicate.map(clause) ?? "" }
    let entities = "t0.\"entity\" IN (\(own.map(\.sqlText).joined(separator: ", ")))"
    guard let predicate = fetch.predicate else { return entities }
    let test = clause(predicate)
    let isOr = if case .or = predicate.kind { true } else { false }
    return "\(entities) AND \(isOr ? bracketed(test) : test)"
  }

  private func columns(of fetch: FetchTree) -> String {
    let columns = (fetch.selection ?? [.all()]).map { column in
      column.name.map { "\(aggregate(column.expression)) AS \($0.sqlName)" } ?? "t0.*"
    }
    return (fetch.isDistinct && !groupsEqualRows ? "DISTINCT " : "")
      + columns.joined(separator: ", ")
  }

  private func groups(of fetch: FetchTree) -> String {
    let keys =
      groupsEqualRows
      ? (fetch.selection ?? []).map { aggregate($0.expression) }.joined(separator: ", ")
      : fetch.grouping.map(side).joined(separator: ", ")
    return (keys.isEmpty ? "" : "\nGROUP BY \(keys)")
      + (fetch.having.map { "\nHAVING \(condition(having: $0))" } ?? "")
  }

  private func condition(having predicate: PredicateTree) -> String {
    guard case .comparison(let comparison) = predicate.kind, comparison.options.isEmpty,
      comparison.modifier == .direct,
      comparison.operation.family == .order
    else { return missing.missing("this HAVING", at: predicate.span) }
    let (left, right) = (side(comparison.left), side(comparison.right))
    return "\(left) \(comparison.operation.text) \(right)"
  }

  /// Returns a value of a group: the name of a column precedes a key of that name.
  func side(_ tree: ExpressionTree) -> String {
    aggregate(typed.fetch.column(named: tree)?.expression ?? tree)
  }

  private func order(of fetch: FetchTree) -> String {
    var keys = fetch.sort.map { key in
      term(key, fetch.column(named: key.expression)?.name?.sqlName ?? aggregate(key.expression))
    }
    let isOfObjects = fetch.having == nil && !fetch.isDistinct && !hasAggregate(fetch)
    if !fetch.grouping.isEmpty || isOfObjects || groupsEqualRows { keys += lastKeys }
    return keys.isEmpty ? "" : "\nORDER BY \(keys.joined(separator: ", "))"
  }

  /// Whether distinct rows are groups, which the first object of each can order: the columns that SELECT DISTINCT can
  /// sort by do not decide which rows are the first ones.
  private var groupsEqualRows: Bool {
    let fetch = typed.fetch
    let columns = fetch.selection ?? [.all()]
    return fetch.isDistinct && (fetch.limit != nil || fetch.offset != nil) && fetch.grouping.isEmpty
      && fetch.having == nil && !hasAggregate(fetch) && columns.allSatisfy { $0.name != nil }
      && !columns.allSatisfy { column in
        fetch.sort.contains { side($0.expression) == aggregate(column.expression) }
      }
  }

  /// The keys that order rows with equal sort keys: the keys of the groups, or the objectID.
  var lastKeys: [String] {
    let fetch = typed.fetch
    if groupsEqualRows { return ["min(\(root.objectID))"] }
    if fetch.grouping.isEmpty { return [root.objectID] }
    let sorted = fetch.sort.map { side($0.expression) }
    return fetch.grouping.map(side).filter { !sorted.contains($0) }
  }

  /// Returns a key of ORDER BY.
  func term(_ key: SortTree, _ value: String) -> String {
    if key.isNatural || !key.options.isEmpty {
      _ = missing.missing(localized("sort order such as \(key)"), at: key.span)
    }
    let nulls = key.nullsFirst.map { $0 ? " NULLS FIRST" : " NULLS LAST" } ?? ""
    return "\(value)\(key.isAscending ? "" : " DESC")\(nulls)"
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

  private func extent(of fetch: FetchTree) -> String {
    let limit = fetch.limit.map(expression)
    let offset = fetch.offset.map(expression)
    if limit == nil, offset == nil { return "" }
    let most = limit == "0" ? "-1" : limit ?? "-1"
    return "\nLIMIT \(most)" + (offset.map { " OFFSET \($0)" } ?? "")
  }
}

extension FetchTree {
  /// The column whose name an expression is.
  fileprivate func column(named tree: ExpressionTree) -> SelectedColumn? {
    selection?.first { $0.isNamed && $0.name == tree.description }
  }
}

/// The FROM clause of a query: a table, with the tables of its to-one relationships.
final class SQLScope {
  /// The text of the joins.
  var joins = ""
  /// The joined tables, by the column of their relationship.
  var joined: [String: SQLTable] = [:]
}

/// A table in a query.
struct SQLTable {
  let alias: String
  let entity: String
  let scope: SQLScope
  /// Whether the table is joined for a to-one relationship, which may be nil.
  var isJoined = false
}

extension SQLTable {
  /// `t0."objectID"`
  var objectID: String { column("objectID") }

  /// `t0."title"`
  func column(_ name: String) -> String { "\(alias).\(name.sqlName)" }
}

extension SQLWriter {
  /// Returns the table of a to-one relationship; joins it once.
  func table(of relationship: Relationship, from owner: SQLTable) -> SQLTable {
    let (column, alias, scope) = (owner.column(relationship.name), newAlias(), owner.scope)
    if let joined = scope.joined[column] { return joined }
    let table = SQLTable(
      alias: alias, entity: relationship.destination, scope: scope, isJoined: true)
    scope.joined[column] = table
    let name = model.root(of: table.entity).sqlName
    scope.joins += " LEFT JOIN \(name) AS \(alias) ON \(table.objectID) = \(column)"
    return table
  }
}

extension String {
  /// `"first name"`
  var sqlName: String { "\"\(replacing("\"", with: "\"\""))\"" }

  /// `'don''t'`
  var sqlText: String { "'\(replacing("'", with: "''"))'" }
}

// Window functions: `rank() per category`, `runningSum(cost)`, `share(cost)`
extension SQLWriter {
  /// Returns a call of a window function; nil for other functions.
  func window(_ call: FunctionCall) -> String? {
    guard let function = call.builtIn, function.entry.isWindow, let template = function.spelling.sql
    else { return nil }
    let fetch = typed.fetch
    let keys = call.windowKey.map { $0.elementsOfList ?? [$0] } ?? []
    let part = keys.map(side).joined(separator: ", ")
    let order = fetch.sort.map { term($0, side($0.expression)) }
    return template(
      call.argumentsInParentheses.first.map(aggregate) ?? "",
      part.isEmpty ? "" : "PARTITION BY \(part) ",
      (order.isEmpty ? lastKeys : order).joined(separator: ", "),
      (order + lastKeys).joined(separator: ", "))
  }
}
