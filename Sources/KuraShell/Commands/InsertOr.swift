import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// The objects of an `insert`, and what it changed.
struct Inserted {
  /// The new objects and those that were found, in the order of the statement.
  var objects: [ObjectID]
  var change: ChangeSet
  /// The objects that already existed.
  var found: [ObjectID] = []

  init(_ done: Performed<[ObjectID]>, found: [ObjectID] = []) {
    (objects, change, self.found) = (done.result, done.change, found)
  }

  /// Returns `1 inserted: Tag/3`, `1 found: Tag/1`.
  func report(in graph: Graph) -> String {
    let updated = Set(
      change.updated.flatMap { batch in batch.numbers.map { graph.id(batch.entity, $0) } })
    let names = NameList(found.filter { !updated.contains($0) })
    guard let text = names.text({ localized("\($0) found: \($1)") }) else {
      return Report.changed(change, in: graph)
    }
    return change.isEmpty ? text : [Report.changed(change, in: graph), text].clauses
  }
}

// `insert or fetch`, `insert or update`
extension InsertStatement {
  /// Inserts the objects whose values of a unique key are new, and finds or updates the others.
  func insert(
    _ objects: [NewObject], or existing: Existing, at place: StatementPlace, in session: Session,
    _ source: SourceText
  ) throws -> Inserted {
    var matches = UniqueMatches()
    let outcomes = try objects.map { object in
      let keys = object.values.filter(\.created.isEmpty).map(\.key)
      if let problem = missingUniqueKey(given: keys, session.context.graph.model) { throw problem }
      return try session.read(source) { snapshot, environment in
        try matches.match(for: object, at: entity.span, snapshot, environment)
      }
    }
    let name = actionName?.text ?? "insert or \(existing.rawValue) \(entity.text)"
    let done = try session.change(name, at: place) { editor in
      let new = try editor.insert(zip(objects, outcomes).filter { $1 == .new }.map(\.0))
      var next = new.makeIterator()
      var ids: [ObjectID] = []
      for (object, outcome) in zip(objects, outcomes) {
        try session.services.cancel.check()
        switch outcome {
        case .new: ids.append(contentsOf: next.next().map { [$0] } ?? [])
        case .stored(let id): ids.append(id)
        case .earlier(let place): ids.append(ids[place])
        }
        guard existing == .update, outcome != .new, let id = ids.last else { continue }
        try editor.set(object.values, of: id)
      }
      return ids
    }
    return Inserted(done, found: outcomes.compactMap(\.storedObject).distinct)
  }

  /// Returns the problem that no unique key of the entity has values.
  func missingUniqueKey(given keys: [String], _ model: Model) -> Diagnostic? {
    let constraints = model.allUniquenessConstraints(of: entity.text)
    if constraints.contains(where: { $0.keys.allSatisfy(keys.contains) }) { return nil }
    return Diagnostic(
      InsertOrProblem.noUniqueKey(entity.text, unique: constraints.map(\.keys)), at: entity.span)
  }
}

/// Finds objects by the values of their unique keys, including those of one statement.
private struct UniqueMatches {
  /// The indexes of the statement's objects by constraint and values.
  private var given: [Given: Int] = [:]
  private var count = 0

  /// The values of a unique key.
  private struct Given: Hashable {
    let owner: String
    let keys: [String]
    let values: [Value]
  }

  enum Outcome: Equatable {
    case new
    /// An object of the graph.
    case stored(ObjectID)
    /// The object of the statement with this index.
    case earlier(Int)

    var storedObject: ObjectID? { if case .stored(let id) = self { id } else { nil } }
  }

