package import KuraDiagnostics
import KuraModel
package import KuraPredicates
package import KuraValues

/// Checks names, types and literals of trees against a model, and converts literals to their types.
///
/// Problems are recorded with their place, and the check continues.
struct Checker {
  let state: CheckState
  /// The evaluated object at the root of paths.
  var root: Root
  /// The variable that names the evaluated object: `s` in `fetch Shop as $s`.
  var objectName: String?
  /// Whether values are computed for a few objects only, so that a nested fetch that sorts runs faster for each of them
  /// than for all.
  var isOfPage = false
  /// The types of the variables of enclosing subqueries and fetches.
  var scope: [String: CheckedType] = [:]
  /// Records which variables a nested fetch reads from outside.
  var outerUse: OuterUse?

  init(_ state: CheckState, _ root: Root) {
    self.state = state
    self.root = root
  }

  var context: CheckContext { _read { yield state.context } }
  var model: Model { _read { yield state.context.model } }
  var entity: String? { root.entity }
}

/// The evaluated object, as far as it is known.
enum Root {
  /// An object of an entity, or possibly of a descendant that only the data determines.
  case object(entity: String, mayBeNarrower: Bool)
  /// No object, as in `print`.
  case none
  /// An object of unknown entity.
  case unknown

  static func object(entity: String) -> Root { .object(entity: entity, mayBeNarrower: false) }

  var entity: String? { if case .object(let entity, _) = self { entity } else { nil } }

  var type: CheckedType { entity.map { .object(entity: $0) } ?? .any }
}

/// Records whether a nested fetch reads a variable of an enclosing subquery.
final class OuterUse {
  private let names: Set<String>
  private(set) var isUsed = false

  init(_ names: some Sequence<String>) { self.names = Set(names) }

  func note(_ name: String) { if names.contains(name) { isUsed = true } }
}

extension Checker {
  /// Returns the result of a step. If it throws, records the problem and returns an alternative.
  func recording<Answer>(
    _ other: @autoclosure () -> Answer, _ step: () throws(Diagnostic) -> Answer
  ) -> Answer {
    do { return try step() } catch {
      state.problems.append(error)
      return other()
    }
  }

  /// Returns the result of a step. If it throws, extends and records the problem, and returns an alternative.
  func recording<Answer>(
    _ other: @autoclosure () -> Answer, _ more: (Diagnostic) -> Diagnostic,
    _ step: () throws(Diagnostic) -> Answer
  ) -> Answer {
    do { return try step() } catch {
      state.problems.append(more(error))
      return other()
    }
  }

  /// Runs a step, and records its problem.
  func recording(_ step: () throws(Diagnostic) -> Void) { recording((), step) }
}

extension Checker {
  func checked(_ predicate: PredicateTree) -> PredicateTree {
    PredicateTree(predicate.descending { checked(predicate.kind) }, span: predicate.span)
  }

  private func checked(_ kind: PredicateTree.Kind) -> PredicateTree.Kind {
    switch kind {
    case .comparison(let comparison): .comparison(checked(comparison))
    case .not(let inner): .not(checked(inner))
    case .and(let parts): .and(parts.map { checked($0) })
    case .or(let parts): .or(parts.map { checked($0) })
    case .constant: kind
    case .truth(let expression): truth(of: expression)
    }
  }

  /// Checks a Boolean expression, or a named predicate, which is replaced by its content.
  private func truth(of expression: ExpressionTree) -> PredicateTree.Kind {
    checkIsPredicate(expression)
    let tree = checked(expression).tree
    if case .predicate(let named) = tree.kind { return named.kind }
    return .truth(tree)
  }

  func checked(_ sort: [SortTree]) -> [SortTree] {
    sort.map { key in
      var result = key
      let expression = checked(key.expression)
      checkSign(key.expression)
      warnOfQuotedKey(key.expression)
      if expression.type.isCollection {
        let end = SourceSpan(key.expression.span.end, key.expression.span.end)
        note(
          .sortNeedsValue(key.expression.expressionFormat), at: key.expression.span,
          fixIt: FixIt(end, ".@count"))
      }
      result.expression = expression.tree
      return result
    }
  }

