import KuraBytes
package import KuraDiagnostics
package import KuraGraph
import KuraModel
package import KuraPredicates
package import KuraValues

/// A fetch that is watched: it stores its answer and returns, after each step of the graph, how the answer changed.
///
///     var bells = try WatchedFetch(fetch, in: context.graph, environment)
///     context.observe { step, graph in print(bells.take(step, graph).events) }
///
/// It stores identifiers, and retains no graph. `now()` is the moment at which it was created.
package struct WatchedFetch: Sendable {
  package let fetch: FetchTree
  private(set) var environment: FetchEnvironment
  /// The answer that steps update; nil if the fetch runs again after each.
  var kept: IncrementalResults?
  var compared: ComparedResults?
  /// The reason why it ended; nil while it is watched. The last answer remains.
  package internal(set) var end: ResultsEnd?
  /// The reason why the answer is outdated: an object makes the fetch fail, and the last valid answer remains. The
  /// fetch runs again after each step. Nil while it succeeds.
  package internal(set) var failure: Diagnostic?
  /// The changes of objects since it failed.
  var missed: [Int64: Set<String>] = [:]
  /// The keys and paths of the objects that columns show; nil if objects are shown, or if some are unknown.
  private(set) var shown: Set<String>?
  private(set) var entity = ""
  private(set) var root = ""

  /// Runs the fetch once. Throws if it does not fit the model, or a row makes it fail.
  package init(
    _ fetch: FetchTree, in graph: Graph, _ environment: FetchEnvironment
  ) throws(Diagnostic) {
    if case .elements = fetch.source.kind {
      throw Diagnostic(ElementProblem.watched(fetch.source.written), at: fetch.source.span)
    }
    (self.fetch, self.environment) = (fetch, environment)
    // Steps cannot be cancelled, and give no warnings.
    (self.environment.cancel, self.environment.progress) = (CancelFlag(), .none)
    (self.environment.warnings, self.environment.snapshot) = (nil, nil)
    try ask(graph)
  }

  mutating func ask(_ graph: Graph) throws(Diagnostic) {
    let request = try fetch.bound(to: GraphSnapshot(graph), environment)
    if request.watchObstacle(of: fetch) == nil {
      kept = try IncrementalResults(request, paths: request.watchedPaths.paths)
      compared = nil
    } else {
      compared = try ComparedResults(request)
      kept = nil
    }
    shown = compared?.hasColumns == true ? nil : request.shownKeys
    (entity, root) = (request.entity, graph.model.root(of: request.entity))
  }
}

// The answer
extension WatchedFetch {
  /// The number of rows.
  package var count: Int { kept?.window.count ?? compared?.keys.count ?? 0 }

  /// The sections; nil if the fetch has none.
  package var sections: [ResultsRun]? { kept == nil ? compared?.runs : kept?.runs }

  /// The objects in their order; empty if groups hide them. They have the fetched entity; the graph knows their
  /// subentities.
  package var objects: [ObjectID] {
    (kept.map { $0.order[$0.window] } ?? compared?.keys.compactMap(\.number) ?? []).map(identity)
  }

  package func object(at place: ResultsPlace) -> ObjectID? {
    guard let index = index(of: place) else { return nil }
    if let kept { return identity(kept.order[kept.window.lowerBound + index]) }
    return compared?.keys[index].number.map(identity)
  }

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
  /// Processes a change of the graph, and returns the change of the answer; empty if the answer is equal, or if the
  /// fetch has ended.
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
        wait(after: change.change, graph, error)
      } else {
        end = .failed(error)
      }
      return ResultsChange()
    }
  }

  /// Returns whether only an object is at fault: the fetch fits the model, and its order does not split sections.
  private func mayBeAsked(again graph: Graph, _ reason: Diagnostic) -> Bool {
    if case FetchProblem.brokenSection? = reason.facts as? FetchProblem { return false }
    return (try? fetch.bound(to: GraphSnapshot(graph), environment)) != nil
  }

  /// Keeps the last answer until the fetch succeeds again.
  private mutating func wait(after change: GraphChange, _ graph: Graph, _ reason: Diagnostic) {
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
    // If many objects are affected, running the fetch again is faster.
    guard let count = kept?.order.count, rows.keys.count <= 1024 + count / 8,
      let step = try? kept?.step(rows, graph)
    else {
      return try eventsAskingAnew(graph, rows.keys)
    }
    return step.changes(
      key: { [kept] in kept?.order[$0] ?? 0 },
      row: { [self] in .object(identity(of: $0, in: graph)) },
      keys: { rows.keys[$0]?.sorted() ?? [] }, shows: shows)
  }

  /// Returns the events after a change of the model: paths follow the new model, and all objects are compared.
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
        let columns = old.changedColumns(of: key, in: new)
        return columns.isEmpty ? key.number.flatMap { touched[$0]?.sorted() } ?? [] : columns
      }, shows: shows)
  }
}

// Rows
extension WatchedFetch {
  /// Returns an object with its own entity; if this graph never had it, with the entity of the fetch.
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
  /// Returns the events of rows and sections, in the order of a table's batch updates.
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
    return deletions + sections.deletions + sections.insertions + others
  }
}
