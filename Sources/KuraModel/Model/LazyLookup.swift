import Synchronization

/// The facts of a model's entities, made once, when they are first asked for.
///
/// Copies of a model share it; a change of the entities puts a new one in its place.
final class LazyLookup: Sendable {
  private let made = Mutex<[String: EntityFacts]?>(nil)

  /// The facts of the entity of a name.
  func facts(of name: String, in entities: [Entity]) -> EntityFacts? {
    made.withLock { made in
      if let made { return made[name] }
      let facts = EntityFacts.all(of: entities)
      made = facts
      return facts[name]
    }
  }
}

extension Model {
  func facts(of name: String) -> EntityFacts? { lookup.facts(of: name, in: entities) }
}
