import KuraBytes
import KuraChecking
package import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

extension FetchTree {
  /// Returns the request with names and literals checked, combined with data.
  ///
  /// Throws the first mismatch with the model.
  package func bound(
    to snapshot: GraphSnapshot, _ environment: consuming FetchEnvironment
  ) throws(Diagnostic) -> BoundRequest {
    environment.snapshot = snapshot
    return try Resolver(snapshot, environment).request(self)
  }
}

/// Combines checked trees with data: results of nested fetches, named objects, counts.
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

  /// Resolves a fetch and the type of its value; `nested` lists the fetches inside if known.
  private func resolved(
    _ fetch: FetchTree, _ nested: NestedFetch?
  ) throws(Diagnostic) -> (request: BoundRequest, type: CheckedType) {
    if fetch.objectName != environment.objectName {
      var environment = environment
      environment.objectName = fetch.objectName
      return try Resolver(snapshot, environment).resolved(fetch, nested)
    }
    if case .elements(let entity, let keys) = fetch.source.kind {
      let path = ElementPath(entity: entity, keys: keys)
      if let inside = inside(path, keys) {
        var rows = fetch
        rows.source.kind = .entity(path.elementEntity)
        return try inside.resolved(rows, nil)
      }
    }
    let source = try source(of: fetch, nested?.inSource)
    let checked = try checked(nested?.inClauses) { known in
      fetch.checked(in: context, of: source?.entity, knowing: known)
    }
    let tree = checked.namesObjects ? try withObjects(checked.tree) : checked.tree
    guard let source, let place = snapshot.graph.place(of: source.entity) else {
      throw Diagnostic(
        CheckProblem.unknownEntity(source?.entity ?? fetch.source.written, known: []))
    }
    warn(of: checked.comparisons)
    if checked.readsJSON {
      try checkJSONAggregates(of: tree, source.entity)
    }
    let isOfMixedKinds = checked.readsJSON || snapshot.graph.isOfElements(source.entity)
    let shared = isOfMixedKinds ? shared : shared.ofStrictKinds
    let limit = try count(tree.limit, .limit)
    _ = try count(tree.batch, .batch)
    let request = BoundRequest(
      snapshot: snapshot, entity: source.entity, place: place, rows: source.rows,
      includesSubentities: fetch.includesSubentities, predicate: tree.predicate, sort: tree.sort,
      offset: try count(tree.offset, .offset) ?? 0, limit: limit == 0 ? nil : limit,
      limitKeys: tree.limitKeys,
      selection: tree.selection, section: tree.section, shared: shared)
    if checked.readsJSON { warnOfJSON(in: request) }
    return (request, tree.type(of: fetch.result))
  }

  /// Returns a resolver with a table of the elements at a path; nil if the path leads to none.
  private func inside(_ path: ElementPath, _ keys: [KeyComponent]) -> Resolver? {
    guard let with = try? environment.elements?.snapshot(snapshot, with: path) else { return nil }
    var environment = environment
    environment.snapshot = with
    if with.graph.objectCount(of: path.elementEntity) == 0 {
      let reader = JSONPathReader(graph: snapshot.graph, entity: path.entity)
      let tree = ExpressionTree(.keyPath(KeyPathTree(keys))).checked(in: context, of: path.entity)
      environment.warnings?.note(
        reader.problems(.expression(tree.tree.tree), in: [:]), in: environment.source)
    }
    return Resolver(with, environment)
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
  /// Checks a tree, runs its nested fetches, and checks it again with their results.
  ///
  /// Errors against the model are thrown before a fetch runs. Nested fetches that an outer check found are checked
  /// already.
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
    for fetch in found { known.append(try result(of: fetch)) }
    let again = check(known)
    _ = try again.sound()
    return again
  }

  private func result(of nested: NestedFetch) throws(Diagnostic) -> KnownFetch {
    if nested.isOfElement { return KnownFetch(nil, nested.type) }
    // Nested fetches are bound and run recursively, as deep as they are written.
    return try DeepStack.run { () throws(Diagnostic) in
      let (request, type) = try resolved(nested.tree, nested)
      if let aggregate = nested.aggregate, nested.tree.result == .objects,
        let value = try request.value(ofAggregate: aggregate)
      {
        return KnownFetch(Constant(value), type, isAggregate: true)
      }
      return KnownFetch(try request.constant(nested.tree.result, at: nested.tree.span), type)
    }
  }

  /// Returns an expression with the objects that it names.
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
  /// Returns the value of an expression outside a fetch, as in `print`, `let` and `insert`.
  ///
  /// With a type, a literal is read as that type: a string as a date, digits as a decimal. Throws if a name is unknown,
  /// a literal does not fit, or the evaluation fails, such as for arithmetic with nil.
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