  /// Checks a number or variable for `limit` and `offset`; a computed number is known only when the fetch runs.
  func checkedCount(_ expression: ExpressionTree?, _ clause: FetchCount) -> ExpressionTree? {
    guard let expression else { return nil }
    let checked = checked(expression).tree
    if case .constant(let constant) = checked.kind {
      recording { () throws(Diagnostic) in
        _ = try clause.count(constant.value, at: expression.span)
      }
    }
    return checked
  }

  func note(_ facts: CheckProblem, at span: SourceSpan, fixIt: FixIt? = nil) {
    state.problems.append(Diagnostic(facts, at: span, fixIt: fixIt))
  }
}

/// A clause with a number.
package enum FetchCount: String, Sendable {
  case limit, offset, batch

  /// Returns a value as a number, also from a text.
  package func count(_ value: Value, at span: SourceSpan) throws(Diagnostic) -> Int {
    let number: Int64? =
      switch value {
      case .integer(let number): number
      case .string(let text): Int64(text)
      case .null, .boolean, .double, .decimal, .date, .uuid, .uri, .binary, .list, .set,
        .dictionary, .object:
        nil
      }
    guard let number, number >= 0, let count = Int(exactly: number) else {
      throw Diagnostic(.badCount(clause: rawValue), at: span)
    }
    return count
  }
}

extension Checker {
  /// Returns a comparison with literals converted to the type they are compared with.
  ///
  /// After a problem, the sides are unchanged.
  func checked(_ comparison: Comparison) -> Comparison {
    var (left, right) = checkedSides(comparison)
    var result = comparison
    (result.left, result.right) = (left.tree, right.tree)
    let sides = (left, right)
    return recording(result, { offering($0, comparison, sides.0, sides.1) }) {
      () throws(Diagnostic) in
      try oneValues(&left, &right, comparison)
      try readMeanings(&left, &right, comparison)
      try checkShape(comparison, left.type, right.type)
      try checkText(comparison, left, right)
      let read = try literals(comparison, left, right)
      (left.tree, right.tree) = (read.left, read.right)
      warnIfNever(comparison, left, right)
      warnOfQuotedKeys(comparison)
      warnOfNullCollection(comparison)
      warnOfSignsInText(comparison)
      warnOfQuotedVariables(comparison)
      noteAttribute(in: read, left, right)
      return read
    }
  }

  /// Checks both sides. The meaning of an unknown word on one side is suggested by the other.
  private func checkedSides(
    _ comparison: Comparison
  ) -> (CheckedExpression, CheckedExpression) {
    let start = state.problems.count
    let left = checked(comparison.left)
    let middle = state.problems.count
    let right = checked(comparison.right)
    let end = state.problems.count
    if end > middle { offerValues(middle..<end, of: comparison.right, against: left, comparison) }
    if middle > start {
      offerValues(start..<middle, of: comparison.left, against: right, comparison)
      offerOptions(start..<middle, comparison)
    }
    return (left, right)
  }

  private func literals(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) throws(Diagnostic) -> Comparison {
    var result = comparison
    (result.left, result.right) = (left.tree, right.tree)
    if case .objectID = left.type.element {
      readNumber(right.tree, by: &result.left)
    } else if case .objectID = right.type.element {
      readNumber(left.tree, by: &result.right)
    } else {
      result.right = try literal(right, against: left, comparison)
      result.left = try literal(left, against: right, comparison)
    }
    return result
  }

  /// Checks that ANY and ALL have a collection, and that a collection is not compared with a value without them.
  private func checkShape(
    _ comparison: Comparison, _ left: CheckedType, _ right: CheckedType
  ) throws(Diagnostic) {
    switch (comparison.modifier, left) {
    case (.any, .collection), (.all, .collection), (.any, .any), (.all, .any), (.any, .literal),
      (.all, .literal), (.any, .attribute(.json)), (.all, .attribute(.json)):
      return
    case (.any, _), (.all, _):
      throw Diagnostic(
        .modifierNeedsCollection(comparison.left.expressionFormat), at: comparison.left.span)
    case (.direct, .collection)
    where comparison.comparesValues || comparison.comparesObject(right):
      throw Diagnostic(
        .collectionNeedsModifier(
          path: comparison.left.expressionFormat, operation: comparison.operation.text),
        at: comparison.left.span,
        fixIt: FixIt(SourceSpan(comparison.left.span.start, comparison.left.span.start), "ANY "))
    case (.direct, _): return
    }
  }

