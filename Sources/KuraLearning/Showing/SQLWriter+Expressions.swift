import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension SQLWriter {
  /// A side of a comparison.
  mutating func side(
    _ tree: ExpressionTree, beside other: ExpressionTree, _ scope: SQLScope
  ) -> String { expression(tree, scope) }

  /// A value, which may be NULL.
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
  /// A step of a path: the table that it has led to, and what is left of it.
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
    guard let start = start(of: path, scope) else { return unknown(tree) }
    return value(behind: walked(start, scope), tree, scope)
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

  /// Goes along the to-ones, as far as something follows them.
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

  /// The scope to whose tables an alias belongs.
  private func owner(of alias: String, _ scope: SQLScope) -> SQLScope {
    let scopes = [root, scope] + variables.values
    return scopes.first { $0.alias == alias || $0.joins.contains { $0.contains(" AS \(alias) ") } }
      ?? scope
  }

  /// The column at the end of a path, or what an operator makes of its collection.
  private mutating func value(
    behind step: Step, _ tree: ExpressionTree, _ scope: SQLScope
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

  /// `items.@count`, `items.@sum.price`
  private mutating func summary(
    _ step: Step, _ relationship: Relationship, _ tree: ExpressionTree
  ) -> String {
    let rest = Array(step.rest.dropFirst())
    let functions = ["count": "count", "sum": "sum", "avg": "avg", "min": "min", "max": "max"]
    guard let first = rest.first, first.kind == .collectionOperator,
      let function = functions[first.name], rest.count == (function == "count" ? 1 : 2)
    else { return unknown(tree) }
    let inner = SQLScope(newAlias(), relationship.destination)
    var column = "*"
    if function != "count" {
      let path = Step(alias: inner.alias, entity: inner.entity, rest: rest[1...])
      column = value(behind: path, tree, inner)
    }
    // Nil counts as 0, which SQL passes over.
    let made = function == "avg" ? "sum(\(column)) * 1.0 / count(*)" : "\(function)(\(column))"
    let text =
      "(SELECT \(made) \(from(inner, step.alias, step.entity, relationship)))"
    return ["sum", "avg"].contains(function) ? "coalesce(\(text), 0)" : text
  }

  /// Behind a to-one that leads nowhere there is no number, which SQL would take for 0.
  private func whereThere(_ text: String, _ step: Step, _ scope: SQLScope) -> String {
    let isOwn = ([root, scope] + variables.values).contains { $0.alias == step.alias }
    return isOwn ? text : "CASE WHEN \(step.alias).\"objectID\" IS NOT NULL THEN \(text) END"
  }

  /// `SUBQUERY(items, $i, …).@count`
  private mutating func subqueryCount(
    _ collection: ExpressionTree, _ variable: String, _ predicate: PredicateTree,
    _ path: KeyPathTree, _ tree: ExpressionTree, _ scope: SQLScope
  ) -> String {
    guard case .keyPath(let source) = collection.kind, path.components.map(\.name) == ["count"],
      let start = start(of: source, scope)
    else { return unknown(tree) }
    let step = walked(start, scope)
    guard let relationship = toMany(step), step.rest.count == 1 else { return unknown(tree) }
    let inner = SQLScope(newAlias(), relationship.destination)
    let outside = variables[variable]
    variables[variable] = inner
    let test = condition(predicate, inner)
    variables[variable] = outside
    return "(SELECT count(*) \(from(inner, step.alias, step.entity, relationship)) AND (\(test)))"
  }

  private func toMany(_ step: Step) -> Relationship? {
    guard let key = step.rest.first, key.kind == .key,
      case .relationship(let relationship)? = model.property(named: key.name, of: step.entity),
      relationship.isToMany
    else { return nil }
    return relationship
  }

  /// Whether there is an element of a collection of which something is so; nil of what is none.
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
      : test(&self, value(behind: end, tree, inner))
    return "EXISTS (SELECT 1 \(from(inner, step.alias, step.entity, relationship)) AND \(text))"
  }
}

// Tables
extension SQLWriter {
  /// `FROM "Item" AS t1 … WHERE t1."home" = t0."objectID"`
  private mutating func from(
    _ scope: SQLScope, _ owner: String, _ entity: String, _ relationship: Relationship
  ) -> String {
    let table = "FROM \(model.root(of: scope.entity).sqlName) AS \(scope.alias)"
    let inverse = model.inverse(of: relationship.name, in: entity)
    if let inverse, !inverse.relationship.isToMany {
      return "\(table)\(scope.joins.joined()) "
        + "WHERE \(scope.alias).\(inverse.relationship.name.sqlName) = \(owner).\"objectID\""
    }
    // Many to many: a table of pairs, named by the end that comes first.
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
