import KuraModel
import KuraValues

extension Graph {
  /// The objects whose derived attribute may be another now.
  func concerned(
    by places: [(entity: String, place: GraphPlace)], _ derivation: Derivation
  ) -> Set<GraphPlace> {
    if derivation.isBoundless { return allPlaces(of: derivation.entity) }
    var result: Set<GraphPlace> = []
    for (entity, place) in places where model.entity(entity, isKindOf: derivation.entity) {
      result.insert(place)
    }
    for route in derivation.routes where !route.isEmpty {
      result.formUnion(owners(of: places.map(\.place), along: route, from: derivation.entity))
    }
    return result
  }

  private func allPlaces(of entity: String) -> Set<GraphPlace> {
    guard let place = place(of: entity) else { return [] }
    let codes = codes(of: entity)
    let table = tables[place.table]
    return Set(
      (0..<table.count).filter { table.isLive($0) && codes.contains(table.entityCode($0)) }
        .map { GraphPlace(table: place.table, row: $0) })
  }

  /// The objects from which a route leads over some places, at whichever step.
  private func owners(
    of places: [GraphPlace], along route: [String], from entity: String
  ) -> Set<GraphPlace> {
    var steps: [(slot: KeySlot, table: Int)] = []
    var owner = entity
    for key in route {
      guard let place = place(of: owner),
        let slot = tables[place.table].layout.slots[place.code][key],
        case .relationship(let relationship)? = model.property(named: key, of: owner)
      else { break }
      steps.append((slot, place.table))
      owner = relationship.destination
    }
    var reached: Set<GraphPlace> = []
    for (slot, table) in steps.reversed() {
      guard let destination = destination(slot) else { return [] }
      reached.formUnion(places.filter { $0.table == destination })
      reached = Set(
        reached.filter { $0.table == destination }
          .flatMap { sources(slot, table, of: $0.row) }
          .map { GraphPlace(table: table, row: $0) })
    }
    return reached
  }

  /// The rows from which a relationship leads to a row.
  private func sources(_ slot: KeySlot, _ table: Int, of target: Int) -> [Int] {
    let rows: [UInt32] =
      switch slot {
      case .attribute, .unresolved: []
      case .toOne(let column, _), .toMany(let column, _, _):
        Array(inverse(source: table, column: column)[target])
      case .inverse(let source, let column, _):
        tables[source].isLive(target) ? tables[source].columns[column].targets(target) : []
      }
    return rows.map { Int($0) }.filter(tables[table].isLive)
  }
}
