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
