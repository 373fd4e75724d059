import KuraBytes
package import KuraDiagnostics
package import KuraFetch
import KuraGraph
import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

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

/// An object that only one of two fetches finds, and the leaves that decide it.
package struct Witness: Sendable {
  package let object: Value
  package let isInFirst: Bool
  /// The leaf that decides the result of the first fetch; nil if no single leaf does.
  package let first: Decision?
  package let second: Decision?

  /// A leaf with its answer and the values that it found.
  package struct Decision: Sendable {
    package let text: String
    package let answer: TracedAnswer
    package let values: String
  }
}

extension FetchComparison {
  /// Returns the first object that differs.
  package func witness(_ first: PartTexts, _ second: PartTexts) throws(Diagnostic) -> Witness? {
    guard let row = difference.firstRows(1).first else { return nil }
    // For equal predicates the limits differ.
    if self.first.predicate == self.second.predicate { return nil }
    return Witness(
      object: .object(ObjectReference(self.first.object(atRow: row))),
      isInFirst: onlyFirst[row: row],
      first: try self.first.predicate.flatMap { predicate throws(Diagnostic) in
        try self.first.trace(predicate, row).decision(first)
      },
      second: try self.second.predicate.flatMap { predicate throws(Diagnostic) in
        try self.second.trace(predicate, row).decision(second)
      })
  }
}

extension BoundRequest {
  /// Returns the leaf that decides whether the object at a row matches; nil if no single leaf does.
  package func decision(
    atRow row: Int, _ texts: PartTexts
  ) throws(Diagnostic) -> Witness.Decision? {
    guard let predicate else { return nil }
    return try trace(predicate, row).decision(texts)
  }
}

extension PredicateTrace {
  /// Returns the part that decided the answer, if a single part did.
  fileprivate func decision(_ texts: PartTexts) -> Witness.Decision? {
    var (node, shown) = (self, self)
    for place in decisionPath where !node.isLeaf {
      let isNegation = if case .not = node.predicate.kind { true } else { false }
      node = node.parts[place]
      if !isNegation { shown = node }
    }
    guard node.isLeaf else { return nil }
    return Witness.Decision(
      text: texts.whole(shown.predicate), answer: shown.answer,
      values: TraceValues(texts: texts, listsElements: false).text(of: node))
  }
}

extension Witness {
  /// Returns `Task/2 is in the second, because NOT … is YES (dueDate is nil), but not in the first,
  /// because …`.
  package func sentence(_ texts: PartTexts) -> String {
    let (inside, outside) = isInFirst ? (first, second) : (second, first)
    let object = texts.text(of: object)
    let (here, there) = (inside?.clause ?? "", outside?.clause.trimmingCommas ?? "")
    return isInFirst
      ? localized("\(object) is in the first\(here) but not in the second\(there)")
      : localized("\(object) is in the second\(here) but not in the first\(there)")
  }
}

extension Witness.Decision {
  /// `, because done == NO is YES (done is NO),`
  fileprivate var clause: String {
    let values = values.isEmpty ? "" : values.parenthesized
    return localized(", because \(text) is \(answer.words)\(values),")
  }
}

extension String {
  fileprivate var trimmingCommas: String { hasSuffix(",") ? String(dropLast()) : self }
}
