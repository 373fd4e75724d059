import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Writes a fetch in SQLite's language, for a table per root entity with `objectID` and a column
/// for each attribute and to-one relationship.
///
/// Predicates have two truth values, SQL has three. Each comparison is written so that NULL becomes
/// 0.
struct SQLWriter {
  let typed: AnnotatedFetch
  let missing = CounterpartList("SQLite")
  private var aliases = 0
  /// The variables of SUBQUERYs, with the tables of their elements.
  var variables: [String: SQLScope] = [:]
  /// The scope of the fetched objects.
  let root: SQLScope

  init(_ typed: AnnotatedFetch) {
    self.typed = typed
    root = SQLScope("t0", typed.entity)
  }

  var model: Model { typed.model }

  /// Returns an unused alias: `t3`
  mutating func newAlias() -> String {
    aliases += 1
    return "t\(aliases)"
  }
}

extension AnnotatedFetch {
  /// Returns the fetch in SQLite's language.
  ///
  /// Throws if something has no counterpart there.
  package func sql() throws(Untranslatable) -> String {
    var writer = SQLWriter(self)
    let text = writer.statement()
    try writer.missing.check()
    return text
  }
}

// Predicates
extension SQLWriter {
  /// Returns a predicate as an expression that is 0 or 1.
  mutating func condition(_ predicate: PredicateTree, _ scope: SQLScope) -> String {
    switch predicate.kind {
    case .comparison(let comparison): return condition(comparison, predicate.span, scope)
    case .not(let inner): return "NOT (\(condition(inner, scope)))"
    case .and(let parts): return joined(parts, " AND ", empty: "1", scope)
    case .or(let parts): return joined(parts, " OR ", empty: "0", scope)
    case .constant(let answer): return answer ? "1" : "0"
    case .truth(let value): return "coalesce(\(expression(value, scope)) <> 0, 0)"
    }
  }

  private mutating func joined(
    _ parts: [PredicateTree], _ word: String, empty: String, _ scope: SQLScope
  ) -> String {
    var texts: [String] = []
    for part in parts {
      let text = condition(part, scope)
      let isCompound =
        if case .or = part.kind { true } else if case .and = part.kind { true } else { false }
      texts.append(isCompound ? "(\(text))" : text)
    }
    return texts.isEmpty ? empty : texts.joined(separator: word)
  }

  private mutating func condition(
    _ comparison: Comparison, _ span: SourceSpan, _ scope: SQLScope
  ) -> String {
    guard comparison.options.isEmpty else {
      return missing.missing(
        "[\(comparison.options.letters)]", at: comparison.operationSpan,
        localized("SQLite comparisons ignore the case of ASCII letters only"))
    }
    if comparison.modifier == .direct {
      let left = side(comparison.left, beside: comparison.right, scope)
      return condition(comparison, left, scope)
    }
    let isAll = comparison.modifier == .all
    let found = elements(of: comparison.left, scope) { writer, element in
      let text = writer.condition(comparison, element, scope)
      return isAll ? "NOT (\(text))" : text
    }
    guard let found else {
      return missing.missing(
        localized("collection in \(typed.texts.text(of: comparison.left))"),
        at: comparison.left.span)
    }
    return isAll ? "NOT \(found)" : found
  }

  /// Returns a comparison whose left side is already written.
  private mutating func condition(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    switch comparison.operation {
    case .equal: return "\(left) IS \(side(comparison.right, beside: comparison.left, scope))"
    case .notEqual:
      return "\(left) IS NOT \(side(comparison.right, beside: comparison.left, scope))"
    case .less, .greater:
      return "coalesce(\(left) \(comparison.operation.text) \(right(comparison, scope)), 0)"
    case .lessOrEqual, .greaterOrEqual:
      let other = right(comparison, scope)
      // In Kura, nil is less than or equal to nil.
      let both =
        comparison.right.isFixed && !comparison.right.isLiteralNull
        ? "0" : "\(left) IS NULL AND \(other) IS NULL"
      return "coalesce(\(left) \(comparison.operation.text) \(other), \(both))"
    case .between: return between(comparison, left, scope)
    case .in: return isIn(comparison, left, scope)
    case .contains, .beginsWith, .endsWith: return search(comparison, left, scope)
    case .like: return like(comparison, left)
    case .matches, .selector, .unsupported:
      return missing.missing(comparison.operation.text, at: comparison.operationSpan)
    }
  }

