import Foundation
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Evaluates a watched fetch for one object: whether it matches, its sort keys, its heading.
struct WatchedReader: Sendable {
  let entity: String
  let place: EntityPlace
  /// The codes of the wanted entities; nil for every row of the table.
  let codes: Set<Int>?
  let predicate: PredicateTree?
  let sort: [SortTree]
  let section: ExpressionTree?
  private(set) var context: EvaluationContext
}

extension WatchedReader {
  /// Creates a reader from the parts of a request, without retaining its graph.
  init(_ request: BoundRequest) {
    var environment = request.environment
    environment.snapshot = nil
    var folding = ConstantFolding(environment)
    entity = request.entity
    place = request.place
    codes = request.wantedCodes
    predicate = request.predicate.map { folding.folded($0).detached }
    let section = request.section.map { folding.folded($0.tree).detached }
    let order = request.sort.isEmpty ? section.map { [SortTree($0)] } ?? [] : request.sort
    sort = order.map { key in
      var key = key
      key.expression = folding.folded(key.expression).detached
      return key
    }
    self.section = section
    context = environment.evaluation
    // Warnings about later changes are not shown.
    context.otherKinds = request.environment.evaluationOfObjects.otherKinds.map { _ in .uncollected
    }
  }

  /// Returns the row of an object that matches; nil if it does not match.
  func row(of number: Int64, in snapshot: GraphSnapshot) throws(Diagnostic) -> Int? {
    let table = snapshot.graph.tables[place.table]
    guard let row = table.row(of: number), codes?.contains(table.entityCode(row)) ?? true
    else { return nil }
    guard let predicate else { return row }
    return try snapshot.object(table: place.table, row: row).naming { value throws(Diagnostic) in
      try predicate.evaluate(on: value, in: context) ? row : nil
    }
  }

  func value(
    of tree: ExpressionTree, at row: Int, in snapshot: GraphSnapshot
  ) throws(Diagnostic) -> Value {
    if let key = tree.onlyKey,
      case .attribute(let column, _)? = snapshot.graph.slot(key, of: place)
    {
      return snapshot.graph.tables[place.table].columns[column].value(row)
    }
    return try snapshot.object(table: place.table, row: row).naming { value throws(Diagnostic) in
      try tree.evaluate(on: value, in: context)
    }
  }
}

/// The sort keys of an object.
struct WatchedKeys {
  let values: [Value]
  let number: Int64
}

// The order, equal to the order of `SortOrder`
extension WatchedReader {
  func keys(
    of number: Int64, at row: Int, in snapshot: GraphSnapshot
  ) throws(Diagnostic) -> WatchedKeys {
    let values = try sort.map { key throws(Diagnostic) in
      try value(of: key.expression, at: row, in: snapshot)
    }
    return WatchedKeys(values: values, number: number)
  }

  /// Returns whether an object precedes another one, which has not changed.
  func precedes(
    _ keys: WatchedKeys, _ other: Int64, in snapshot: GraphSnapshot
  ) throws(Diagnostic) -> Bool {
    let row = snapshot.graph.tables[place.table].identifiers.row(of: other) ?? 0
    for (i, key) in sort.enumerated() {
      let there = try value(of: key.expression, at: row, in: snapshot)
      switch key.order(keys.values[i], there, locale: context.locale) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    return keys.number < other
  }
}

extension PredicateTree {
  /// The predicate with objects replaced by their identities, so that a constant does not retain the graph.
  fileprivate var detached: PredicateTree { replacing(\.asDetachedObject) }
}

extension ExpressionTree {
  fileprivate var detached: ExpressionTree { replacing(\.asDetachedObject) }

  fileprivate var asDetachedObject: ExpressionTree? {
    guard case .constant(let constant) = kind, constant.value.holdsObjects else { return nil }
    return ExpressionTree(.constant(Constant(constant.value.detached)), span: span)
  }
}