  /// Checks that LIKE, MATCHES, BEGINSWITH and ENDSWITH apply to text.
  private func checkText(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) throws(Diagnostic) {
    let type: AttributeType?
    switch (comparison.operation.family, left.type) {
    case (.part, _), (.pattern, _): type = left.type.literalType
    case (.content, .attribute(let attribute)): type = attribute
    default: return
    }
    guard let type, !type.holdsText else { return }
    throw Diagnostic(
      .operatorNeedsText(operation: comparison.operation.text, type: type),
      at: comparison.operationSpan == .none ? comparison.left.span : comparison.operationSpan)
  }
}

extension Comparison {
  /// Returns whether it is `tags == Tag/1`, which is never true because a collection is not an object.
  fileprivate func comparesObject(_ right: CheckedType) -> Bool {
    guard case .object = right else { return false }
    return operation.family == .equality
  }

  /// Whether the operator tests the left value itself, and not its content.
  fileprivate var comparesValues: Bool {
    operation.family == .equality ? right.isScalarLiteral : operation.wantsOneAtLeft
  }
}

extension ExpressionTree {
  /// Whether it is a literal such as `"x"`, `3` or `YES`, but not `nil` or a list.
  var isScalarLiteral: Bool {
    guard case .constant(let constant) = kind else { return false }
    switch constant.value {
    case .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary: return true
    case .null, .list, .set, .dictionary, .object: return false
    }
  }
}

// `today() - 30`: dates are not numbers; functions add and compare them
extension Checker {
  /// Warns about arithmetic with a date or a string, which fails for each object that has one, and suggests a function.
  ///
  /// Returns whether the call is such arithmetic.
  func warnOfOperands(
    in call: FunctionCall, _ arguments: [CheckedExpression], _ expression: ExpressionTree
  ) -> Bool {
    guard call.function?.isArithmetic == true,
      let odd = arguments.first(where: { $0.isDate || $0.isText })
    else { return false }
    // A part of the sum has been reported.
    if state.problems.last?.span?.start == expression.span.start { return true }
    let meant = odd.isDate ? meant(by: call, arguments) : joined(call, arguments)
    let name = text(odd.written)
    state.problems.append(
      Diagnostic(
        odd.isDate ? .dateArithmetic(name, meant: meant) : .textArithmetic(name),
        at: expression.span, fixIt: meant.map { FixIt(expression.span, $0) }, severity: .warning))
    return true
  }

  /// Returns `concat(title, ": ")` for a sum of two strings, or of one that is a part of a longer sum.
  private func joined(_ call: FunctionCall, _ arguments: [CheckedExpression]) -> String? {
    let parts = arguments.flatMap { $0.written.joinedTexts ?? [$0.written] }.map(text)
    let hasSigns = parts.contains { !$0.contains { $0.isLetter || $0.isNumber } }
    guard call.builtIn == .add, hasSigns || parts.count > 2 || arguments.allSatisfy(\.isText)
    else { return nil }
    return "concat(\(parts.joined(separator: ", ")))"
  }

  /// Returns `dateByAdding(date, -30, "day")` for `date - 30`, or `daysBetween(b, a)` for `a - b`.
  private func meant(by call: FunctionCall, _ arguments: [CheckedExpression]) -> String? {
    guard call.builtIn == .add || call.builtIn == .subtract, arguments.count == 2 else {
      return nil
    }
    let isLess = call.builtIn == .subtract
    let (first, second) = (arguments[0], arguments[1])
    let texts = arguments.map { self.text($0.written) }
    switch (first.isDate, second.isDate) {
    case (true, true): return isLess ? "daysBetween(\(texts[1]), \(texts[0]))" : nil
    case (true, false) where second.isCount:
      return moved(texts[0], by: isLess ? texts[1].negative : texts[1], second)
    case (false, true) where first.isCount && !isLess: return moved(texts[1], by: texts[0], first)
    default: return nil
    }
  }