  private mutating func right(_ comparison: Comparison, _ scope: SQLScope) -> String {
    side(comparison.right, beside: comparison.left, scope)
  }

  private mutating func between(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    guard let bounds = elements(of: comparison.right), bounds.count == 2 else {
      return missing.missing(localized("BETWEEN without two bounds"), at: comparison.right.span)
    }
    let (low, high) = (expression(bounds[0], scope), expression(bounds[1], scope))
    return "coalesce(\(left) BETWEEN \(low) AND \(high), 0)"
  }

  private mutating func isIn(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    guard let values = elements(of: comparison.right) else {
      return missing.missing(localized("IN without a list of values"), at: comparison.right.span)
    }
    var texts: [String] = []
    for value in values { texts.append(expression(value, scope)) }
    return "coalesce(\(left) IN (\(texts.joined(separator: ", "))), 0)"
  }

  private mutating func search(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    if case .constant(let constant) = comparison.right.kind, constant.value == .string("") {
      return "0"
    }
    let needle = expression(comparison.right, scope)
    let test =
      switch comparison.operation {
      case .beginsWith: "substr(\(left), 1, length(\(needle))) = \(needle)"
      case .endsWith: "substr(\(left), -length(\(needle))) = \(needle)"
      default: "instr(\(left), \(needle)) > 0"
      }
    return comparison.right.isFixed
      ? "coalesce(\(test), 0)" : "coalesce(\(needle) <> '' AND \(test), 0)"
  }

  /// Returns GLOB for LIKE: `*` has the same meaning; patterns with other special characters are
  /// not supported.
  private func like(_ comparison: Comparison, _ left: String) -> String {
    guard case .constant(let constant) = comparison.right.kind,
      case .string(let pattern) = constant.value, !pattern.contains(where: { "?\\".contains($0) })
    else {
      return missing.missing(localized("LIKE with this pattern"), at: comparison.operationSpan)
    }
    return "coalesce(\(left) GLOB \(pattern.replacing("[", with: "[[]").sqlText), 0)"
  }

  /// Returns the elements of a literal list.
  private func elements(of list: ExpressionTree) -> [ExpressionTree]? {
    switch list.kind {
    case .aggregate(let parts): parts
    case .constant(let constant):
      if case .list(let values) = constant.value {
        values.map { ExpressionTree(.constant(Constant($0)), span: list.span) }
      } else {
        nil
      }
    default: nil
    }
  }
}

extension SQLWriter {
  /// Returns a side of a comparison.
  mutating func side(
    _ tree: ExpressionTree, beside other: ExpressionTree, _ scope: SQLScope
  ) -> String { expression(tree, scope) }

  /// Returns a value, which may be NULL.
  mutating func expression(_ tree: ExpressionTree, _ scope: SQLScope) -> String {
    switch tree.kind {
    case .constant(let constant): return literal(constant.value, tree.span)
    case .evaluatedObject: return "\(root.alias).\"objectID\""
    case .variable(let name):
      return variables[name].map { "\($0.alias).\"objectID\"" } ?? ":\(name)"
    case .keyPath(let path): return value(of: path, tree, scope)
    case .function(let call): return arithmetic(call, tree, scope)
    case .ternary(let condition, let yes, let no):
      return "CASE WHEN \(self.condition(condition, scope)) THEN \(expression(yes, scope)) "
        + "ELSE \(expression(no, scope)) END"
    case .predicate(let predicate): return "(\(condition(predicate, scope)))"
    default:
      return missing.missing(
        localized("counterpart of \(typed.texts.text(of: tree))"), at: tree.span)
    }
  }

  private func literal(_ value: Value, _ span: SourceSpan) -> String {
    switch value {
    case .null: "NULL"
    case .boolean(let flag): flag ? "1" : "0"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text), .uri(let text): text.sqlText
    case .date(let date): "\(Double(date.microseconds) / 1_000_000 - Self.referenceDate)"
    case .uuid(let uuid): "X'\(uuid.uuidString.replacing("-", with: ""))'"
    case .binary(let bytes): "X'\(bytes.map { String(format: "%02X", $0) }.joined())'"
    case .object(let object): object.id.map { "\($0.number)" } ?? "NULL"
    case .decimal: missing.missing("decimals", at: span)
    case .list, .set, .dictionary: missing.missing(localized("lists of values here"), at: span)
    }
  }

  /// Core Data's dates count seconds from 2001.
  private static let referenceDate = 978_307_200.0

  private mutating func arithmetic(
    _ call: FunctionCall, _ tree: ExpressionTree, _ scope: SQLScope
  ) -> String {
    let signs = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*"]
    guard let sign = signs[call.selector], call.arguments.count == 2 else {
      return missing.missing(
        localized("counterpart of \(typed.texts.text(of: tree))"), at: tree.span)
    }
    return
      "(\(expression(call.arguments[0], scope)) \(sign) \(expression(call.arguments[1], scope)))"
  }
}

// Key paths
extension SQLWriter {
  /// A step of a path: the reached table, and the rest of the path.
  private struct Step {
    let alias: String
    let entity: String
    let rest: ArraySlice<KeyComponent>
  }