/// Runs fetches that read a variable of an enclosing subquery or fetch, for each of its objects.
struct NestedFetches: FetchRunner {
  let snapshot: GraphSnapshot
  let environment: FetchEnvironment

  func value(
    of fetch: FetchTree, in context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    var environment = environment
    (environment.variables, environment.elementVariables) =
      (context.variables, context.elementVariables)
    // Its warnings have already been reported.
    environment.warnings = nil
    return try DeepStack.run { () throws(Diagnostic) in
      try fetch.bound(to: snapshot, environment).value(fetch.result, at: fetch.span)
    }
  }
}

/// Warnings about JSON attributes that depend on data: a path crosses lists, which are not single values, or no object
/// has a key.
extension Resolver {
  /// Warns of `lines.qty > 5` if `lines` are lists, which should probably be `ANY lines.qty > 5`; and of `payload.usr`
  /// if no payload has that key.
  func warnOfJSON(in request: BoundRequest) {
    guard let warnings = environment.warnings else { return }
    let reader = JSONPathReader(graph: snapshot.graph, entity: request.entity)
    for node in request.trees {
      warnings.note(reader.problems(node, in: [:]), in: environment.source)
    }
  }
}

extension Resolver {
  /// Throws at `sum(lines.price)` if `lines` are lists: the sum per object is `lines.@sum.price`.
  func checkJSONAggregates(of fetch: CheckedFetch, _ entity: String) throws(Diagnostic) {
    guard let aggregates = fetch.selection?.grouping?.aggregates else { return }
    let reader = JSONPathReader(graph: snapshot.graph, entity: entity)
    for aggregate in aggregates where aggregate.needsNumbersOrTexts {
      guard reader.reached(aggregate.argument, [:])?.isList == true else { continue }
      let path = aggregate.argument.expressionFormat
      let each = aggregate.argument.reading(
        by: aggregate.function, aggregate.span,
        endsInList: aggregate.argument.withoutLastKey.flatMap { reader.reached($0, [:]) }?.isList
          != true)
      throw Diagnostic(
        CheckProblem.aggregateNeedsValue(
          aggregate.function.names[0], path, each: each?.replacement),
        at: aggregate.span, fixIt: each.map { FixIt(edits: [$0]) })
    }
  }
}

extension ExpressionTree {
  /// The path to the value that has the last key; nil for other expressions.
  fileprivate var withoutLastKey: ExpressionTree? {
    guard case .keyPath(var path) = kind, path.components.count > 1 else { return nil }
    path.components.removeLast()
    return ExpressionTree(.keyPath(path))
  }
}

extension CheckedAggregate {
  fileprivate var needsNumbersOrTexts: Bool {
    function.operands == .list(of: .number) || parameter != nil
  }
}

extension JSONPathReader {
  fileprivate func problems(_ node: TreeNode, in scope: Scope) -> [Diagnostic] {
    var scope = scope
    var found = here(node, scope)
    if case .expression(let tree) = node {
      switch tree.kind {
      case .subquery(let collection, let variable, _), .mapped(let collection, let variable, _):
        scope[variable] = element(of: collection, scope)
      default: break
      }
    }
    node.descending {
      node.forEachChild { child, _ in found += problems(child, in: scope) }
    }
    return found
  }

  private func here(_ node: TreeNode, _ scope: Scope) -> [Diagnostic] {
    switch node {
    case .expression(let tree):
      guard case .keyPath(let path) = tree.kind else { return [] }
      return missingKey(path, scope).map { [$0] } ?? []
    case .predicate(let tree):
      guard case .comparison(let comparison) = tree.kind,
        let reached = reached(comparison.left, scope)
      else { return [] }
      if comparison.asksForOneValue, reached.isList {
        return [comparison.warning(of: comparison.left.expressionFormat)]
      }
      return comparison.problemOfKind(reached.shape).map { [$0] } ?? []
    }
  }

  /// Returns a warning for a key that no object has, if a similar key exists or all values were read.
  private func missingKey(_ path: KeyPathTree, _ scope: Scope) -> Diagnostic? {
    guard let (start, rest) = start(path, scope) else { return nil }
    var shape = start.shape
    for component in rest {
      // Another operator applies to the keys after it: `lines.@sum.qty`.
      if component.kind == .collectionOperator, !component.isOfAllValues { continue }
      // For a list, `self` means the elements: `@sum.self`. Texts and lists have a length.
      if ["self", "length", "count"].contains(component.name) { return nil }
      guard let next = component.shape(in: shape) else {
        return component.kind == .key ? missing(component, of: shape, start) : nil
      }
      shape = next
    }
    return nil
  }

