import KuraBytes
package import KuraDiagnostics
package import KuraFetch
import KuraGraph
import KuraModel
package import KuraPredicates
import KuraValues

/// A generated store on which two fetches differ, with their difference.
package struct Counterexample: Sendable {
  package let store: GeneratedStore
  package let comparison: FetchComparison
}

/// Searches for a generated store on which two fetches of an entity differ.
package struct CounterexampleSearch {
  private let model: Model
  private let entity: String
  private let first: (tree: FetchTree, environment: FetchEnvironment)
  private let second: (tree: FetchTree, environment: FetchEnvironment)
  private var maker: ClusterMaker
  /// The number of objects of the entity that were tried.
  package private(set) var tried = 0

  private static let batches = 40
  private static let batch = 25

  /// Creates a search. The trees are bound to each store; the literals are those of the predicates
  /// of `bound`.
  package init(
    _ first: (tree: FetchTree, environment: FetchEnvironment),
    _ second: (tree: FetchTree, environment: FetchEnvironment), of bound: FetchComparison,
    seed: UInt64
  ) {
    model = bound.first.snapshot.graph.model
    entity = bound.first.entity
    (self.first, self.second) = (first, second)
    let trees = [bound.first.predicate, bound.second.predicate].compactMap(\.self)
    let variables = first.environment.variables.merging(second.environment.variables) { a, _ in a }
    maker = ClusterMaker(model, trees, variables, seed: seed)
  }
}

extension CounterexampleSearch {
  /// Returns the first example, reduced as far as possible; nil if the fetches agree on all
  /// generated stores. Throws if cancelled.
  package mutating func found() throws(Diagnostic) -> Counterexample? {
    for _ in 0..<Self.batches {
      guard !first.environment.cancel.isRequested else {
        throw Diagnostic(EvaluationError.stopped)
      }
      maker.make(Self.batch, of: entity)
      tried += maker.store.objects.count { model.entity($0.entity, isKindOf: entity) }
      guard comparison(on: maker.store) != nil else { continue }
      if let example = smallest(maker.clusters) { return example }
    }
    return nil
  }

  /// Returns the difference on a store; nil if there is none, or a fetch fails.
  private func comparison(on store: GeneratedStore) -> FetchComparison? {
    guard let graph = try? store.graph(of: model, in: context) else { return nil }
    let snapshot = GraphSnapshot(graph)
    guard let one = try? first.tree.bound(to: snapshot, first.environment.quiet),
      let other = try? second.tree.bound(to: snapshot, second.environment.quiet),
      let comparison = try? FetchComparison(one, other), !comparison.agrees
    else { return nil }
    return comparison
  }

  private var context: EvaluationContext {
    let environment = first.environment
    return EvaluationContext(
      now: environment.now, zone: environment.rules, locale: environment.locale,
      nilArithmeticIsNil: true, cancel: environment.cancel)
  }

  private func shows(_ store: GeneratedStore) -> Bool {
    comparison(on: store) != nil && store.isValid(for: model, in: context)
  }
}

// Reducing
extension CounterexampleSearch {
  /// Returns a single cluster with the difference, without anything dispensable.
  private func smallest(_ clusters: [Range<Int>]) -> Counterexample? {
    let parts = clusters.lazy.map { maker.store.part($0) }
    let alone = parts.map { $0.renumbered(model) }.first(where: shows) ?? parts.first(where: shows)
    guard var store = alone ?? (shows(maker.store) ? maker.store : nil) else { return nil }
    removeObjects(of: &store)
    simplifyValues(of: &store)
    let numbered = store.renumbered(model)
    if shows(numbered) { store = numbered }
    return comparison(on: store).map { Counterexample(store: store, comparison: $0) }
  }

  private func removeObjects(of store: inout GeneratedStore) {
    var place = store.objects.count - 1
    while place >= 0 {
      let smaller = store.without(place)
      if shows(smaller) { store = smaller }
      place = min(place, store.objects.count) - 1
    }
  }

  /// Replaces values by null, or by the first usual value, if the difference remains.
  private func simplifyValues(of store: inout GeneratedStore) {
    for object in store.objects.indices {
      let attributes = model.allAttributes(of: store.objects[object].entity)
      for value in store.objects[object].values.indices {
        let (key, old) = store.objects[object].values[value]
        guard let type = attributes.first(where: { $0.name == key })?.type else { continue }
        let simpler = LiteralPool.usual(type).prefix(1) + [.null]
        for new in simpler where new != old {
          var trial = store
          trial.objects[object].values[value].value = new
          if shows(trial) {
            store = trial
            break
          }
        }
      }
    }
  }
}

extension FetchEnvironment {
  /// The environment without the last fetch, and without repeated warnings.
  fileprivate var quiet: FetchEnvironment {
    var result = self
    (result.warnings, result.lastFetch, result.progress) = (nil, nil, .none)
    return result
  }
}

/// The reasons why no store can be generated for two fetches.
package enum GenerationObstacle: Sendable, Hashable {
  /// `compare $some where …`: the fetch concerns only these objects.
  case namedSource
  /// `parentCategory == Category/3`, `$home`: a predicate contains an object of this store.
  case namedObject(String)
}

extension FetchComparison {
  /// Returns the reason why generated stores would be useless; nil if there is none.
  package func generationObstacle(
    _ trees: [FetchTree], _ environment: FetchEnvironment
  ) -> GenerationObstacle? {
    for tree in trees {
      guard case .entity = tree.source.kind else { return .namedSource }
      guard let predicate = tree.predicate else { continue }
      let objects = predicate.first { node in
        switch node.kind {
        case .objectOrQuotient(let entity, _): first.snapshot.graph.model[entity] != nil
        case .variable(let name): environment.variables[name]?.holdsObjects ?? false
        default: false
        }
      }
      if let objects { return .namedObject(objects.description) }
    }
    return nil
  }
}
