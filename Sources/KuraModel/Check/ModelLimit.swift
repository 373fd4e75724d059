/// The size that a model may have.
///
/// What is known of an entity is kept for each of its keys, inherited ones too: a line of entities that
/// inherit from each other has a square of them.
package enum ModelLimit {
  /// The keys of all entities together, inherited ones counted for each.
  package static let keys = 250_000

  /// The first entity with which there are more keys than a model may have. Linear in the model.
  static func firstBeyond(_ entities: [Entity]) -> String? {
    let places = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var counts: [Int?] = Array(repeating: nil, count: entities.count)
    var total = 0
    for place in entities.indices {
      total += count(of: place, entities, places, &counts)
      if total > keys { return entities[place].name }
    }
    return nil
  }

  /// The keys of an entity and of those that it inherits from; a circle ends before it repeats.
  private static func count(
    of place: Int, _ entities: [Entity], _ places: [String: Int], _ counts: inout [Int?]
  ) -> Int {
    var line: [Int] = []
    var next: Int? = place
    while let place = next, counts[place] == nil {
      counts[place] = 0
      line.append(place)
      next = entities[place].parent.flatMap { places[$0] }
    }
    var count = next.flatMap { counts[$0] } ?? 0
    for place in line.reversed() {
      count += entities[place].attributes.count + entities[place].relationships.count
      counts[place] = count
    }
    return counts[place] ?? 0
  }
}
