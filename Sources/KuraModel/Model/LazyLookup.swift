import Synchronization

/// The facts of a model's entities, made once, when they are first asked for.
///
/// Copies of a model share it; a change of the entities puts a new one in its place.
final class LazyLookup: Sendable {
  private let made = Mutex<KnownModel?>(nil)

  /// What is known of all entities.
  func model(_ entities: [Entity]) -> KnownModel {
    made.withLock { made in
      if let made { return made }
      let known = KnownModel(entities)
      made = known
      return known
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
  func known(_ name: String) -> KnownEntity? { known.facts[name] }

  /// What is known of all entities.
  var known: KnownModel { lookup.model(entities) }
}

extension Model {
  /// Whether the other has the same entities because one is a copy of the other: in constant time.
  ///
  /// False does not mean that they differ.
  package func sharesEntities(with other: Model) -> Bool { lookup === other.lookup }
}