  private func missing(
    _ key: KeyComponent, of shape: JSONShape, _ start: Reached
  ) -> Diagnostic? {
    let near = nearNames(to: key.name, among: shape.keys)
    guard !shape.keys.isEmpty, !near.isEmpty || start.isWhole else { return nil }
    var problem = Diagnostic(
      FetchWarnings.noKeyInJSON(key.name, looked: start.shape.rows, known: shape.keys),
      at: key.span, severity: .warning)
    problem.fixIts = near.map { FixIt(key.span, $0.writtenName) }
    return problem
  }
}

extension Comparison {
  /// Whether it requires a single value, not a list.
  fileprivate var asksForOneValue: Bool {
    guard modifier == .direct else { return false }
    switch operation {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
      if case .constant(let constant) = right.kind {
        return !constant.value.isNull && constant.value.elements == nil
      }
      return false
    case .in:
      guard case .aggregate(let parts) = right.kind else { return false }
      return parts.allSatisfy { part in
        if case .constant(let constant) = part.kind {
          constant.value.elements == nil
        } else {
          false
        }
      }
    // Text operators fail for a list, with an error.
    default: return false
    }
  }

  fileprivate func warning(of path: String) -> Diagnostic {
    let start = left.span.start
    return Diagnostic(
      NeverTrueReason.listsAreNotOne(path, operation: operation.text),
      at: left.span.joined(right.span), fixIt: FixIt(SourceSpan(start, start), "ANY "),
      severity: .warning)
  }
}

/// The source of a fetch: all objects of an entity, or some of them.
struct ResolvedSource {
  let entity: String
  /// The rows in ascending order; nil for all.
  var rows: [UInt32]?
}

extension Resolver {
  /// Resolves `MemoDate`, `Item/3`, `$home.items`, `_`; returns nil if the name is not in the model.
  func source(
    of fetch: FetchTree, _ nested: [NestedFetch]?
  ) throws(Diagnostic) -> ResolvedSource? {
    switch fetch.source.kind {
    case .entity(let name): return context.model[name] == nil ? nil : ResolvedSource(entity: name)
    case .elements: return nil
    case .last:
      guard let last = environment.lastFetch, context.model[last.entity] != nil else { return nil }
      return ResolvedSource(entity: last.entity, rows: last.rows(in: snapshot.graph))
    case .objects(let tree):
      if case .objectOrQuotient(let entity, _) = tree.kind, context.model[entity] == nil {
        return nil
      }
      let found = try objects(tree, of: fetch, nested)
      // `exists` and `count` have an answer for a missing object.
      if case .objectOrQuotient = tree.kind, found.rows?.isEmpty == true, fetch.result == .objects {
        throw Diagnostic(FetchProblem.missingSource(tree.expressionFormat), at: fetch.source.span)
      }
      return found
    }
  }

  private func objects(
    _ tree: ExpressionTree, of fetch: FetchTree, _ nested: [NestedFetch]?
  ) throws(Diagnostic) -> ResolvedSource {
    if let named = namedObject(tree) { return named }
    let resolved = try resolved(tree, nested)
    if let linked = linkedObjects(resolved) { return linked }
    let value = try resolved.tree.evaluate(on: .null, in: environment.evaluation)
    let entity = try context.entity(of: value, resolved.type, tree, fetch)
    return ResolvedSource(entity: entity, rows: rows(of: value.identities ?? []))
  }

  /// Returns the objects at the end of `Category/2.items` without making them values; nil for other expressions, and for
  /// an empty collection.
  private func linkedObjects(_ tree: CheckedExpression) -> ResolvedSource? {
    guard case .keyPath(let path) = tree.tree.kind, path.hasKeysOnly,
      case .constant(let constant)? = path.base?.kind, case .object(let object) = constant.value,
      let found = object.id.flatMap({ snapshot.graph.find($0) })
    else { return nil }
    var objects: (any FoundObjects)? = FetchedObjects(
      FetchResult(
        snapshot: snapshot, entity: "", table: found.table,
        rows: [UInt32(truncatingIfNeeded: found.row)]))
    for component in path.components {
      guard !component.asksSize else { return nil }
      objects = objects?.objects(at: component.name)
    }
    guard let result = (objects as? FetchedObjects)?.result, result.count > 0 else { return nil }
    let table = snapshot.graph.tables[result.table]
    let entities = Set(table.entityCodes(of: result.rows).map { table.layout.entities[$0] })
    return context.commonEntity(of: entities).map {
      ResolvedSource(entity: $0, rows: Set(result.rows).sorted())
    }
  }

  /// Returns the object of a name such as `MemoDate/17`, if it exists; it needs no other check.
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

  /// Returns the rows of the objects that still exist, ascending and distinct.
  private func rows(of objects: [ObjectID]) -> [UInt32] {
    let found = objects.compactMap { snapshot.graph.find($0)?.row }
    return Set(found).sorted().map { UInt32(truncatingIfNeeded: $0) }
  }
}

