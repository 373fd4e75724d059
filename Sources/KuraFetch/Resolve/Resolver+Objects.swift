import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// What a fetch asks: all objects of an entity, or some of them.
struct ResolvedSource {
  let entity: String
  /// Ascending; nil: all.
  var rows: [UInt32]?
}

extension Resolver {
  /// `MemoDate`, `Item/3`, `$home.items`, `_`; nil where the model does not know it.
  func source(
    of fetch: FetchTree, _ nested: [NestedFetch]?
  ) throws(Diagnostic) -> ResolvedSource? {
    switch fetch.source.kind {
    case .entity(let name): return context.model[name] == nil ? nil : ResolvedSource(entity: name)
    case .last:
      guard let last = environment.lastFetch, context.model[last.entity] != nil else { return nil }
      return ResolvedSource(entity: last.entity, rows: last.rows(in: snapshot.graph))
    case .objects(let tree):
      if case .objectOrQuotient(let entity, _) = tree.kind, context.model[entity] == nil {
        return nil
      }
      let found = try objects(tree, fetch.source.span, nested)
      // Whether an object exists, and how many of it do, has an answer.
      if case .objectOrQuotient = tree.kind, found.rows?.isEmpty == true, fetch.result == .objects {
        throw Diagnostic(FetchFacts.missingSource(tree.expressionFormat), at: fetch.source.span)
      }
      return found
    }
  }

  private func objects(
    _ tree: ExpressionTree, _ span: SourceSpan, _ nested: [NestedFetch]?
  ) throws(Diagnostic) -> ResolvedSource {
    if let named = namedObject(tree) { return named }
    let resolved = try resolved(tree, nested)
    let value = try resolved.tree.evaluate(on: .null, in: environment.evaluation)
    let entity = try context.entity(of: value, resolved.type, tree, span)
    return ResolvedSource(entity: entity, rows: rows(of: value.identities ?? []))
  }

  /// The object that a name such as `MemoDate/17` stands for, if it is there: nothing else is to be
  /// checked of it.
  private func namedObject(_ tree: ExpressionTree) -> ResolvedSource? {
    guard case .objectOrQuotient(let entity, let number) = tree.kind,
      let place = snapshot.graph.place(of: entity),
      let row = snapshot.graph.row(of: number, inTable: place.table)
    else { return nil }
    let table = snapshot.graph.tables[place.table]
    return ResolvedSource(
      entity: table.layout.entities[table.entityCode(row)],
      rows: [UInt32(truncatingIfNeeded: row)])
  }

  /// The rows of the objects that are still there, ascending, each once.
  private func rows(of objects: [ObjectID]) -> [UInt32] {
    let found = objects.compactMap { snapshot.graph.find($0)?.row }
    return Set(found).sorted().map { UInt32(truncatingIfNeeded: $0) }
  }
}

// Objects that a text names
extension Resolver {
  func withObjects(_ tree: ExpressionTree) throws(Diagnostic) -> ExpressionTree {
    try tree.replacing { node throws(Diagnostic) in try withObject(node) }
  }

  private func withObjects(_ tree: PredicateTree) throws(Diagnostic) -> PredicateTree {
    try tree.replacing { node throws(Diagnostic) in try withObject(node) }
  }

  func withObjects(_ fetch: CheckedFetch) throws(Diagnostic) -> CheckedFetch {
    var fetch = fetch
    try fetch.replaceTrees(
      { tree throws(Diagnostic) in try withObjects(tree) },
      { tree throws(Diagnostic) in try withObjects(tree) })
    return fetch
  }

  /// The object itself for its name, if it is there; nil for other nodes.
  private func withObject(_ node: ExpressionTree) throws(Diagnostic) -> ExpressionTree? {
    if case .keyPath(let path) = node.kind, let base = path.base { try checkIsThere(base) }
    guard let id = node.namedObject, let found = snapshot.graph.find(id) else { return nil }
    let object = snapshot.object(table: found.table, row: found.row)
    return ExpressionTree(.constant(Constant(.object(ObjectReference(object)))), span: node.span)
  }

  /// `print MemoDate/99`, `MemoDate/99.title`: an object by its name must be there.
  func checkIsThere(_ tree: ExpressionTree) throws(Diagnostic) {
    guard let id = tree.namedObject, snapshot.graph.find(id) == nil else { return }
    throw Diagnostic(FetchFacts.missingObject(id), at: tree.span)
  }
}

extension ExpressionTree {
  fileprivate var namedObject: ObjectID? {
    guard case .constant(let constant) = kind, case .object(let reference) = constant.value,
      reference.reader is NamedObject
    else { return nil }
    return reference.id
  }
}