  private mutating func value(
    of path: KeyPathTree, _ tree: ExpressionTree, _ scope: SQLScope
  ) -> String {
    if case .subquery(let collection, let variable, let predicate)? = path.base?.kind {
      return subqueryCount(collection, variable, predicate, path, tree, scope)
    }
    if case .mapped(let collection, let variable, let inner)? = path.base?.kind {
      return summary(of: inner, variable, over: collection, path.operatorOfSelf, tree, scope)
    }
    guard let start = start(of: path, scope) else { return unknown(tree) }
    return value(after: walked(start, scope), tree, scope)
  }

  private func start(of path: KeyPathTree, _ scope: SQLScope) -> Step? {
    guard let base = path.base else {
      return Step(alias: root.alias, entity: root.entity, rest: path.components[...])
    }
    guard case .variable(let name) = base.kind, let scope = variables[name] else { return nil }
    return Step(alias: scope.alias, entity: scope.entity, rest: path.components[...])
  }

  private func unknown(_ tree: ExpressionTree) -> String {
    missing.missing(localized("counterpart of \(typed.texts.text(of: tree))"), at: tree.span)
  }

  /// Follows the to-one relationships of a path up to its last key.
  private mutating func walked(_ start: Step, _ scope: SQLScope) -> Step {
    var step = start
    while let key = step.rest.first, key.kind == .key, step.rest.count > 1,
      case .relationship(let relationship)? = model.property(named: key.name, of: step.entity),
      !relationship.isToMany
    {
      let owner = owner(of: step.alias, scope)
      let alias = owner.join(
        step.alias, relationship, model.root(of: relationship.destination), as: newAlias())
      step = Step(alias: alias, entity: relationship.destination, rest: step.rest.dropFirst())
    }
    return step
  }

  /// Returns the scope that contains the table with an alias.
  private func owner(of alias: String, _ scope: SQLScope) -> SQLScope {
    let scopes = [root, scope] + variables.values
    return scopes.first { $0.alias == alias || $0.joins.contains { $0.contains(" AS \(alias) ") } }
      ?? scope
  }

  /// Returns the column at the end of a path, or an aggregate of its collection.
  private mutating func value(
    after step: Step, _ tree: ExpressionTree, _ scope: SQLScope
  ) -> String {
    guard let key = step.rest.first else { return "\(step.alias).\"objectID\"" }
    if key.kind == .key, ["objectID", "self"].contains(key.name), step.rest.count == 1 {
      return "\(step.alias).\"objectID\""
    }
    switch model.property(named: key.name, of: step.entity) {
    case .attribute(let attribute)? where step.rest.count == 1:
      if attribute.type == .decimal || attribute.type == .json {
        return missing.missing(
          localized("attributes of type \(attribute.type.rawValue)"), at: tree.span)
      }
      return "\(step.alias).\(key.name.sqlName)"
    case .relationship(let relationship)? where !relationship.isToMany && step.rest.count == 1:
      return "\(step.alias).\(key.name.sqlName)"
    case .relationship(let relationship)? where relationship.isToMany:
      return whereThere(summary(step, relationship, tree), step, scope)
    default: return unknown(tree)
    }
  }

