import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// How a request is answered.
struct Plan: Sendable {
  let access: Access
  let filter: Filter
  /// The codes of the entities that are wanted; nil: every row of the table.
  let entityCodes: Set<Int>?
  /// The comparisons in which something has been computed.
  var folded: Set<SourceSpan> = []
  /// Whether the row of the access passes without being asked: `objectID == 17`, alone.
  var isSettled = false

  enum Access: Sendable {
    /// Every row, chunk by chunk.
    case scan
    /// The row of an objectID, nil if there is none.
    case object(row: Int?)
  }
}

extension BoundRequest {
  var plan: Plan {
    let table = snapshot.graph.tables[place.table]
    let predicate = predicate ?? PredicateTree(.constant(true))
    if let number = predicate.soughtNumber {
      // One row: the reference is as fast as anything.
      return Plan(
        access: .object(row: table.row(of: number)),
        filter: Filter(predicate: predicate, node: 0, kind: .reference),
        entityCodes: wantedCodes(table), isSettled: predicate.asksOnlyForNumber)
    }
    var compiler = FilterCompiler(graph: snapshot.graph, environment: environment)
    let scope = FilterScope(entity: entity, place: place)
    var folding = ConstantFolding(environment)
    let filter = compiler.filter(folding.folded(predicate), scope)
    return Plan(
      access: .scan, filter: filter, entityCodes: wantedCodes(table), folded: folding.places)
  }

  private func wantedCodes(_ table: Table) -> Set<Int>? {
    if table.layout.entities.count == 1 { return nil }
    let codes = includesSubentities ? snapshot.graph.codes(of: entity) : [place.code]
    return codes.count == table.layout.entities.count ? nil : codes
  }
}

extension PredicateTree {
  /// The number that an object must have to pass: `objectID == 17`, alone or in an AND.
  var soughtNumber: Int64? {
    switch kind {
    case .and(let parts): parts.lazy.compactMap(\.soughtNumber).first
    case .comparison(let comparison):
      comparison.soughtNumber(comparison.left, comparison.right)
        ?? comparison.soughtNumber(comparison.right, comparison.left)
    case .not, .or, .constant, .truth: nil
    }
  }
}

extension PredicateTree {
  /// Whether the object of its sought number passes: nothing else is asked.
  fileprivate var asksOnlyForNumber: Bool {
    guard case .comparison(let comparison) = kind else { return false }
    return comparison.left.isObjectNumber || comparison.right.isObjectNumber
  }
}

extension ExpressionTree {
  fileprivate var isObjectNumber: Bool {
    if case .keyPath(let keys) = kind { keys.isOnly(objectNumberKey) } else { false }
  }
}

extension Comparison {
  fileprivate func soughtNumber(_ path: ExpressionTree, _ literal: ExpressionTree) -> Int64? {
    guard operation == .equal, modifier == .direct, case .constant(let constant) = literal.kind
    else { return nil }
    switch (path.kind, constant.value) {
    case (.keyPath(let keys), .integer(let number)):
      return keys.isOnly(objectNumberKey) ? number : nil
    case (.keyPath(let keys), .object(let object)):
      return keys.isOnly("objectID") || keys.isOnly("self") ? object.id?.number : nil
    case (.evaluatedObject, .object(let object)): return object.id?.number
    default: return nil
    }
  }
}

extension KeyPathTree {
  /// Whether the path is one key of the evaluated object.
  func isOnly(_ key: String) -> Bool { onlyKey == key }

  /// The path's one key, if it has one and starts at the evaluated object.
  var onlyKey: String? {
    base == nil && components.count == 1 && components[0].kind == .key ? components[0].name : nil
  }
}
