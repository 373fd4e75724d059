package import KuraDiagnostics
import KuraModel
package import KuraPredicates
package import KuraValues

/// Checks names, types and literals of trees against a model, and reads literals as their types.
///
/// What is wrong is noted with its place, and the check goes on with what is still known.
struct Checker {
  let state: CheckState
  /// What stands at the root of a path.
  var root: Root
  /// What the variables of the subqueries around stand for.
  var scope: [String: CheckedType] = [:]
  /// Which of the variables around a fetch in brackets it reads.
  var outerUse: OuterUse?

  init(_ state: CheckState, _ root: Root) {
    self.state = state
    self.root = root
  }

  var context: CheckContext { _read { yield state.context } }
  var model: Model { _read { yield state.context.model } }
  var entity: String? { root.entity }
}

/// The object that is evaluated, as far as a check knows it.
enum Root {
  /// An object of an entity, or of one of its descendants that the data may know.
  case object(entity: String, mayBeNarrower: Bool)
  /// No object, as in `print`.
  case none
  /// An object of which nothing is known.
  case unknown

  static func object(entity: String) -> Root { .object(entity: entity, mayBeNarrower: false) }

  var entity: String? { if case .object(let entity, _) = self { entity } else { nil } }

  var type: CheckedType { entity.map { .object(entity: $0) } ?? .any }
}

/// Notes whether a fetch in brackets reads a variable of a subquery around it.
final class OuterUse {
  private let names: Set<String>
  private(set) var isUsed = false

  init(_ names: some Sequence<String>) { self.names = Set(names) }

  func note(_ name: String) { if names.contains(name) { isUsed = true } }
}

extension Checker {
  /// What a step gives or, where it finds a problem, something else to go on with.
  func noting<Answer>(
    _ other: @autoclosure () -> Answer, _ step: () throws(Diagnostic) -> Answer
  ) -> Answer {
    do { return try step() } catch {
      state.problems.append(error)
      return other()
    }
  }

  /// The same, where more is to be said of the problem.
  func noting<Answer>(
    _ other: @autoclosure () -> Answer, _ more: (Diagnostic) -> Diagnostic,
    _ step: () throws(Diagnostic) -> Answer
  ) -> Answer {
    do { return try step() } catch {
      state.problems.append(more(error))
      return other()
    }
  }

  /// Notes the problem that a step finds.
  func noting(_ step: () throws(Diagnostic) -> Void) { noting((), step) }
}

extension Checker {
  /// A predicate with everything in it checked.
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

  /// A boolean, or a named predicate, which is what it says.
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

  /// A number or a variable, for `limit` and `offset`; what is computed is known when it is run.
  func checkedCount(_ expression: ExpressionTree?, _ clause: FetchCount) -> ExpressionTree? {
    guard let expression else { return nil }
    let checked = checked(expression).tree
    if case .constant(let constant) = checked.kind {
      noting { () throws(Diagnostic) in
        _ = try clause.count(constant.value, at: expression.span)
      }
    }
    return checked
  }

  func note(_ facts: CheckFacts, at span: SourceSpan, fixIt: FixIt? = nil) {
    state.problems.append(Diagnostic(facts, at: span, fixIt: fixIt))
  }
}

/// A clause that takes a number.
package enum FetchCount: String, Sendable {
  case limit, offset, batch

  /// The number that a value is, also one in a text.
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
      throw Diagnostic(CheckFacts.badCount(clause: rawValue), at: span)
    }
    return count
  }
}

extension Checker {
  /// A comparison: its literals are read as the type they stand against.
  ///
  /// Of one with a problem the sides are left as they are.
  func checked(_ comparison: Comparison) -> Comparison {
    var (left, right) = checkedSides(comparison)
    var result = comparison
    (result.left, result.right) = (left.tree, right.tree)
    let sides = (left, right)
    return noting(result, { offering($0, comparison, sides.0, sides.1) }) { () throws(Diagnostic) in
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
      return read
    }
  }

  /// Both sides; of a word that is no key on one of them the other says what it may mean.
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