  /// A literal number of whole hours in seconds, such as 86400 or 60 * 60, is meant as seconds, others as days.
  private func moved(_ date: String, by text: String, _ count: CheckedExpression) -> String {
    let number =
      count.tree.isComputedFromNumbers
      ? (try? count.tree.evaluate(on: .null, in: context.evaluation))?.approximateNumber : nil
    let isOfSeconds = number.map { $0 != 0 && $0.remainder(dividingBy: 3600) == 0 } ?? false
    return "dateByAdding(\(date), \(text), \"\(isOfSeconds ? "second" : "day")\")"
  }
}

extension CheckedExpression {
  fileprivate var isDate: Bool {
    switch type {
    case .date, .attribute(.date): true
    default: false
    }
  }

  fileprivate var isCount: Bool { type.isNumeric || tree.isNumberLiteral }

  fileprivate var isText: Bool {
    if case .constant(let constant) = written.kind, case .string(let text) = constant.value {
      return Double(text) == nil
    }
    return type == .string || type == .attribute(.string)
  }
}

extension ExpressionTree {
  /// The arguments of `concat`.
  fileprivate var joinedTexts: [ExpressionTree]? {
    if case .function(let call) = kind, call.builtIn == .concat { call.arguments } else { nil }
  }
}

extension String {
  /// The negative of an expression: `-30`, `-(a + b)`
  fileprivate var negative: String {
    allSatisfy { $0.isLetter || $0.isNumber || $0 == "." } ? "-" + self : "-(\(self))"
  }
}

extension Checker {
  /// Checks a fetch, which can use the variables of its surroundings.
  func checked(_ fetch: FetchTree, _ root: Root) -> CheckedFetch {
    var inside = self
    inside.root = root
    inside.isOfPage = false
    inside.objectName = fetch.objectName
    if let name = fetch.objectName { inside.scope[name] = root.type }
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
      offset: inside.checkedCount(fetch.offset, .offset), limit: limit,
      limitKeys: shape.limitKeys, batch: batch,
      selection: shape.selection, section: shape.section)
  }

  /// Checks `(fetch Item where done == NO)`: returns its value, or its type before the fetch has run.
  ///
  /// With an aggregate of its objects, the value can be the aggregate's.
  func checked(
    _ fetch: FetchTree, _ expression: ExpressionTree, aggregate: KeyPathTree? = nil
  ) -> (checked: CheckedExpression, isAggregate: Bool) {
    guard let known = state.known, state.met < known.count else {
      let nested = nested(fetch, aggregate)
      state.nested.append(nested)
      return (CheckedExpression(tree: expression, type: nested.type), false)
    }
    let found = known[state.met]
    state.met += 1
    // This fetch was checked earlier, perhaps with a model without the elements' entity. `root` adds it.
    if case .elements = fetch.source.kind { _ = root(of: fetch) }
    let tree = found.value.map { expression.with(.constant($0)) }
    return (CheckedExpression(tree: tree ?? expression, type: found.type), found.isAggregate)
  }

  private func nested(_ fetch: FetchTree, _ aggregate: KeyPathTree?) -> NestedFetch {
    var inner = self
    let use = OuterUse(scope.keys)
    inner.outerUse = use
    inner.root = .none
    inner.objectName = nil
    let (root, inSource) = nested(in: { inner.root(of: fetch) })
    var (checked, inClauses) = nested(in: { inner.checked(fetch, root) })
    if case .object(let entity, mayBeNarrower: true) = root, !model.descendants(of: entity).isEmpty
    {
      checked.entity = nil
    }
    if use.isUsed { scope.keys.forEach { outerUse?.note($0) } }
    return NestedFetch(
      fetch, checked.type(of: fetch.result), isOfElement: use.isUsed, aggregate: aggregate,
      InnerFetches(inSource: inSource, inClauses: inClauses))
  }

  /// Returns the result of a step, and the nested fetches that it finds.
  ///
  /// A nested fetch is checked again before it runs. So the findings that decide about warnings only together with data
  /// are recorded then, and not for the outer tree.
  private func nested<Answer>(in step: () -> Answer) -> (Answer, [NestedFetch]) {
    let outside = (state.nested, state.comparisons, state.readsJSON)
    state.nested = []
    defer { (state.nested, state.comparisons, state.readsJSON) = outside }
    return (step(), state.nested)
  }
}

