import KuraBytes
package import KuraDiagnostics
package import KuraGraph
package import KuraModel
import KuraPredicates
import KuraSentences
package import KuraValues

/// New objects, and for each the object that already has the same values of a unique key: of the graph, or an earlier
/// one of the new objects.
///
///     let matches = try UniqueMatches(of: tags, at: nil, snapshot, environment)
///     try context.perform(…) { editor in try editor.insert(matches, updating: false) }
package struct UniqueMatches: Sendable {
  fileprivate let objects: [NewObject]
  fileprivate private(set) var outcomes: [Outcome] = []
  /// The indexes of the new objects by constraint and values.
  private var given: [Given: Int] = [:]

  /// The values of a unique key.
  private struct Given: Hashable {
    let owner: String
    let keys: [String]
    let values: [Value]
  }

  fileprivate enum Outcome: Equatable {
    case new
    /// An object of the graph.
    case stored(ObjectID)
    /// The new object with this index.
    case earlier(Int)
  }

  /// Throws if no unique key of an object has values, or if several objects have them.
  package init(
    of objects: [NewObject], at span: SourceSpan?, _ snapshot: GraphSnapshot,
    _ environment: FetchEnvironment
  ) throws {
    self.objects = objects
    for object in objects {
      try environment.cancel.check()
      let keys = object.values.filter(\.created.isEmpty).map(\.key)
      let model = snapshot.graph.model
      if let problem = Self.missingKey(of: object.entity, given: keys, model, at: span) {
        throw problem
      }
      outcomes.append(try outcome(of: object, at: span, snapshot, environment))
    }
  }

  /// The objects of the graph, each once.
  package var stored: [ObjectID] {
    var found = DistinctList<ObjectID>()
    for case .stored(let id) in outcomes { found.append(id) }
    return found.elements
  }

  /// Returns the problem that no unique key of an entity is among some keys.
  package static func missingKey(
    of entity: String, given keys: [String], _ model: Model, at span: SourceSpan?
  ) -> Diagnostic? {
    let constraints = model.allUniquenessConstraints(of: entity)
    if constraints.contains(where: { $0.keys.allSatisfy(keys.contains) }) { return nil }
    return Diagnostic(
      InsertOrProblem.noUniqueKey(entity, unique: constraints.map(\.keys)), at: span)
  }
}

extension GraphEditor {
  /// Inserts the new objects, and returns the objects that they or their matches are. If `updating`, matches get the
  /// given values.
  package mutating func insert(
    _ matches: UniqueMatches, updating: Bool
  ) throws(Diagnostic) -> [ObjectID] {
    let outcomes = zip(matches.objects, matches.outcomes)
    var next = try insert(outcomes.filter { $1 == .new }.map(\.0)).makeIterator()
    var ids: [ObjectID] = []
    for (object, outcome) in outcomes {
      switch outcome {
      case .new: ids.append(contentsOf: next.next().map { [$0] } ?? [])
      case .stored(let id): ids.append(id)
      case .earlier(let place): ids.append(ids[place])
      }
      guard updating, outcome != .new, let id = ids.last else { continue }
      try set(object.values, of: id)
    }
    return ids
  }
}

extension UniqueMatches {
  /// Finds the object that has the same values of a unique key.
  private mutating func outcome(
    of object: NewObject, at span: SourceSpan?, _ snapshot: GraphSnapshot,
    _ environment: FetchEnvironment
  ) throws -> Outcome {
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
      found.formUnion(
        try Self.objects(of: constraint.owner, with: values, snapshot, environment))
    }
    if let other = found.first(where: { !model.entity($0.entity, isKindOf: object.entity) }) {
      throw Diagnostic(InsertOrProblem.ofOtherEntity(other, wanted: object.entity), at: span)
    }
    if found.count > 1 {
      throw Diagnostic(InsertOrProblem.several(found.sorted { $0.number < $1.number }), at: span)
    }
    if let id = found.first { return .stored(id) }
    for these in all where given[these] == nil { given[these] = earlier ?? outcomes.count }
    return earlier.map(Outcome.earlier) ?? .new
  }

  private static func objects(
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
    return try fetch.bound(to: snapshot, environment).run().ids
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

/// The reason why `insert or fetch` or `insert or update` cannot find an object.
package enum InsertOrProblem: DiagnosticFacts {
  /// The statement gives no unique key.
  case noUniqueKey(String, unique: [[String]])
  case ofOtherEntity(ObjectID, wanted: String)
  case several([ObjectID])

  package var sentence: String {
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

  package var help: String? {
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
