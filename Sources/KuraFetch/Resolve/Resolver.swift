import KuraBytes
import KuraChecking
package import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
package import KuraValues

extension FetchTree {
  /// The request with its names and literals checked, and joined with the data that it is asked of.
  ///
  /// Throws at the first place that does not fit the model.
  package func bound(
    to snapshot: GraphSnapshot, _ environment: consuming FetchEnvironment
  ) throws(Diagnostic) -> BoundRequest {
    environment.snapshot = snapshot
    return try Resolver(snapshot, environment).request(self)
  }
}

/// Joins what is checked with data: what nested fetches give, objects by their names, counts.
struct Resolver {
  let snapshot: GraphSnapshot
  let shared: SharedEnvironment

  init(_ snapshot: GraphSnapshot, _ shared: SharedEnvironment) {
    self.snapshot = snapshot
    self.shared = shared
  }

  init(_ snapshot: GraphSnapshot, _ environment: FetchEnvironment) {
    self.init(snapshot, SharedEnvironment(environment, snapshot.graph.model))
  }

  var environment: FetchEnvironment { shared.environment }
  var context: CheckContext { shared.checking }
}

extension Resolver {
  func request(_ fetch: FetchTree) throws(Diagnostic) -> BoundRequest {
    try resolved(fetch, nil).request
  }

  /// A fetch, and what is known of its values; of one in another it is known which fetches are in it.
  private func resolved(
    _ fetch: FetchTree, _ nested: NestedFetch?
  ) throws(Diagnostic) -> (request: BoundRequest, type: CheckedType) {
    let source = try source(of: fetch, nested?.inSource)
    let checked = try checked(nested?.inClauses) { known in
      fetch.checked(in: context, of: source?.entity, knowing: known)
    }
    let tree = checked.namesObjects ? try withObjects(checked.tree) : checked.tree
    guard let source, let place = snapshot.graph.place(of: source.entity) else {
      throw Diagnostic(CheckFacts.unknownEntity(source?.entity ?? "", known: []))
    }
    if let predicate = tree.predicate {
      warnOfDays(in: predicate, place)
      warnOfTexts(in: predicate, place, of: source.entity)
    }
    try checkJSONAggregates(of: tree, source.entity)
    warnOfJSON(in: tree, of: source.entity)
    let limit = try count(tree.limit, .limit)
    _ = try count(tree.batch, .batch)
    let request = BoundRequest(
      snapshot: snapshot, entity: source.entity, place: place, rows: source.rows,
      includesSubentities: fetch.includesSubentities, predicate: tree.predicate, sort: tree.sort,
      offset: try count(tree.offset, .offset) ?? 0, limit: limit == 0 ? nil : limit,
      selection: tree.selection, section: tree.section, shared: shared)
    return (request, tree.type(of: fetch.result))
  }

  private func count(
    _ expression: ExpressionTree?, _ clause: FetchCount
  ) throws(Diagnostic) -> Int? {
    guard let expression else { return nil }
    if case .constant(let constant) = expression.kind {
      return try clause.count(constant.value, at: expression.span)
    }
    let value = try expression.evaluate(on: .null, in: environment.evaluation)
    return try clause.count(value, at: expression.span)
  }
}

extension Resolver {
  /// A tree that is checked, asked for what its nested fetches give, and checked with that.
  ///
  /// What is wrong by the model alone is said before anything runs. Of nested fetches that a check
  /// around this one has found, that has been said.
  func checked<Tree>(
    _ nested: [NestedFetch]?, _ check: ([KnownFetch]?) -> Checked<Tree>
  ) throws(Diagnostic) -> Checked<Tree> {
    var found = nested ?? []
    if nested == nil {
      let first = check(nil)
      _ = try first.sound()
      environment.warnings?.note(first.problems, in: environment.source)
      if first.nested.isEmpty { return first }
      found = first.nested
    }
    var known: [KnownFetch] = []
    for fetch in found { known.append(try asked(fetch)) }
    let again = check(known)
    _ = try again.sound()
    return again
  }

  private func asked(_ nested: NestedFetch) throws(Diagnostic) -> KnownFetch {
    if nested.isOfElement { return KnownFetch(nil, nested.type) }
    // One in another is bound and run inside the binding of that, as deep as they are written.
    return try DeepStack.run { () throws(Diagnostic) in
      let (request, type) = try resolved(nested.tree, nested)
      return KnownFetch(try request.value(nested.tree.result, at: nested.tree.span), type)
    }
  }

  /// An expression with the objects that it names.
  func resolved(
    _ expression: ExpressionTree, of entity: String? = nil, as type: AttributeType? = nil,
    _ nested: [NestedFetch]? = nil
  ) throws(Diagnostic) -> CheckedExpression {
    let checked = try checked(nested) { known in
      expression.checked(in: context, of: entity, as: type, knowing: known)
    }
    var resolved = checked.tree
    if checked.namesObjects { resolved.tree = try withObjects(resolved.tree) }
    return resolved
  }
}

extension ExpressionTree {
  /// The value of an expression outside a fetch, as in `print`, `let` and `insert`.
  ///
  /// With a type, a literal is read as it: a string as a date, digits as a decimal. Throws where a
  /// name is not known, a literal does not fit, or the evaluation fails, as arithmetic over nil
  /// does.
  package func value(
    in snapshot: GraphSnapshot, _ environment: FetchEnvironment, as type: AttributeType? = nil
  ) throws(Diagnostic) -> Value {
    var environment = environment
    environment.snapshot = snapshot
    let resolver = Resolver(snapshot, environment)
    let tree = try resolver.resolved(self, as: type).tree
    try resolver.checkIsThere(tree)
    return try tree.evaluate(on: .null, in: environment.evaluationOutsideFetch)
  }
}

/// Runs fetches that read a variable of a subquery around them, for each of its elements.
struct NestedFetches: FetchRunner {
  let snapshot: GraphSnapshot
  let environment: FetchEnvironment

  func value(
    of fetch: FetchTree, in context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    var environment = environment
    environment.variables = context.variables
    // What it asks has been said where it stands.
    environment.warnings = nil
    return try DeepStack.run { () throws(Diagnostic) in
      try fetch.bound(to: snapshot, environment).value(fetch.result, at: fetch.span)
    }
  }
}
