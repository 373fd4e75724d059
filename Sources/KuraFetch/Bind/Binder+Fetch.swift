package import KuraDiagnostics
import KuraGraph
package import KuraPredicates
package import KuraValues
import Synchronization

/// Notes whether a fetch in brackets reads a variable of a subquery around it.
final class OuterUse: Sendable {
  private let names: Set<String>
  private let used = Mutex(false)

  init(_ names: some Sequence<String>) { self.names = Set(names) }

  var isUsed: Bool { used.withLock { $0 } }

  func note(_ name: String) { if names.contains(name) { used.withLock { $0 = true } } }
}

extension Binder {
  /// `(fetch Item where done == NO)`: run now, unless it reads a variable of a subquery around it.
  func bound(
    _ fetch: FetchTree, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    var inner = self
    inner.entity = nil
    let use = OuterUse(scope.keys)
    inner.outerUse = use
    let request = try inner.bound(fetch)
    let type = request.type(of: fetch.result)
    if use.isUsed {
      scope.keys.forEach { outerUse?.note($0) }
      return BoundExpression(tree: expression, type: type)
    }
    let value = try request.value(fetch.result)
    return BoundExpression(tree: expression.with(.constant(Constant(value))), type: type)
  }
}

/// Runs fetches that read a variable of a subquery around them, for each of its elements.
struct NestedFetches: FetchRunner {
  let snapshot: GraphSnapshot
  let environment: FetchEnvironment

  func value(
    of fetch: FetchTree, in context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    var environment = environment
    environment.variables = context.variables
    return try fetch.bound(to: snapshot, environment).value(fetch.result)
  }
}

extension BoundRequest {
  /// A list of objects, a list of the values of one column, or one value.
  package func value(_ result: FetchTree.Result) throws(Diagnostic) -> Value {
    switch result {
    case .objects: try answer().value
    case .count: .integer(Int64(try count()))
    case .exists: .boolean(try exists())
    }
  }

  func type(of result: FetchTree.Result) -> BoundType {
    switch result {
    case .count: return .number
    case .exists: return .boolean
    case .objects: break
    }
    guard let selection else { return .collection(.object(entity: entity)) }
    let column = selection.columns.count == 1 ? selection.columns[0].type : .any
    return selection.isOneRow ? column : .collection(column)
  }
}
