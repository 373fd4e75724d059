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

extension WatchedFetch {
  /// Takes what an act did to the graph, which is as it is behind it, and says what that means for
  /// the answer: nothing where it is the same, or where the fetch has ended.
  package mutating func take(_ change: ContextChange, _ graph: Graph) -> ResultsChange {
    if end != nil { return ResultsChange() }
    guard change.act != .opened else {
      end = .otherStore
      return ResultsChange()
    }
    do throws(Diagnostic) {
      return ResultsChange(try events(change.change, graph))
    } catch {
      if mayBeAsked(again: graph, error) {
        wait(behind: change.change, graph, error)
      } else {
        end = .failed(error)
      }
      return ResultsChange()
    }
  }

  /// Whether an object alone is to blame, and not the fetch: neither does it not fit the model, nor does its
  /// order tear its sections apart.
  private func mayBeAsked(again graph: Graph, _ reason: Diagnostic) -> Bool {
    if case FetchFacts.brokenSection? = reason.facts as? FetchFacts { return false }
    return (try? fetch.bound(to: GraphSnapshot(graph), environment)) != nil
  }

  /// Stays with the last answer until no object makes the fetch fail any more.
  private mutating func wait(behind change: GraphChange, _ graph: Graph, _ reason: Diagnostic) {
    failure = reason
    compared = kept.map(ComparedResults.init) ?? compared
    kept = nil
    guard case .objects(let objects) = change, let place = graph.place(of: entity) else { return }
    let touched = TouchedRows(TouchedKeys(objects, in: graph), inTable: place.table, [], of: graph)
    missed.merge(touched.keys) { $0.union($1) }
  }

  private mutating func events(
    _ change: GraphChange, _ graph: Graph
  ) throws(Diagnostic) -> [ResultsEvent] {
    guard case .objects(let objects) = change else { return try eventsOfModel(change, graph) }
    let touched = TouchedKeys(objects, in: graph)
    guard let reader = kept?.reader, let paths = kept?.paths else {
      let table = graph.place(of: entity)?.table
      let rows = table.map { TouchedRows(touched, inTable: $0, [], of: graph) }
      return try eventsAskingAnew(graph, rows?.keys ?? [:])
    }
    let rows = TouchedRows(touched, inTable: reader.place.table, paths, of: graph)
    if rows.keys.isEmpty { return [] }
    guard kept?.isTooMuch(rows) == false, let step = try? kept?.step(rows, graph) else {
      return try eventsAskingAnew(graph, rows.keys)
    }
    return step.changes(
      key: { [kept] in kept?.order[$0] ?? 0 },
      row: { [self] in .object(identity(of: $0, in: graph)) },
      keys: { rows.keys[$0]?.sorted() ?? [] }, shows: shows)
  }

  /// What became of the answer with another model: paths lead by that one, and what objects have is
  /// compared.
  private mutating func eventsOfModel(
    _ change: GraphChange, _ graph: Graph
  ) throws(Diagnostic) -> [ResultsEvent] {
    let request = try fetch.bound(to: GraphSnapshot(graph), environment)
    guard case .model(let before, _) = change else { return [] }
    let touched = TouchedKeys(before.difference(to: graph), in: graph, before: before.model)
    let rows = TouchedRows(
      touched, inTable: request.place.table, request.watchedPaths.paths, of: graph)
    return try eventsAskingAnew(graph, rows.keys)
  }

  /// Whether an update of some keys is one of what is shown.
  private func shows(_ keys: [String]) -> Bool {
    guard let shown else { return true }
    return keys.contains(where: shown.contains)
  }

  private mutating func eventsAskingAnew(
    _ graph: Graph, _ touched: [Int64: Set<String>]
  ) throws(Diagnostic) -> [ResultsEvent] {
    let old = kept.map(ComparedResults.init) ?? compared
    try ask(graph)
    let touched = touched.merging(missed) { $0.union($1) }
    (failure, missed) = (nil, [:])
    guard let old, let new = kept.map(ComparedResults.init) ?? compared else { return [] }
    let changed = Set(touched.filter { !$0.value.isEmpty }.keys)
    return old.step(to: new, changed: changed).changes(
      key: { new.keys[$0] }, row: { [self] in row($0, old, new, graph) },
      keys: { key in
        key.number.map { touched[$0]?.sorted() ?? [] } ?? old.changedColumns(of: key, in: new)
      }, shows: shows)
  }
}

// Rows
extension WatchedFetch {
  /// An object by its own entity; one that the graph never had, for others had it, by that of the
  /// fetch.
  private func identity(of number: Int64, in graph: Graph) -> ObjectID {
    graph.place(of: entity).flatMap { graph.identity(of: number, inTable: $0.table) }
      ?? ObjectID(entity: entity, root: root, number: number)
  }

  private func row(
    _ key: ComparedResults.Key, _ old: ComparedResults, _ new: ComparedResults, _ graph: Graph
  ) -> ResultsRow? {
    switch key {
    case .object(let number): .object(identity(of: number, in: graph))
    case .group: new.group(key) ?? old.group(key)
    }
  }
}

extension ListStep {
  /// What happens to rows and sections, in the order in which a table takes it.
  fileprivate func changes(
    key: (Int) -> Key, row: (Key) -> ResultsRow?, keys: (Key) -> [String],
    shows: ([String]) -> Bool
  ) -> [ResultsEvent] {
    var (deletions, others): ([ResultsEvent], [ResultsEvent]) = ([], [])
    for event in events(key) {
      switch event {
      case .delete(let key, let from): row(key).map { deletions.append(.delete($0, from: from)) }
      case .insert(let key, let at): row(key).map { others.append(.insert($0, at: at)) }
      case .move(let key, let from, let to):
        row(key).map { others.append(.move($0, from: from, to: to, keys: keys(key))) }
      case .stay(let key, let at):
        guard let row = row(key), case let keys = keys(key), !keys.isEmpty, shows(keys)
        else { continue }
        others.append(.update(row, at: at, keys: keys))
      }
    }
    return deletions + sectionDeletions + sectionInsertions + others
  }
}
