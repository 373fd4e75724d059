import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// What a fetch asks: all objects of an entity, or some of them.
struct BoundSource {
  let entity: String
  /// Ascending; nil: all.
  var rows: [UInt32]?
}

extension Binder {
  /// `MemoDate`, `Item/3`, `$home.items`, `_`; whether there is such an entity its place tells.
  func source(_ source: FetchSource) throws(Diagnostic) -> BoundSource {
    switch source.kind {
    case .entity(let name): return BoundSource(entity: name)
    case .last:
      guard let last = environment.lastFetch, model[last.entity] != nil else {
        throw Diagnostic(BindFacts.noLastFetch, at: source.span)
      }
      return BoundSource(entity: last.entity, rows: last.rows(in: snapshot.graph))
    case .objects(let tree): return try objects(tree, source.span)
    }
  }

  private func objects(
    _ tree: ExpressionTree, _ span: SourceSpan
  ) throws(Diagnostic) -> BoundSource {
    if case .objectOrQuotient(let entity, _) = tree.kind, model[entity] == nil {
      throw unknownEntity(entity, span)
    }
    let bound = try bound(tree)
    let value = try bound.tree.evaluate(on: .null, in: environment.evaluation)
    guard let objects = value.identities else {
      throw Diagnostic(BindFacts.noObjects(tree.expressionFormat), at: span)
    }
    guard let entity = commonEntity(of: objects) ?? bound.type.entity ?? knownEntity(of: tree)
    else { throw Diagnostic(BindFacts.emptySource(tree.expressionFormat), at: span) }
    let rows = rows(of: objects)
    if case .objectOrQuotient = tree.kind, rows.isEmpty {
      throw Diagnostic(BindFacts.missingObject(tree.expressionFormat), at: span)
    }
    return BoundSource(entity: entity, rows: rows)
  }

  /// What `let` has noted of a variable.
  private func knownEntity(of tree: ExpressionTree) -> String? {
    if case .variable(let name) = tree.kind { environment.entities[name] } else { nil }
  }

  /// The rows of the objects that are still there, ascending, each once.
  private func rows(of objects: [ObjectID]) -> [UInt32] {
    let found = objects.compactMap { snapshot.graph.find($0)?.row }
    return Set(found).sorted().map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The entity nearest to the objects that is an ancestor of each, or theirs.
  private func commonEntity(of objects: [ObjectID]) -> String? {
    let entities = Set(objects.map(\.entity))
    guard let first = entities.first else { return nil }
    return ([first] + model.ancestors(of: first)).first { candidate in
      entities.allSatisfy { $0 == candidate || model.ancestors(of: $0).contains(candidate) }
    }
  }
}

extension Value {
  /// The objects that it is or holds; nil if there is anything else in it.
  fileprivate var identities: [ObjectID]? {
    switch self {
    case .null: return []
    case .object(let object): return object.id.map { [$0] }
    case .list(let values): return Value.identities(of: values)
    case .set(let values): return Value.identities(of: values.elements)
    case .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary, .dictionary:
      return nil
    }
  }

  private static func identities(of values: [Value]) -> [ObjectID]? {
    var result: [ObjectID] = []
    for value in values where !value.isNull {
      guard case .object(let object) = value, let id = object.id else { return nil }
      result.append(id)
    }
    return result
  }
}