extension CheckedFetch {
  /// Returns the type of the value of a fetch with these clauses.
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

// The source of a fetch
extension Checker {
  /// Returns the objects of a source, as far as the model and the values of variables determine them.
  func root(of fetch: FetchTree) -> Root {
    let source = fetch.source
    switch source.kind {
    case .entity(let name):
      guard model[name] == nil else { return .object(entity: name) }
      state.problems.append(unknownEntity(name, source.span))
      return .unknown
    case .elements(let entity, let path): return root(ofElements: entity, path, source.span)
    case .last:
      if let last = context.lastEntity, model[last] != nil { return .object(entity: last) }
      note(.noLastFetch, at: source.span)
      return .unknown
    case .objects(let tree): return root(ofObjects: tree, of: fetch)
    }
  }

  private func root(
    ofElements entity: String, _ keys: [KeyComponent], _ span: SourceSpan
  ) -> Root {
    let path = ElementPath(entity: entity, keys: keys)
    do throws(ElementPath.Problem) {
      _ = try path.steps(in: model)
    } catch {
      recordProblem(error, of: path, keys, span)
      return .unknown
    }
    if model[path.elementEntity] == nil, let known = context.elements?(path) {
      state.context.model = known
    }
    return model[path.elementEntity] == nil ? .unknown : .object(entity: path.elementEntity)
  }

  private func recordProblem(
    _ problem: ElementPath.Problem, of path: ElementPath, _ keys: [KeyComponent],
    _ span: SourceSpan
  ) {
    switch problem {
    case .unknownEntity:
      state.problems.append(unknownEntity(path.entity, span.first(path.entity.writtenName)))
    case .unknownKey(let place, let entity):
      state.problems.append(unknownKey(keys[place].name, entity, keys[place].span))
    case .singleValue:
      note(.pathNeedsCollection(path.elementEntity, entity: path.entity), at: span)
    }
  }

  private func root(ofObjects tree: ExpressionTree, of fetch: FetchTree) -> Root {
    if case .objectOrQuotient(let entity, let number) = tree.kind, model[entity] == nil {
      state.problems.append(unknownEntity(entity, fetch.source.span.withoutNumber(number)))
      return .unknown
    }
    let checked = checked(tree)
    if case .constant(let constant) = checked.tree.kind {
      return recording(.unknown) { () throws(Diagnostic) in
        .object(entity: try context.entity(of: constant.value, checked.type, tree, fetch))
      }
    }
    if checked.type.isOneValue, checked.type.entity == nil {
      state.problems.append(context.noObjects(tree, fetch))
    }
    guard let entity = checked.type.entity else { return .unknown }
    return .object(entity: entity, mayBeNarrower: true)
  }

  func unknownEntity(_ name: String, _ span: SourceSpan) -> Diagnostic {
    let known = model.entities.map(\.name)
    let near = known.filter { $0.isLoosely(name) } + nearNames(to: name, among: known)
    var problem = Diagnostic(.unknownEntity(name, known: known), at: span)
    problem.fixIts = near.unique.map { FixIt(span, $0.writtenName) }
    return problem
  }
}

extension SourceSpan {
  /// Returns the span of the name in `Item/3`.
  func withoutNumber(_ number: Int64) -> SourceSpan {
    self == .none ? self : SourceSpan(start, end - String(number).utf8.count - 1)
  }
}

extension Value {
  /// The objects that the value is or contains; nil if it contains anything else.
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