// Named objects
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

  /// Returns the object for its name, if it exists; nil for other nodes.
  private func withObject(_ node: ExpressionTree) throws(Diagnostic) -> ExpressionTree? {
    if case .keyPath(let path) = node.kind, let base = path.base { try checkIsThere(base) }
    guard let id = node.namedObject, let found = snapshot.graph.find(id) else { return nil }
    let object = snapshot.object(table: found.table, row: found.row)
    return ExpressionTree(.constant(Constant(.object(ObjectReference(object)))), span: node.span)
  }

  /// Throws if an object named as in `print MemoDate/99`, `MemoDate/99.title` does not exist.
  func checkIsThere(_ tree: ExpressionTree) throws(Diagnostic) {
    guard let id = tree.namedObject, snapshot.graph.find(id) == nil else { return }
    throw Diagnostic(FetchProblem.missingObject(id), at: tree.span)
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

// Warnings about comparisons with JSON that depend on data: values are numbers and the literal is a text, or vice
// versa.
extension Comparison {
  /// Returns the warning of `ANY lines.qty > "3"` if all are numbers, and of `zip == 1000001` if all are texts.
  func problemOfKind(_ shape: JSONShape) -> Diagnostic? {
    guard operation == .equal || operation.family == .order,
      case .constant(let constant) = right.kind
    else { return nil }
    let path = left.expressionFormat
    switch constant.value {
    case .string(let text) where shape.isNumbers:
      return warning(
        .numbersInJSON(path, found: right.expressionFormat),
        NumberText.number(text) == nil ? nil : text)
    case .integer, .double, .decimal:
      guard shape.isTexts else { return nil }
      let digits = constant.digits ?? right.expressionFormat
      return warning(.textsInJSON(path, found: digits), "\"\(digits)\"")
    default: return nil
    }
  }

  private func warning(_ facts: FetchWarnings, _ meant: String?) -> Diagnostic {
    Diagnostic(
      facts, at: left.span.joined(right.span), fixIt: meant.map { FixIt(right.span, $0) },
      severity: .warning)
  }
}

/// Warnings about a valid fetch that depend on data.
enum FetchWarnings: DiagnosticFacts {
  /// `timeStamp == "2010-07-20"`, if values have a time of day
  case dayOfMoments(String, day: String)
  /// `payload.usr`, if none of `looked` objects has that key
  case noKeyInJSON(String, looked: Int, known: [String])

  /// `date >= "yesterday"`, if texts such as `2010-07-20` are stored
  case datesAsTexts(Attribute, entity: String, example: String, found: String, isDate: Bool)
  /// `title >= today()`: texts are never a date
  case textsAndDate(String, found: String)
  /// `ANY lines.qty > "3"`, if values are numbers
  case numbersInJSON(String, found: String)
  /// `zip == 1000001`, if values are texts
  case textsInJSON(String, found: String)

  var sentence: String {
    switch self {
    case .dayOfMoments(let key, let day):
      localized(
        "the values of \"\(key)\" include a time, but \(day) means only the start of that day"
      )
    case .noKeyInJSON(let key, 1, _): localized("this JSON has no key \"\(key)\"")
    case .noKeyInJSON(let key, let looked, _):
      localized("this JSON has no key \"\(key)\" in any of the \(looked) values checked")
    case .datesAsTexts(let attribute, _, let example, let found, false):
      localized(
        "the values of \"\(attribute.name)\" are strings, such as \"\(example)\", so \(found) is compared as a string"
      )
    case .datesAsTexts(let attribute, _, let example, let found, true):
      localized(
        "the values of \"\(attribute.name)\" are strings, such as \"\(example)\", and never equal the date \(found)"
      )
    case .textsAndDate(let key, let found):
      localized(
        "the values of \"\(key)\" are strings and never equal the date \(found)")
    case .numbersInJSON(let path, let found):
      localized("the values of \"\(path)\" are numbers, but \(found) is a string")
    case .textsInJSON(let path, let found):
      localized("the values of \"\(path)\" are strings, but \(found) is a number")
    }
  }

  var help: String? {
    switch self {
    case .dayOfMoments(let key, let day):
      localized("for the whole day, write startOfDay(\(key)) == \(day)")
    case .noKeyInJSON(let key, _, let known):
      didYouMean(nearNames(to: key, among: known)) ?? localized("its keys are \(known.list)")
    case .datesAsTexts(let attribute, let entity, _, _, _):
      localized(
        "convert them to dates: alter entity \(entity.writtenName) change \(attribute.name.writtenName): \(attribute.isOptional ? "date?" : "date")"
      )
    case .textsAndDate, .numbersInJSON, .textsInJSON: nil
    }
  }
}
