import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates

// Of ANY and ALL along the links: each object at the other end is asked once, and not for each that
// leads to it.
extension BoundRequest {
  /// Of rows for which `ALL items.dueDate > x` fails those for which it does because something is nil,
  /// as a tracer says it of one; nil: the path is no plain one.
  func nullRows(
    quantified comparison: Comparison, among failing: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap]? {
    guard comparison.modifier != .direct, comparison.right.isFixed, !comparison.right.holdsNull,
      case .keyPath(let path) = comparison.left.kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key }), path.components.count > 1,
      case .relationship(let way)? = property(path.components[0].name),
      let there = asking(of: way.destination)
    else { return nil }
    var rest = comparison
    let keys = Array(path.components.dropFirst())
    rest.left = ExpressionTree(.keyPath(KeyPathTree(keys)), span: comparison.left.span)
    guard way.isToMany else { return try nullRows(way.name, there, rest, failing) }
    return there.leadsToOne(keys) ? try elementNulls(way.name, there, rest, failing) : nil
  }

  private func property(_ key: String) -> Property? {
    snapshot.graph.model.property(named: key, of: entity)
  }

  private func leadsToOne(_ keys: [KeyComponent]) -> Bool {
    var entity = entity
    for key in keys.dropLast() {
      guard
        case .relationship(let way)? = snapshot.graph.model.property(named: key.name, of: entity),
        !way.isToMany
      else { return false }
      entity = way.destination
    }
    if case .attribute? = keys.last.flatMap({
      snapshot.graph.model.property(named: $0.name, of: entity)
    }) {
      return true
    }
    return false
  }

  private var nothing: [Bitmap] { candidates.map { Bitmap(count: $0.count) } }

  /// Behind a to-one: what is so of its object is so of the row.
  private func nullRows(
    _ key: String, _ there: BoundRequest, _ rest: Comparison, _ failing: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    var (result, asked) = (failing.map { Bitmap(count: $0.count) }, there.nothing)
    var targets: [(row: Int, target: Int)] = []
    for row in failing.firstRows() {
      if let target = linkedRows(key, row).first {
        targets.append((row, target))
        asked[row: target] = true
      } else if rest.modifier == .any {
        result[row: row] = true
      }
    }
    let nulls = try there.nullRows(of: PredicateTree(.comparison(rest)), among: asked)
    for (row, target) in targets where nulls[row: target] { result[row: row] = true }
    return result
  }

  /// Behind a to-many: ANY by any element that is nil, ALL by the first that does not hold.
  private func elementNulls(
    _ key: String, _ there: BoundRequest, _ rest: Comparison, _ failing: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap]? {
    var direct = rest
    direct.modifier = .direct
    let all = there.candidates
    guard let holding = try there.answer(PredicateTree(.comparison(direct)), all),
      let null = try there.answer(rest.left.isNull, all.subtracting(holding))
    else { return nil }
    var result = failing.map { Bitmap(count: $0.count) }
    for row in failing.firstRows() {
      let elements = linkedRows(key, row)
      let settling =
        rest.modifier == .any
        ? elements.first { null[row: $0] } : elements.first { !holding[row: $0] }
      if let settling, null[row: settling] { result[row: row] = true }
    }
    return result
  }

  /// The rows that pass; nil where one of them fails, which may never have been asked.
  private func answer(
    _ question: PredicateTree, _ rows: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap]? {
    do throws(Diagnostic) { return try passing(question, among: rows) } catch {
      if error.isStop { throw error }
      return nil
    }
  }
}
