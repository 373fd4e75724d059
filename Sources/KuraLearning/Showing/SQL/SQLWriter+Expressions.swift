import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension SQLWriter {
  /// Returns a value, which may be NULL.
  func expression(_ tree: ExpressionTree) -> String {
    tree.descending {
      switch tree.kind {
      case .constant(let constant): literal(constant.value, tree.span)
      case .evaluatedObject: root.objectID
      case .variable(let name): variables[name]?.objectID ?? ":\(name)"
      case .keyPath(let path): value(of: path, tree) ?? unknown(tree)
      case .function(let call): window(call) ?? operation(call) ?? unknown(tree)
      case .ternary(let condition, let yes, let no):
        "CASE WHEN \(clause(condition)) THEN \(expression(yes)) ELSE \(expression(no)) END"
      case .predicate(let predicate): "(\(clause(predicate)))"
      default: unknown(tree)
      }
    }
  }

  private func unknown(_ tree: ExpressionTree) -> String {
    missing.missing(localized("counterpart of \(typed.texts.text(of: tree))"), at: tree.span)
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

  private func operation(_ call: FunctionCall) -> String? {
    guard let function = call.builtIn, let template = function.spelling.sql,
      case .each = function.entry.operands, function.entry.operands.accept(call.arguments.count)
    else { return nil }
    return template.filled(with: call.arguments.map(expression))
  }
}

// Aggregates of all rows, or of a group
extension SQLWriter {
  /// Returns `count(SELF)`, `max(date)`, or a value of an object.
  func aggregate(_ tree: ExpressionTree) -> String {
    guard case .function(let call) = tree.kind, call.arguments.count == 1,
      let function = call.builtIn, function.entry.isAggregate, let template = function.spelling.sql
    else { return expression(tree) }
    if case .evaluatedObject = call.arguments[0].kind { return template("*") }
    return template(expression(call.arguments[0]))
  }
}

// Key paths
extension SQLWriter {
  /// A place on a path: the reached table, and the rest of the path.
  private struct Step {
    var table: SQLTable
    var rest: ArraySlice<KeyComponent>
  }

  private func value(of path: KeyPathTree, _ tree: ExpressionTree) -> String? {
    switch path.base?.kind {
    case .subquery(let collection, let variable, let predicate)?:
      guard path.components.map(\.name) == ["count"], let elements = elements(of: collection) else {
        return nil
      }
      let test = binding(variable, to: elements.table) { clause(predicate) }
      return "(SELECT count(*) \(from(elements)) AND (\(test)))"
    case .mapped(let collection, let variable, let inner)?:
      guard let name = path.operatorOfSelf, let template = Self.summaries[name],
        let elements = elements(of: collection)
      else { return nil }
      let value = binding(variable, to: elements.table) { expression(inner) }
      return summary(template, name == "count" ? "*" : value, elements)
    default: return start(of: path).flatMap { value(after: walked($0), tree) }
    }
  }

  private func start(of path: KeyPathTree) -> Step? {
    guard let base = path.base else { return Step(table: root, rest: path.components[...]) }
    guard case .variable(let name) = base.kind, let table = variables[name] else { return nil }
    return Step(table: table, rest: path.components[...])
  }

  /// Follows the to-one relationships of a path up to its last key.
  private func walked(_ start: Step) -> Step {
    var step = start
    while step.rest.count > 1, let relationship = step.rest.first?.property?.relationship,
      !relationship.isToMany
    {
      step.table = table(of: relationship, from: step.table)
      step.rest.removeFirst()
    }
    return step
  }

  /// Returns the column at the end of a path, or an aggregate of its collection.
  private func value(after step: Step, _ tree: ExpressionTree) -> String? {
    guard let key = step.rest.first else { return step.table.objectID }
    let property = key.property
    if property?.isToMany == true { return summary(after: step, tree) }
    guard step.rest.count == 1 else { return nil }
    if key.kind == .key, ["objectID", "self"].contains(key.name) { return step.table.objectID }
    if case .attribute(let attribute)? = property, [.decimal, .json].contains(attribute.type) {
      return missing.missing(
        localized("attributes of type \(attribute.type.rawValue)"), at: tree.span)
    }
    return property.map { _ in step.table.column(key.name) }
  }
}

// Collections
extension SQLWriter {
  /// The objects of a to-many relationship, as a table of a query of its own.
  private struct Elements {
    let table: SQLTable
    let owner: SQLTable
    let relationship: Relationship
  }

  private func elements(after step: Step) -> Elements? {
    guard let relationship = step.rest.first?.property?.relationship, relationship.isToMany else {
      return nil
    }
    let table = SQLTable(alias: newAlias(), entity: relationship.destination, scope: SQLScope())
    return Elements(table: table, owner: step.table, relationship: relationship)
  }

  private func elements(of collection: ExpressionTree) -> Elements? {
    guard case .keyPath(let path) = collection.kind, let start = start(of: path) else { return nil }
    let step = walked(start)
    return step.rest.count == 1 ? elements(after: step) : nil
  }

  /// Calls the body while a variable has the elements of a table.
  private func binding(_ variable: String, to table: SQLTable, _ body: () -> String) -> String {
    let outside = variables.updateValue(table, forKey: variable)
    defer { variables[variable] = outside }
    return body()
  }

  /// The aggregates of a collection as Kura computes them: nil counts as 0 in an average, where SQL skips it.
  private static let summaries: [String: Template] = [
    "count": "(SELECT count(%1) %2)", "sum": "coalesce((SELECT sum(%1) %2), 0)",
    "avg": "coalesce((SELECT sum(%1) * 1.0 / count(*) %2), 0)", "min": "(SELECT min(%1) %2)",
    "max": "(SELECT max(%1) %2)",
  ]

  /// Writes `items.@count`, `items.@sum.price`.
  private func summary(after step: Step, _ tree: ExpressionTree) -> String? {
    let rest = step.rest.dropFirst()
    guard let name = rest.first, name.kind == .collectionOperator,
      let template = Self.summaries[name.name], rest.count == (name.name == "count" ? 1 : 2),
      let elements = elements(after: step)
    else { return nil }
    if name.name == "count" { return summary(template, "*", elements) }
    let column = value(after: Step(table: elements.table, rest: rest.dropFirst()), tree)
    return column.map { summary(template, $0, elements) }
  }

  /// Returns an aggregate. It is NULL if the to-one relationship before the collection is nil, for which SQL would give
  /// 0.
  private func summary(_ template: Template, _ column: String, _ elements: Elements) -> String {
    let (text, owner) = (template(column, from(elements)), elements.owner)
    return owner.isJoined ? "CASE WHEN \(owner.objectID) IS NOT NULL THEN \(text) END" : text
  }

  /// Returns whether an element of a collection passes a test; nil if the expression is not a
  /// collection.
  func existence(of tree: ExpressionTree, _ test: (_ element: String) -> String) -> String? {
    guard case .keyPath(let path) = tree.kind, let start = start(of: path) else { return nil }
    return existence(after: walked(start), tree, test)
  }

  private func existence(
    after step: Step, _ tree: ExpressionTree, _ test: (_ element: String) -> String
  ) -> String? {
    guard let elements = elements(after: step) else { return nil }
    let end = walked(Step(table: elements.table, rest: step.rest.dropFirst()))
    let text = existence(after: end, tree, test) ?? test(value(after: end, tree) ?? unknown(tree))
    return "EXISTS (SELECT 1 \(from(elements)) AND \(text))"
  }

  /// Writes `FROM "Item" AS t1 … WHERE t1."home" = t0."objectID"`.
  private func from(_ elements: Elements) -> String {
    let (table, owner, key) = (elements.table, elements.owner, elements.relationship.name)
    let start = "FROM \(model.root(of: table.entity).sqlName) AS \(table.alias)"
    let inverse = model.inverse(of: key, in: owner.entity)
    if let inverse, !inverse.relationship.isToMany {
      let column = table.column(inverse.relationship.name)
      return "\(start)\(table.scope.joins) WHERE \(column) = \(owner.objectID)"
    }
    // Many-to-many: a table of pairs, named by the end that comes first.
    let here = (table: "\(owner.entity)_\(key)", from: "source", to: "destination")
    let there = inverse.map { "\($0.owner)_\($0.relationship.name)" } ?? here.table
    let (name, mine, other) =
      here.table <= there ? (here.table, here.from, here.to) : (there, here.to, here.from)
    let pairs = newAlias()
    return "\(start) JOIN \(name.sqlName) AS \(pairs) ON \(pairs).\(other.sqlName) = "
      + "\(table.objectID)\(table.scope.joins) WHERE \(pairs).\(mine.sqlName) = \(owner.objectID)"
  }
}
