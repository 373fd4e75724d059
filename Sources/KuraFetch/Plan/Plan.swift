import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

struct Plan: Sendable {
  let access: Access
  let filter: Filter
  /// The codes of the wanted entities; nil for every row of the table.
  let entityCodes: Set<Int>?
  /// The comparisons that contain a computed part.
  var folded: Set<SourceSpan> = []
  /// Whether the accessed row passes without a test: `objectID == 17`, alone.
  var isSettled = false

  enum Access: Sendable {
    /// Every row, chunk by chunk
    case scan
    /// The row of an objectID, nil if there is none
    case object(row: Int?)
  }
}

extension BoundRequest {
  var plan: Plan {
    let predicate = predicate ?? PredicateTree(.constant(true))
    if let sought = predicate.soughtObject {
      // For one row, the reference evaluator is fast enough.
      return Plan(
        access: .object(row: snapshot.graph.row(of: sought.number, inTable: place.table)),
        filter: Filter(predicate: predicate, node: 0, kind: .reference),
        entityCodes: wantedCodes, isSettled: sought.isSettled)
    }
    var compiler = compiler
    var folding = ConstantFolding(environment)
    let filter = compiler.filter(folding.folded(predicate), scope)
    return Plan(
      access: .scan, filter: filter, entityCodes: wantedCodes, folded: folding.places)
  }

  /// The codes of the wanted entities; nil for every row of the table.
  var wantedCodes: Set<Int>? {
    let all = snapshot.graph.layout.tables[place.table].entities.count
    if all == 1 { return nil }
    let codes = includesSubentities ? snapshot.graph.codes(of: entity) : [place.code]
    return codes.count == all ? nil : codes
  }
}

/// The only object that may pass a predicate.
private struct IdentityLookup {
  let number: Int64
  /// Whether it passes if it exists, without other conditions.
  var isSettled = false
}

extension PredicateTree {
  /// The only object that may pass: `objectID == 17`, alone or in an AND.
  fileprivate var soughtObject: IdentityLookup? {
    switch kind {
    case .and(let parts):
      parts.lazy.compactMap(\.soughtObject).first.map { IdentityLookup(number: $0.number) }
    case .comparison(let comparison):
      comparison.soughtObject(comparison.left, comparison.right)
        ?? comparison.soughtObject(comparison.right, comparison.left)
    case .not, .or, .constant, .truth: nil
    }
  }
}

extension Comparison {
  fileprivate func soughtObject(
    _ path: ExpressionTree, _ literal: ExpressionTree
  ) -> IdentityLookup? {
    guard operation == .equal, modifier == .direct, case .constant(let constant) = literal.kind
    else { return nil }
    switch (path.kind, constant.value) {
    case (.keyPath(let keys), .integer(let number)):
      return keys.onlyKey?.name == objectNumberKey
        ? IdentityLookup(number: number, isSettled: true) : nil
    case (.keyPath(let keys), .object(let object)):
      guard ["objectID", "self"].contains(keys.onlyKey?.name) else { return nil }
      return object.id.map { IdentityLookup(number: $0.number) }
    case (.evaluatedObject, .object(let object)):
      return object.id.map { IdentityLookup(number: $0.number) }
    default: return nil
    }
  }
}

extension KeyPathTree {
  /// The path's only key, if it has one and begins at the evaluated object.
  var onlyKey: KeyComponent? {
    base == nil && components.count == 1 && components[0].kind == .key ? components[0] : nil
  }
}