  /// Writes `items.@count`, `items.@sum.price`.
  private mutating func summary(
    _ step: Step, _ relationship: Relationship, _ tree: ExpressionTree
  ) -> String {
    let rest = Array(step.rest.dropFirst())
    guard let first = rest.first, first.kind == .collectionOperator,
      Self.aggregates.contains(first.name), rest.count == (first.name == "count" ? 1 : 2)
    else { return unknown(tree) }
    let inner = SQLScope(newAlias(), relationship.destination)
    var column = "*"
    if first.name != "count" {
      let path = Step(alias: inner.alias, entity: inner.entity, rest: rest[1...])
      column = value(after: path, tree, inner)
    }
    return aggregate(first.name, column, from(inner, step.alias, step.entity, relationship))
  }

  private static let aggregates = ["count", "sum", "avg", "min", "max"]

  /// Writes an aggregate as Kura computes it: nil counts as 0 in an average, where SQL skips it.
  private func aggregate(_ name: String, _ column: String, _ from: String) -> String {
    let value = name == "avg" ? "sum(\(column)) * 1.0 / count(*)" : "\(name)(\(column))"
    let text = "(SELECT \(value) \(from))"
    return ["sum", "avg"].contains(name) ? "coalesce(\(text), 0)" : text
  }

  /// Writes `items.@sum.(price * count)`.
  private mutating func summary(
    of inner: ExpressionTree, _ variable: String, over collection: ExpressionTree,
    _ name: String?, _ tree: ExpressionTree, _ scope: SQLScope
  ) -> String {
    guard let name, Self.aggregates.contains(name),
      let (step, relationship) = linked(collection, scope)
    else { return unknown(tree) }
    let there = SQLScope(newAlias(), relationship.destination)
    let outside = variables[variable]
    variables[variable] = there
    let column = expression(inner, there)
    variables[variable] = outside
    let text = aggregate(
      name, name == "count" ? "*" : column, from(there, step.alias, step.entity, relationship))
    return whereThere(text, step, scope)
  }

  /// Returns NULL if the to-one relationship before it is nil, for which SQL would give 0.
  private func whereThere(_ text: String, _ step: Step, _ scope: SQLScope) -> String {
    let isOwn = ([root, scope] + variables.values).contains { $0.alias == step.alias }
    return isOwn ? text : "CASE WHEN \(step.alias).\"objectID\" IS NOT NULL THEN \(text) END"
  }

  /// Writes `SUBQUERY(items, $i, …).@count`.
  private mutating func subqueryCount(
    _ collection: ExpressionTree, _ variable: String, _ predicate: PredicateTree,
    _ path: KeyPathTree, _ tree: ExpressionTree, _ scope: SQLScope
  ) -> String {
    guard path.components.map(\.name) == ["count"],
      let (step, relationship) = linked(collection, scope)
    else { return unknown(tree) }
    let inner = SQLScope(newAlias(), relationship.destination)
    let outside = variables[variable]
    variables[variable] = inner
    let test = condition(predicate, inner)
    variables[variable] = outside
    return "(SELECT count(*) \(from(inner, step.alias, step.entity, relationship)) AND (\(test)))"
  }

  /// Returns the to-many relationship at the end of a collection's path, and the step before it.
  private mutating func linked(
    _ collection: ExpressionTree, _ scope: SQLScope
  ) -> (Step, Relationship)? {
    guard case .keyPath(let path) = collection.kind, let start = start(of: path, scope) else {
      return nil
    }
    let step = walked(start, scope)
    guard let relationship = toMany(step), step.rest.count == 1 else { return nil }
    return (step, relationship)
  }

  private func toMany(_ step: Step) -> Relationship? {
    guard let key = step.rest.first, key.kind == .key,
      case .relationship(let relationship)? = model.property(named: key.name, of: step.entity),
      relationship.isToMany
    else { return nil }
    return relationship
  }

  /// Returns whether an element of a collection passes a test; nil if the expression is not a
  /// collection.
  mutating func elements(
    of tree: ExpressionTree, _ scope: SQLScope,
    _ test: (inout SQLWriter, _ element: String) -> String
  ) -> String? {
    guard case .keyPath(let path) = tree.kind, let start = start(of: path, scope) else {
      return nil
    }
    return exists(walked(start, scope), tree, scope, test)
  }

