import KuraGraph
import KuraModel
import KuraValues

// The objects of a graph know which keys they have.

extension GraphObject: KeyListing {
  /// The keys of its entity.
  package var ownKeys: [String] { snapshot.graph.model.keys(of: entityName) }
}

extension ObjectSnapshot: KeyListing {
  package var ownKeys: [String] { object.ownKeys }
}

extension ManagedObject: KeyListing {
  /// None if it is gone.
  package var ownKeys: [String] { graphObject?.ownKeys ?? [] }
}

// And which of them lead to others.

extension ObjectSnapshot: LinkKnowing {
  package func isLink(_ key: String) -> Bool { object.isLink(key) }
}

extension ManagedObject: LinkKnowing {
  /// Any if it is gone.
  package func isLink(_ key: String) -> Bool { graphObject?.isLink(key) ?? true }
}
