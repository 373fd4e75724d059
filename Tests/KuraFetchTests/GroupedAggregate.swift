import KuraChecking
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

// An aggregate per group: the engine's values, and the reference evaluator's
extension World {
  /// Returns a fetch of one aggregate of the groups of a key; without a key, of all objects.
  static func grouped(
    _ aggregate: String, of entity: String, by key: String?, where predicate: String? = nil
  ) throws -> FetchTree {
    var fetch = FetchTree(of: FetchSource(.entity(entity)))
    fetch.predicate = try predicate.map(World.parse)
    fetch.grouping = try key.map { [try World.parseExpression($0)] } ?? []
    fetch.selection = [
      SelectedColumn(try World.parseExpression(aggregate), name: "x", isNamed: true)
    ]
    return fetch
  }
}

extension BoundRequest {
  /// The first aggregate; nil if there is none.
  var firstAggregate: CheckedAggregate? { selection?.grouping?.aggregates.first }

  /// Returns the first aggregate's values in the order of the groups, from the engine and from the reference evaluator.
  func valuesOfFirstAggregate() throws -> (engine: [Value], evaluator: [Value]) {
    let grouping = try #require(selection?.grouping)
    let aggregate = try #require(firstAggregate)
    let groups = try Groups(self, by: grouping.keys.map(\.tree), grouping.aggregates)
    let isWhole = grouping.keys.isEmpty
    let slow = try groups.slowValues(of: aggregate, self)
    let found = try groups.values(of: aggregate, self, isWhole: isWhole).all
    return (found, (isWhole ? [1] : groups.order).map { slow[$0] })
  }
}
