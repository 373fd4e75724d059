import KuraChecking
package import KuraDiagnostics
package import KuraGraph
package import KuraPredicates
import KuraSentences

/// The method of updating a watched fetch's answer.
package enum WatchMethod: Sendable {
  /// A step updates the affected objects.
  case kept(paths: [String])
  /// The fetch runs again after each step, and the answers are compared.
  case compared(WatchObstacle)
}

/// The reason why an answer cannot be updated step by step.
package enum WatchObstacle: Sendable {
  /// `group by`, `select distinct`, aggregates
  case rowsWithoutObjects
  /// `(count Item where …)`
  case nestedFetch
  /// `fetch $home.items`, `fetch _`
  case namedObjects
  /// `section by category limit 5`
  case limitedSections
  /// `limit 3 per category`
  case limitOfKeys
  /// `random()`, `ANYKEY`, a path from something other than an object of the fetch
  case boundless
}

extension WatchMethod {
  /// `kept in order; through parentCategory.name`
  package var sentence: String {
    switch self {
    case .kept(let paths) where paths.isEmpty:
      localized("incremental: a step updates only the rows it affects")
    case .kept(let paths):
      localized("incremental: a step updates only the rows it affects, also through \(paths.list)")
    case .compared(let obstacle):
      localized("fetched again after each step and compared: \(obstacle.sentence)")
    }
  }
}

extension WatchObstacle {
  fileprivate var sentence: String {
    switch self {
    case .rowsWithoutObjects: localized("its rows are not objects")
    case .nestedFetch: localized("it contains another fetch")
    case .namedObjects: localized("its source is a list of objects")
    case .limitedSections: localized("it has both sections and a limit")
    case .limitOfKeys: localized("it has a limit per value of a key")
    case .boundless: localized("its dependencies cannot be traced")
    }
  }
}

extension BoundRequest {
  /// Returns how this request, bound from a tree, is updated while it is watched.
  package func watchMethod(of tree: FetchTree) -> WatchMethod {
    if let obstacle = watchObstacle(of: tree) { return .compared(obstacle) }
    return .kept(paths: Set(watchedPaths.paths.map(\.text)).sorted())
  }

  func watchObstacle(of tree: FetchTree) -> WatchObstacle? {
    if selection?.hidesObjects == true { return .rowsWithoutObjects }
    if rows != nil { return .namedObjects }
    if !tree.checked(in: shared.checking, of: entity).nested.isEmpty { return .nestedFetch }
    if !limitKeys.isEmpty { return .limitOfKeys }
    if section != nil, limit != nil || offset > 0 { return .limitedSections }
    return watchedPaths.isBoundless ? .boundless : nil
  }

  /// The keys and paths that the columns of objects read; nil if there are no columns, or if it is unknown what they
  /// read.
  var shownKeys: Set<String>? {
    guard let selection, !selection.hidesObjects else { return nil }
    var dependencies = FetchDependencies()
    for column in selection.columns { dependencies.note(column.tree, isShown: true) }
    if dependencies.isBoundless { return nil }
    return dependencies.shownKeys.union(dependencies.paths.map(\.text))
  }

  /// The keys that are read after relationships.
  var watchedPaths: FetchDependencies {
    var dependencies = FetchDependencies()
    if let predicate { dependencies.note(predicate) }
    for key in sort { dependencies.note(key.expression) }
    if let section { dependencies.note(section.tree) }
    for column in selection?.columns ?? [] {
      dependencies.note(column.tree, isShown: true)
    }
    return dependencies
  }
}

extension FetchExplanation {
  /// Adds how the fetch is updated while it is watched.
  package mutating func add(_ method: WatchMethod) {
    parts.append(FetchExplanation("watch", method.sentence))
  }
}

extension WatchedFetch {
  /// Returns the original fetch, bound to another graph.
  package func request(in snapshot: GraphSnapshot) throws(Diagnostic) -> BoundRequest {
    try fetch.bound(to: snapshot, environment)
  }

  package func method(in snapshot: GraphSnapshot) throws(Diagnostic) -> WatchMethod {
    try request(in: snapshot).watchMethod(of: fetch)
  }
}
