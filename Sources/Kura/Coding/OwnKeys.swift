import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraSentences
import KuraValues

// Graph objects know their keys.

extension GraphObject: KeyListing {
  /// The keys of its entity.
  package var ownKeys: [String] { snapshot.graph.model.keys(of: entityName) }
}

extension ObjectSnapshot: KeyListing {
  package var ownKeys: [String] { object.ownKeys }
}

extension ManagedObject: KeyListing {
  /// The keys of its entity; empty if the object was deleted.
  package var ownKeys: [String] { graphObject?.ownKeys ?? [] }
}

// Graph objects know which of their keys are relationships.

extension ObjectSnapshot: RelationshipListing {
  package func isLink(_ key: String) -> Bool { object.isLink(key) }
}

extension ManagedObject: RelationshipListing {
  /// Whether the key is a relationship; true if the object was deleted.
  package func isLink(_ key: String) -> Bool { graphObject?.isLink(key) ?? true }
}

/// The reasons why a Swift type does not fit a model.
enum StorableProblem: DiagnosticFacts {
  case unknownEntity(type: String, String, known: [String])
  case unknownKey(type: String, String, entity: String, known: [String])
  case unfit(type: String, String, entity: String, String)
  case withoutKeys(String)

  var kind: Diagnostic.Kind { .semantics }

  var sentence: String {
    switch self {
    case .unknownEntity(let type, let entity, _):
      localized("\(type): the model has no entity \"\(entity)\"")
    case .unknownKey(let type, let key, let entity, _):
      localized("\(type).\(key): \(entity) has no key \"\(key)\"")
    case .unfit(let type, let key, let entity, let reason):
      "\(type).\(key): \(entity).\(key) \(reason)"
    case .withoutKeys(let type): localized("\(type) encodes no keys, so it cannot be an object")
    }
  }

  var help: String? {
    switch self {
    case .unknownEntity(_, let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? localized("declare the entity's name: static let entityName")
    case .unknownKey(_, let key, _, let known):
      didYouMean(nearNames(to: key, among: known))
        ?? localized("its keys are \(known.list)")
    case .unfit, .withoutKeys: nil
    }
  }
}
