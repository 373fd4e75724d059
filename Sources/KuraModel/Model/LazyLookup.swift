import Synchronization

/// The facts of a model's entities, made once, when they are first asked for.
///
/// Copies of a model share it; a change of the entities puts a new one in its place.
final class LazyLookup: Sendable {
  private let made = Mutex<[String: KnownEntity]?>(nil)

  /// The facts of the entity of a name.
  func entity(_ name: String, in entities: [Entity]) -> KnownEntity? {
    made.withLock { made in
      if let made { return made[name] }
      let known = EntityFacts.all(of: entities).mapValues(KnownEntity.init)
      made = known
      return known[name]
    }
  }
}

/// Facts behind a reference, so that a question copies its answer and not all of them.
final class KnownEntity: Sendable {
  let facts: EntityFacts

  init(_ facts: EntityFacts) { self.facts = facts }
}

extension Model {
  /// What is known of the entity of a name.
  func known(_ name: String) -> KnownEntity? { lookup.entity(name, in: entities) }
}

extension Model {
  /// Whether the other has the same entities because one is a copy of the other: in constant time.
  ///
  /// False does not mean that they differ.
  package func sharesEntities(with other: Model) -> Bool { lookup === other.lookup }
}
