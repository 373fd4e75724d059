import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A subquery's predicate as one about its element: `$i.done` becomes `done`, `$i` becomes SELF.
///
/// Where a key of the element leads to the outer object, `name` becomes `owner.name`; else it is nil
/// where the predicate asks the outer object too.
struct ElementPredicate {
  let variable: String
  let owner: String?

  init(_ variable: String, owner: String? = nil) {
    self.variable = variable
    self.owner = owner
  }

  func of(_ predicate: PredicateTree) -> PredicateTree? { try? turned(predicate) }

  /// It asks what is not the element's.
  private struct AsksOutside: Error {}

  private func turned(_ predicate: PredicateTree) throws(AsksOutside) -> PredicateTree {
    try predicate.mapParts(
      predicate: { part throws(AsksOutside) in try turned(part) },
      expression: { part throws(AsksOutside) in try turned(part) })
  }

  private func turned(_ expression: ExpressionTree) throws(AsksOutside) -> ExpressionTree {
    switch expression.kind {
    case .constant, .function, .aggregate, .ternary: break
    case .variable(variable): return ExpressionTree(.evaluatedObject, span: expression.span)
    case .variable: return expression
    case .keyPath(let path):
      if let owner, path.base == nil, path.components.allSatisfy({ $0.kind != .variable }) {
        return expression.withHead(owner)
      }
      guard try begins(path) else { break }
      return ExpressionTree(.keyPath(KeyPathTree(path.components)), span: expression.span)
    // Inside, the same name means another element.
    case .subquery(_, variable, _): throw AsksOutside()
    case .subquery: break
    case .evaluatedObject, .message, .index, .indexAfterDot, .setOperation, .assignment, .anyKey,
      .objectOrQuotient, .predicate, .fetch:
      throw AsksOutside()
    }
    return try expression.mapParts(
      predicate: { part, _ throws(AsksOutside) in try turned(part) },
      expression: { part throws(AsksOutside) in try turned(part) })
  }

  /// Whether a path begins at the element. One that begins at the object begins at the outer one.
  private func begins(_ path: KeyPathTree) throws(AsksOutside) -> Bool {
    guard let base = path.base, path.components.allSatisfy({ $0.kind != .variable }) else {
      throw AsksOutside()
    }
    if case .variable(variable) = base.kind { return true }
    return false
  }
}
