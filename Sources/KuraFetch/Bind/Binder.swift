import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Checks names, types and literals of trees against a model, and reads literals as their types.
struct Binder {
  let snapshot: GraphSnapshot
  /// The entity of the objects that are evaluated; nil where there is no object, as in `print`.
  var entity: String?
  let shared: SharedEnvironment
  /// What the variables of the subqueries around stand for.
  var scope: [String: BoundType] = [:]
  /// Which of the variables around a fetch in brackets it reads.
  var outerUse: OuterUse?

  init(_ snapshot: GraphSnapshot, entity: String?, _ shared: SharedEnvironment) {
    self.snapshot = snapshot
    self.entity = entity
    self.shared = shared
  }

  var model: Model { snapshot.graph.model }
  var environment: FetchEnvironment { shared.environment }
}

extension Binder {
  func bound(_ predicate: PredicateTree?) throws(Diagnostic) -> PredicateTree? {
    guard let predicate else { return nil }
    return try bound(predicate)
  }

  /// A predicate with everything in it checked.
  func bound(_ predicate: PredicateTree) throws(Diagnostic) -> PredicateTree {
    let kind = try predicate.descending { () throws(Diagnostic) in try bound(predicate.kind) }
    return PredicateTree(kind, span: predicate.span)
  }

  private func bound(_ kind: PredicateTree.Kind) throws(Diagnostic) -> PredicateTree.Kind {
    switch kind {
    case .comparison(let comparison): .comparison(try bound(comparison))
    case .not(let inner): .not(try bound(inner))
    case .and(let parts): .and(try bound(parts))
    case .or(let parts): .or(try bound(parts))
    case .constant: kind
    case .truth(let expression): .truth(try bound(expression).tree)
    }
  }

  private func bound(_ parts: [PredicateTree]) throws(Diagnostic) -> [PredicateTree] {
    var result: [PredicateTree] = []
    result.reserveCapacity(parts.count)
    for part in parts { result.append(try bound(part)) }
    return result
  }

  func bound(_ sort: [SortTree]) throws(Diagnostic) -> [SortTree] {
    var result: [SortTree] = []
    for key in sort {
      var bound = key
      let expression = try self.bound(key.expression)
      if expression.type.isCollection {
        throw Diagnostic(
          BindFacts.sortNeedsValue(key.expression.expressionFormat), at: key.expression.span)
      }
      bound.expression = expression.tree
      result.append(bound)
    }
    return result
  }

  /// A number or a variable, for `limit` and `offset`.
  func count(_ expression: ExpressionTree?, _ clause: String) throws(Diagnostic) -> Int? {
    guard let expression else { return nil }
    let value = try bound(expression).tree.evaluate(on: .null, in: environment.evaluation)
    let number: Int64? =
      switch value {
      case .integer(let number): number
      case .string(let text): Int64(text)
      default: nil
      }
    guard let number, number >= 0, let count = Int(exactly: number) else {
      throw Diagnostic(BindFacts.badCount(clause: clause), at: expression.span)
    }
    return count
  }
}