  /// Returns the object that has the same values of a unique key.
  mutating func match(
    for object: NewObject, at span: SourceSpan, _ snapshot: GraphSnapshot,
    _ environment: FetchEnvironment
  ) throws -> Outcome {
    try environment.cancel.check()
    let model = snapshot.graph.model
    var (found, all): (Set<ObjectID>, [Given]) = ([], [])
    var earlier: Int?
    for constraint in model.allUniquenessConstraints(of: object.entity) {
      let values = constraint.keys.compactMap { key in object.values.first { $0.key == key } }
      guard values.count == constraint.keys.count, !values.contains(where: \.value.isNull),
        values.allSatisfy(\.created.isEmpty)
      else { continue }
      let these = Given(
        owner: constraint.owner, keys: constraint.keys, values: values.map(\.value))
      earlier = earlier ?? given[these]
      all.append(these)
      found.formUnion(try objects(of: constraint.owner, with: values, snapshot, environment))
    }
    defer { count += 1 }
    if let other = found.first(where: { !model.entity($0.entity, isKindOf: object.entity) }) {
      throw Diagnostic(InsertOrProblem.ofOtherEntity(other, wanted: object.entity), at: span)
    }
    if found.count > 1 {
      throw Diagnostic(InsertOrProblem.several(found.sorted { $0.number < $1.number }), at: span)
    }
    if let id = found.first { return .stored(id) }
    for these in all where given[these] == nil { given[these] = earlier ?? count }
    return earlier.map(Outcome.earlier) ?? .new
  }

  private func objects(
    of entity: String, with values: [NewValue], _ snapshot: GraphSnapshot,
    _ environment: FetchEnvironment
  ) throws -> [ObjectID] {
    var fetch = FetchTree(of: FetchSource(.entity(entity)))
    fetch.predicate = PredicateTree(
      .and(
        values.map { value in
          let key = ExpressionTree(.keyPath(KeyPathTree([KeyComponent(value.key)])))
          return PredicateTree(.comparison(Comparison(key, .equal, value.value.tree)))
        }))
    var environment = environment
    environment.warnings = nil
    let result = try fetch.bound(to: snapshot, environment).run()
    let table = snapshot.graph.tables[result.table]
    return result.rows.map { table.objectID(Int($0)) }
  }
}

extension Value {
  /// The value as an expression; objects by their number.
  fileprivate var tree: ExpressionTree {
    if let id = relatedObjects?.first ?? nil {
      return ExpressionTree(.objectOrQuotient(entity: id.entity, number: id.number))
    }
    return ExpressionTree(.constant(Constant(self)))
  }
}

extension [ObjectID] {
  fileprivate var distinct: [ObjectID] {
    var seen: Set<ObjectID> = []
    return filter { seen.insert($0).inserted }
  }
}

/// The reason why `insert or fetch` or `insert or update` cannot find an object.
enum InsertOrProblem: DiagnosticFacts {
  /// The statement gives no unique key.
  case noUniqueKey(String, unique: [[String]])
  case ofOtherEntity(ObjectID, wanted: String)
  case several([ObjectID])

  var sentence: String {
    switch self {
    case .noUniqueKey(let entity, unique: []):
      localized("\(entity) has no unique key to find an object by")
    case .noUniqueKey(let entity, _):
      localized("no unique key of \(entity) has a value to find an object by")
    case .ofOtherEntity(let id, let entity):
      localized("\(id) has the same values of a unique key, but it is not of \(entity)")
    case .several(let objects):
      localized(
        "several objects have the same values of unique keys: \(objects.map(\.description).list)")
    }
  }

  var help: String? {
    switch self {
    case .noUniqueKey(let entity, unique: []):
      localized("make a key unique: alter entity \(entity.writtenName) change KEY unique")
    case .noUniqueKey(_, let unique):
      localized("unique: \(unique.map(\.writtenKeys).list)")
    case .ofOtherEntity, .several: nil
    }
  }
}

extension [String] {
  /// The keys of a uniqueness constraint: `title`, or `(title, author)` for several.
  fileprivate var writtenKeys: String {
    let keys = map(\.writtenName).joined(separator: ", ")
    return count == 1 ? keys : "(\(keys))"
  }
}
