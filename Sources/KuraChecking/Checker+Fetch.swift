package import KuraDiagnostics
import KuraModel
package import KuraPredicates
package import KuraValues

extension Checker {
  /// A fetch of objects; what variables around it stand for is known to it.
  func checked(_ fetch: FetchTree, _ root: Root) -> CheckedFetch {
    var inside = self
    inside.root = root
    let shape = inside.shape(of: fetch)
    let limit = inside.checkedCount(fetch.limit, .limit)
    let batch = inside.checkedCount(fetch.batch, .batch)
    let before = state.problems.count
    let predicate = fetch.predicate.map { inside.checked($0) }
    if state.problems.count > before {
      inside.offerClauses(before..<state.problems.count, of: fetch)
    }
    return CheckedFetch(
      entity: root.entity, predicate: predicate, sort: shape.sort,
      offset: inside.checkedCount(fetch.offset, .offset), limit: limit, batch: batch,
      selection: shape.selection, section: shape.section)
  }

  /// `(fetch Item where done == NO)`: its value, or what is known of that before it is asked.
  func checked(_ fetch: FetchTree, _ expression: ExpressionTree) -> CheckedExpression {
    guard let known = state.known, state.met < known.count else {
      let nested = nested(fetch)
      state.nested.append(nested)
      return CheckedExpression(tree: expression, type: nested.type)
    }
    let found = known[state.met]
    state.met += 1
    let tree = found.value.map { expression.with(.constant(Constant($0))) }
    return CheckedExpression(tree: tree ?? expression, type: found.type)
  }

  private func nested(_ fetch: FetchTree) -> NestedFetch {
    var inner = self
    let use = OuterUse(scope.keys)
    inner.outerUse = use
    inner.root = .none
    let (root, inSource) = nested(in: { inner.root(of: fetch.source) })
    var (checked, inClauses) = nested(in: { inner.checked(fetch, root) })
    if case .object(let entity, mayBeNarrower: true) = root, !model.descendants(of: entity).isEmpty
    {
      checked.entity = nil
    }
    if use.isUsed { scope.keys.forEach { outerUse?.note($0) } }
    return NestedFetch(
      fetch, checked.type(of: fetch.result), isOfElement: use.isUsed,
      InnerFetches(inSource: inSource, inClauses: inClauses))
  }

  /// What a step gives, and the fetches that it meets.
  private func nested<Answer>(in step: () -> Answer) -> (Answer, [NestedFetch]) {
    let outside = state.nested
    state.nested = []
    defer { state.nested = outside }
    return (step(), state.nested)
  }
}

extension CheckedFetch {
  /// What the value of a fetch with these clauses is.
  package func type(of result: FetchTree.Result) -> CheckedType {
    switch result {
    case .count: return .number
    case .exists: return .boolean
    case .objects: break
    }
    guard let selection else {
      return .collection(entity.map { .object(entity: $0) } ?? .any)
    }
    let column = selection.columns.count == 1 ? selection.columns[0].type : .any
    return selection.isOneRow ? column : column.collected
  }
}

// What a fetch is made from
extension Checker {
  /// Whose objects a source has, as far as the model and the values of variables say.
  func root(of source: FetchSource) -> Root {
    switch source.kind {
    case .entity(let name):
      guard model[name] == nil else { return .object(entity: name) }
      state.problems.append(unknownEntity(name, source.span))
      return .unknown
    case .last:
      if let last = context.lastEntity, model[last] != nil { return .object(entity: last) }
      note(.noLastFetch, at: source.span)
      return .unknown
    case .objects(let tree): return root(ofObjects: tree, source.span)
    }
  }

  private func root(ofObjects tree: ExpressionTree, _ span: SourceSpan) -> Root {
    if case .objectOrQuotient(let entity, let number) = tree.kind, model[entity] == nil {
      state.problems.append(unknownEntity(entity, span.withoutNumber(number)))
      return .unknown
    }
    let checked = checked(tree)
    if case .constant(let constant) = checked.tree.kind {
      return noting(.unknown) { () throws(Diagnostic) in
        .object(entity: try context.entity(of: constant.value, checked.type, tree, span))
      }
    }
    if checked.type.isOneValue, checked.type.entity == nil {
      note(.noObjects(tree.expressionFormat), at: span)
    }
    guard let entity = checked.type.entity else { return .unknown }
    return .object(entity: entity, mayBeNarrower: true)
  }

  func unknownEntity(_ name: String, _ span: SourceSpan) -> Diagnostic {
    let known = model.entities.map(\.name)
    let near = known.filter { $0.isLoosely(name) } + nearNames(to: name, among: known)
    var problem = Diagnostic(CheckFacts.unknownEntity(name, known: known), at: span)
    problem.fixIts = near.unique.map { FixIt(span, $0.writtenName) }
    return problem
  }
}

extension SourceSpan {
  /// The name in `Item/3`.
  func withoutNumber(_ number: Int64) -> SourceSpan {
    self == .none ? self : SourceSpan(start, end - String(number).utf8.count - 1)
  }
}

extension CheckContext {
  /// The entity nearest to all objects of a value; of an empty one what is known of it.
  package func entity(
    of value: Value, _ type: CheckedType, _ written: ExpressionTree, _ span: SourceSpan
  ) throws(Diagnostic) -> String {
    guard let objects = value.identities else {
      throw Diagnostic(CheckFacts.noObjects(written.expressionFormat), at: span)
    }
    guard let entity = commonEntity(of: objects) ?? type.entity ?? knownEntity(of: written) else {
      throw Diagnostic(CheckFacts.emptySource(written.expressionFormat), at: span)
    }
    return entity
  }

  /// What `let` has noted of a variable.
  private func knownEntity(of tree: ExpressionTree) -> String? {
    if case .variable(let name) = tree.kind { entities[name] } else { nil }
  }

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
  package var identities: [ObjectID]? {
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
