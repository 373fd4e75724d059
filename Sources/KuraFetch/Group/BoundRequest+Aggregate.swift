import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// `(fetch Item).@sum.estimate`
extension BoundRequest {
  /// Returns the value of a collection operator for the objects of the request, from their columns.
  ///
  ///     request.value(ofAggregate: path)   // path is @avg.estimate
  ///
  /// Returns nil if the objects themselves are needed: for other operators, for pages, for keys
  /// whose values are not numbers, dates or strings, and if the aggregate fails.
  func value(ofAggregate path: KeyPathTree) throws(Diagnostic) -> Value? {
    guard selection == nil, section == nil, limit == nil, offset == 0,
      let name = path.components.first?.name
    else { return nil }
    let keys = Array(path.components.dropFirst())
    if keys.isEmpty { return name == "count" ? .integer(Int64(try count())) : nil }
    guard let function = Self.function(name), let type = attributeType(of: keys),
      type.canBeAggregated(by: function)
    else { return nil }
    let argument = ExpressionTree(.keyPath(KeyPathTree(keys)))
    let values: [Value]
    do {
      values = try aggregates([(function, argument), (.count, ExpressionTree(.evaluatedObject))])
    } catch {
      // The evaluator finds the object that fails, and sums that overflow in another order.
      if error.isStop { throw error }
      return nil
    }
    guard let value = values.first, case .integer(let count)? = values.last else { return nil }
    switch name {
    case "sum": return value.isNull ? 0 : value
    case "avg":
      // A nil counts as 0, unlike that in a column of groups.
      return try? Statistics.average(sum: value.isNull ? 0 : value, count: Int(count))
    default: return value
    }
  }

  private static func function(_ name: String) -> PredicateFunction? {
    switch name {
    case "sum", "avg": .sum
    case "min": .min
    case "max": .max
    default: nil
    }
  }

  /// Returns the type at the end of a path along to-one relationships; nil for any other path.
  private func attributeType(of keys: [KeyComponent]) -> AttributeType? {
    var entity = entity
    for (place, key) in keys.enumerated() {
      guard key.kind == .key,
        let property = snapshot.graph.model.property(named: key.name, of: entity)
      else { return nil }
      switch property {
      case .attribute(let attribute): return place == keys.count - 1 ? attribute.type : nil
      case .relationship(let relationship):
        if relationship.isToMany { return nil }
        entity = relationship.destination
      }
    }
    return nil
  }

  /// Returns the values of aggregates over all objects.
  private func aggregates(
    _ wanted: [(function: PredicateFunction, argument: ExpressionTree)]
  ) throws(Diagnostic) -> [Value] {
    let selection = CheckedSelection(aggregates: wanted)
    let request = BoundRequest(
      snapshot: snapshot, entity: entity, place: place, rows: rows,
      includesSubentities: includesSubentities, predicate: predicate, sort: [], offset: 0,
      limit: nil, selection: selection, section: nil, shared: shared)
    guard case .values(let result) = try request.groupedAnswer(selection).rows else { return [] }
    return result.columns.map { $0.value(0) }
  }
}

extension AttributeType {
  /// Returns whether the function gives the same result for a column as for a list of its values.
  fileprivate func canBeAggregated(by function: PredicateFunction) -> Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal: true
    case .date, .string: function != .sum
    case .boolean, .uuid, .uri, .binary, .json: false
    }
  }
}