  private mutating func exists(
    _ step: Step, _ tree: ExpressionTree, _ scope: SQLScope,
    _ test: (inout SQLWriter, _ element: String) -> String
  ) -> String? {
    guard let relationship = toMany(step) else { return nil }
    let inner = SQLScope(newAlias(), relationship.destination)
    let next = Step(alias: inner.alias, entity: inner.entity, rest: step.rest.dropFirst())
    let end = walked(next, inner)
    let text =
      toMany(end) != nil
      ? exists(end, tree, inner, test) ?? unknown(tree)
      : test(&self, value(after: end, tree, inner))
    return "EXISTS (SELECT 1 \(from(inner, step.alias, step.entity, relationship)) AND \(text))"
  }
}

// Tables
extension SQLWriter {
  /// Writes `FROM "Item" AS t1 … WHERE t1."home" = t0."objectID"`.
  private mutating func from(
    _ scope: SQLScope, _ owner: String, _ entity: String, _ relationship: Relationship
  ) -> String {
    let table = "FROM \(model.root(of: scope.entity).sqlName) AS \(scope.alias)"
    let inverse = model.inverse(of: relationship.name, in: entity)
    if let inverse, !inverse.relationship.isToMany {
      return "\(table)\(scope.joins.joined()) "
        + "WHERE \(scope.alias).\(inverse.relationship.name.sqlName) = \(owner).\"objectID\""
    }
    // Many-to-many: a table of pairs, named by the end that comes first.
    let here = (table: "\(entity)_\(relationship.name)", from: "source", to: "destination")
    let there = inverse.map { "\($0.owner)_\($0.relationship.name)" } ?? here.table
    let (name, mine, other) =
      here.table <= there ? (here.table, here.from, here.to) : (there, here.to, here.from)
    let pairs = newAlias()
    return "\(table) JOIN \(name.sqlName) AS \(pairs) ON \(pairs).\(other.sqlName) = "
      + "\(scope.alias).\"objectID\"\(scope.joins.joined()) "
      + "WHERE \(pairs).\(mine.sqlName) = \(owner).\"objectID\""
  }
}

extension SQLWriter {
  /// Returns the complete statement.
  mutating func statement() -> String {
    let fetch = typed.fetch
    if case .entity = fetch.source.kind {
    } else {
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
      let grouping = groups(of: fetch)
      let order = order(of: fetch)
      return "SELECT \(columns)\(from(test))\(grouping)\(order)\(extent(of: fetch))"
    }
  }

  private func from(_ test: String) -> String {
    "\nFROM \(model.root(of: typed.entity).sqlName) AS t0\(root.joins.joined())"
      + (test.isEmpty ? "" : "\nWHERE \(test)")
  }

  /// Returns the predicate, with a condition for the entities of the table.
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

  /// Returns `count(SELF)`, `max(date)`, or a value of an object.
  private mutating func aggregate(_ tree: ExpressionTree) -> String {
    let functions = [
      "count:": "count(", "sum:": "sum(", "min:": "min(", "max:": "max(", "average:": "avg(",
      PredicateFunction.countDistinct.selector: "count(DISTINCT ",
    ]
    guard case .function(let call) = tree.kind, call.arguments.count == 1,
      let function = functions[call.selector]
    else { return expression(tree, root) }
    if case .evaluatedObject = call.arguments[0].kind { return "\(function)*)" }
    let text = "\(function)\(expression(call.arguments[0], root)))"
    return call.selector == "sum:" ? "coalesce(\(text), 0)" : text
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

  /// Returns a value of a group: the name of a column precedes a key of that name.
  private mutating func side(_ tree: ExpressionTree, of fetch: FetchTree) -> String {
    let column = fetch.selection?.first { $0.isNamed && $0.name == tree.description }
    return aggregate(column?.expression ?? tree)
  }

  private mutating func order(of fetch: FetchTree) -> String {
    var keys: [String] = []
    for key in fetch.sort {
      if key.isNatural || !key.options.isEmpty {
        _ = missing.missing(localized("sort order such as \(key)"), at: key.span)
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
