import KuraBytes
package import KuraDiagnostics
package import KuraGraph
import KuraModel
package import KuraPredicates
package import KuraValues

/// A fetch that stays: it holds its answer and says, behind each step of the graph, how the answer
/// changed.
///
///     var bells = try WatchedFetch(fetch, in: context.graph, environment)
///     context.observe { step, graph in print(bells.take(step, graph).events) }
///
/// It holds identifiers, never a state of the graph. `now()` is the moment at which it began.
package struct WatchedFetch: Sendable {
  package let fetch: FetchTree
  private(set) var environment: FetchEnvironment
  /// The answer that steps change; nil where it is asked anew behind each.
  var kept: KeptResults?
  var compared: ComparedResults?
  /// Why it ended; nil while it is watched. The answer stays what it was last.
  package internal(set) var end: ResultsEnd?
  /// Why the answer is not that of the graph: an object makes the fetch fail, and what stands here is the
  /// last answer that there was. It is asked again behind each step; nil as long as all is well.
  package internal(set) var failure: Diagnostic?
  /// What has changed of objects since it failed.
  var missed: [Int64: Set<String>] = [:]
  /// The keys and paths of the objects that columns show; nil where objects are shown, or not all is known.
  private(set) var shown: Set<String>?
  private(set) var entity = ""
  private(set) var root = ""

  /// Asks the fetch once. Throws where it does not fit the model, or a row makes it fail.
  package init(
    _ fetch: FetchTree, in graph: Graph, _ environment: FetchEnvironment
  ) throws(Diagnostic) {
    self.fetch = fetch
    self.environment = environment.forWatching
    try ask(graph)
  }

  mutating func ask(_ graph: Graph) throws(Diagnostic) {
    let request = try fetch.bound(to: GraphSnapshot(graph), environment)
    if request.watchObstacle(of: fetch) == nil {
      kept = try KeptResults(request, paths: request.watchedPaths.paths)
      compared = nil
    } else {
      compared = try ComparedResults(request)
      kept = nil
    }
    shown = request.shownKeys
    (entity, root) = (request.entity, graph.model.root(of: request.entity))
  }
}

extension FetchEnvironment {
  /// Nobody waits for a step: it is not stopped, and warns of nothing.
  fileprivate var forWatching: FetchEnvironment {
    var environment = self
    environment.cancel = CancelFlag()
    environment.progress = .none
    environment.warnings = nil
    environment.snapshot = nil
    return environment
  }
}

// The answer
extension WatchedFetch {
  /// How many rows there are.
  package var count: Int { kept?.window.count ?? compared?.keys.count ?? 0 }

  /// The sections; nil where the fetch makes none.
  package var sections: [ResultsRun]? { kept == nil ? compared?.runs : kept?.runs }

  /// The objects in their order; empty where groups hide them. By the fetched entity: a graph says
  /// which of its subentities each is.
  package var objects: [ObjectID] {
    (kept.map { $0.order[$0.window] } ?? compared?.keys.compactMap(\.number) ?? []).map(identity)
  }

  /// The object at a place; nil where there is none.
  package func object(at place: ResultsPlace) -> ObjectID? {
    guard let index = index(of: place) else { return nil }
    if let kept { return identity(kept.order[kept.window.lowerBound + index]) }
    return compared?.keys[index].number.map(identity)
  }

  /// Where an object stands; nil where it does not belong to the answer.
  package func place(of object: ObjectID) -> ResultsPlace? {
    guard object.root == root, let index = index(of: object.number) else { return nil }
    return SectionPlaces(sections).place(of: index) ?? ResultsPlace(row: index)
  }

  private func index(of number: Int64) -> Int? {
    guard let kept else { return compared?.keys.firstIndex(of: .object(number)) }
    guard let index = kept.order.index(of: number), kept.window.contains(index) else { return nil }
    return index - kept.window.lowerBound
  }

  private func index(of place: ResultsPlace) -> Int? {
    guard place.row >= 0, place.section >= 0 else { return nil }
    guard let sections else {
      return place.section == 0 && place.row < count ? place.row : nil
    }
    guard place.section < sections.count, place.row < sections[place.section].count else {
      return nil
    }
    return SectionPlaces(sections).starts[place.section] + place.row
  }

  private func identity(_ number: Int64) -> ObjectID {
    ObjectID(entity: entity, root: root, number: number)
  }
}

extension ComparedResults.Key {
  var number: Int64? { if case .object(let number) = self { number } else { nil } }
}