  /// ANY and ALL want a collection; without them a collection is not compared with a value.
  private func checkShape(
    _ comparison: Comparison, _ left: CheckedType, _ right: CheckedType
  ) throws(Diagnostic) {
    switch (comparison.modifier, left) {
    case (.any, .collection), (.all, .collection), (.any, .any), (.all, .any), (.any, .literal),
      (.all, .literal), (.any, .attribute(.json)), (.all, .attribute(.json)):
      return
    case (.any, _), (.all, _):
      throw Diagnostic(
        CheckFacts.modifierNeedsCollection(comparison.left.expressionFormat),
        at: comparison.left.span)
    case (.direct, .collection)
    where comparison.comparesValues || comparison.comparesObject(right):
      throw Diagnostic(
        CheckFacts.collectionNeedsModifier(
          path: comparison.left.expressionFormat, operation: comparison.operation.text),
        at: comparison.left.span,
        fixIt: FixIt(SourceSpan(comparison.left.span.start, comparison.left.span.start), "ANY "))
    case (.direct, _): return
    }
  }

  /// LIKE, MATCHES, BEGINSWITH and ENDSWITH are asked of text.
  private func checkText(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) throws(Diagnostic) {
    switch comparison.operation {
    case .like, .matches, .beginsWith, .endsWith:
      guard let type = left.type.literalType, !type.holdsText else { return }
      throw Diagnostic(
        CheckFacts.operatorNeedsText(operation: comparison.operation.text, type: type),
        at: comparison.operationSpan == .none ? comparison.left.span : comparison.operationSpan)
    case .contains:
      guard case .attribute(let type) = left.type, !type.holdsText else { return }
      throw Diagnostic(
        CheckFacts.operatorNeedsText(operation: comparison.operation.text, type: type),
        at: comparison.operationSpan == .none ? comparison.left.span : comparison.operationSpan)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between,
      .selector, .unsupported:
      return
    }
  }
}

extension Comparison {
  /// `tags == Tag/1`, which is true of nothing: many are not one.
  fileprivate func comparesObject(_ right: CheckedType) -> Bool {
    guard case .object = right else { return false }
    return operation == .equal || operation == .notEqual
  }

  /// Whether the operator asks about the left value itself, not about what it contains.
  fileprivate var comparesValues: Bool {
    switch operation {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .like, .matches, .beginsWith,
      .endsWith:
      true
    case .equal, .notEqual: right.isScalarLiteral
    case .contains, .in, .selector, .unsupported: false
    }
  }
}

extension ExpressionTree {
  /// `"x"`, `3`, `YES`; not `nil`, not a list
  var isScalarLiteral: Bool {
    guard case .constant(let constant) = kind else { return false }
    switch constant.value {
    case .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary: return true
    case .null, .list, .set, .dictionary, .object: return false
    }
  }
}

// `today() - 30`, which is no number: moments are moved and held apart by functions.
extension Checker {
  /// Says of arithmetic with a date what is meant; it fails for each object that has one.
  ///
  /// Gives whether it is such.
  func warnOfDates(
    in call: FunctionCall, _ arguments: [CheckedExpression], _ expression: ExpressionTree
  ) -> Bool {
    guard call.function?.isArithmetic == true,
      let date = arguments.first(where: \.isDate)?.written
    else { return false }
    let fix = meant(by: call, arguments).map { FixIt(expression.span, $0) }
    state.problems.append(
      Diagnostic(
        CheckFacts.dateArithmetic(text(date), meant: fix?.replacement(in: context.source)),
        at: expression.span, fixIt: fix, severity: .warning))
    return true
  }

  /// `dateByAdding(date, -30, "day")` for `date - 30`, `daysBetween(b, a)` for `a - b`.
  private func meant(by call: FunctionCall, _ arguments: [CheckedExpression]) -> String? {
    guard call.function == .add || call.function == .subtract, arguments.count == 2 else {
      return nil
    }
    let isLess = call.function == .subtract
    let (first, second) = (arguments[0], arguments[1])
    let texts = arguments.map { self.text($0.written) }
    switch (first.isDate, second.isDate) {
    case (true, true): return isLess ? "daysBetween(\(texts[1]), \(texts[0]))" : nil
    case (true, false) where second.isCount:
      return moved(texts[0], by: isLess ? texts[1].negative : texts[1])
    case (false, true) where first.isCount && !isLess: return moved(texts[1], by: texts[0])
    default: return nil
    }
  }

  private func moved(_ date: String, by count: String) -> String {
    "dateByAdding(\(date), \(count), \"day\")"
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
}

extension String {
  /// `-30`, `-(a + b)`
  fileprivate var negative: String {
    allSatisfy { $0.isLetter || $0.isNumber || $0 == "." } ? "-" + self : "-(\(self))"
  }
}

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
