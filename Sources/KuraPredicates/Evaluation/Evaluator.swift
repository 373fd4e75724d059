import KuraBytes
import KuraDiagnostics
import KuraValues

/// The reference evaluator, which defines the meaning of trees. It is simple; faster
/// implementations must give the same results.
struct Evaluator: Sendable {
  /// The evaluated object, SELF.
  var root: Value
  var context: EvaluationContext
}

extension Evaluator {
  /// Returns whether the predicate is true; AND and OR stop at the first decisive part.
  func holds(_ predicate: PredicateTree) throws(Diagnostic) -> Bool {
    try predicate.descending { () throws(Diagnostic) in try answer(of: predicate) }
  }

  private func answer(of predicate: PredicateTree) throws(Diagnostic) -> Bool {
    switch predicate.kind {
    case .comparison(let comparison):
      let (left, right) = (try value(of: comparison.left), try value(of: comparison.right))
      return try holds(comparison, of: left, right, predicate.span)
    case .not(let inner): return try !holds(inner)
    case .and(let parts):
      for part in parts where try !holds(part) { return false }
      return true
    case .or(let parts):
      for part in parts where try holds(part) { return true }
      return false
    case .constant(let value): return value
    case .truth(let expression): return try isTrue(expression)
    }
  }

  func value(of expression: ExpressionTree) throws(Diagnostic) -> Value {
    try expression.descending { () throws(Diagnostic) in try computed(expression) }
  }

  private func computed(_ expression: ExpressionTree) throws(Diagnostic) -> Value {
    switch expression.kind {
    case .constant(let constant): constant.value
    case .evaluatedObject: root
    case .variable(let name): try variable(name, expression.span)
    case .keyPath(let path): try value(of: path, expression.span)
    case .function(let call): try value(of: call, expression.span)
    case .message(let target, let selector, let arguments):
      try send(selector, to: target, arguments, expression.span)
    case .index(let collection, let place): try element(of: collection, place, expression.span)
    case .indexAfterDot: throw indexAfterDot(expression)
    case .aggregate(let parts): try list(of: parts, expression.span)
    case .subquery(let collection, let name, let predicate):
      try subquery(collection, name, predicate)
    case .mapped(let collection, let name, let inner): try mapped(inner, name, over: collection)
    case .ternary(let condition, let yes, let no): try value(of: holds(condition) ? yes : no)
    case .setOperation(let operation, let left, let right): try combine(operation, left, right)
    case .assignment(_, let inner): try value(of: inner)
    case .anyKey: throw Diagnostic(EvaluationError.unsupported("ANYKEY"), at: expression.span)
    case .objectOrQuotient(let key, let number): try quotient(key, number, expression.span)
    case .predicate(let predicate): .boolean(try holds(predicate))
    case .fetch(let fetch): try value(of: fetch, expression.span)
    }
  }

  /// Returns a list. Throws if nested lists are too large to be written.
  private func list(
    of parts: [ExpressionTree], _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    try Value.list(values(of: parts)).checkedForWriting(at: span, fromLevel: 2)
  }

  func values(of expressions: [ExpressionTree]) throws(Diagnostic) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try value(of: expression)) }
    return values
  }

  /// Calls an operator. Returns `none` if the operator does not accept a value and the context
  /// counts such values as nil.
  func taking<Result>(
    _ span: SourceSpan, otherwise none: Result, _ body: () throws(EvaluationError) -> Result
  ) throws(Diagnostic) -> Result {
    do { return try body() } catch {
      guard let kinds = context.otherKinds, error.isAboutKind || error.isAfterEnd else {
        throw Diagnostic(error, at: span)
      }
      if !error.isAfterEnd { kinds.note(error, at: span, in: root.objectID) }
      return none
    }
  }

  /// Replaces values that are not numbers by nil, if the context counts them as nil.
  func numbers(_ values: [Value], _ span: SourceSpan) -> [Value] {
    guard let kinds = context.otherKinds else { return values }
    return values.map { value in
      if value.isNull || (try? value.number()) != nil { return value }
      kinds.note(.notANumber(value.kind), at: span, in: root.objectID)
      return .null
    }
  }

  /// Keeps the values that can be compared with each other: numbers or, without numbers, strings,
  /// dates or UUIDs. Replaces the others by nil, if the context counts them as nil.
  func alike(_ values: [Value], _ span: SourceSpan) -> [Value] {
    let ordered = values.lazy.map(\.kind).filter { $0 != .null && $0.rank <= Value.Kind.uuid.rank }
    guard let kinds = context.otherKinds,
      let example = ordered.min(by: { $0.rank < $1.rank })
    else { return values }
    return values.map { value in
      if value.isNull || value.kind.rank == example.rank { return value }
      kinds.note(.unordered(value.kind, example), at: span, in: root.objectID)
      return .null
    }
  }

  /// Throws if the evaluation was cancelled. Every comparison and every element of a collection
  /// checks this.
  func checkCancel(_ span: SourceSpan) throws(Diagnostic) {
    do { try context.checkCancel() } catch { throw Diagnostic(error, at: span) }
  }
}

extension Evaluator {
  private func isTrue(_ expression: ExpressionTree) throws(Diagnostic) -> Bool {
    let value = try value(of: expression)
    if value.isNull { return false }
    return try taking(expression.span, otherwise: false) { () throws(EvaluationError) in
      guard let number = value.approximateNumber else { throw .noTruth(value.kind) }
      return number != 0
    }
  }

  private func variable(_ name: String, _ span: SourceSpan) throws(Diagnostic) -> Value {
    guard let value = context.variables[name] else {
      throw Diagnostic(EvaluationError.unboundVariable(name), at: span)
    }
    return value
  }

  private func indexAfterDot(_ expression: ExpressionTree) -> Diagnostic {
    let meant = expression.withIndexOutside.expressionFormat
    return Diagnostic(
      EvaluationError.indexAfterDot(meant), at: expression.span,
      fixIt: FixIt(expression.span, meant))
  }

  private func subquery(
    _ collection: ExpressionTree, _ name: String, _ predicate: PredicateTree
  ) throws(Diagnostic) -> Value {
    let candidates: [Value]
    if let indexes = context.subqueries, case .constant(let constant) = collection.kind,
      case .list(let elements) = constant.value,
      let found = try indexes.candidates(among: elements, name, predicate, self)
    {
      candidates = found
    } else {
      candidates = try elements(of: value(of: collection), for: "SUBQUERY", collection.span)
    }
    return try subquery(candidates, name) { inner throws(Diagnostic) in try inner.holds(predicate) }
  }

  /// Returns the elements that pass a test. The test sees each element as the value of a variable.
  func subquery(
    _ elements: [Value], _ name: String, _ test: (Evaluator) throws(Diagnostic) -> Bool
  ) throws(Diagnostic) -> Value {
    var inner = self
    inner.context.elementVariables.insert(name)
    var found: [Value] = []
    for element in elements {
      inner.context.variables[name] = element
      if try test(inner) { found.append(element) }
    }
    return .list(found)
  }

  /// Returns the values of an expression, with each element of a collection as the value of a variable. If a path of
  /// several keys collects lists, the elements of the inner lists are used.
  private func mapped(
    _ expression: ExpressionTree, _ name: String, over collection: ExpressionTree
  ) throws(Diagnostic) -> Value {
    let value = try value(of: collection)
    if value.isNull { return .null }
    let known = try taking(collection.span, otherwise: [Value]?.none) {
      () throws(EvaluationError) in
      guard let elements = value.arrayValue else { throw .notACollection(".( )", value.kind) }
      return elements
    }
    guard let known else { return .null }
    var inner = self
    inner.context.elementVariables.insert(name)
    var values: [Value] = []
    for element in known.flattened(collection.keysOfLists - 1) {
      try checkCancel(collection.span)
      inner.context.variables[name] = element
      values.append(try inner.value(of: expression))
    }
    return .list(values)
  }

  /// Returns the elements of a collection; an empty list for nil.
  func elements(
    of value: Value, for user: String, _ span: SourceSpan
  ) throws(Diagnostic) -> [Value] {
    if value.isNull { return [] }
    return try taking(span, otherwise: []) { () throws(EvaluationError) in
      guard let elements = value.elements else { throw .notACollection(user, value.kind) }
      return elements
    }
  }

  private func combine(
    _ operation: SetOperation, _ left: ExpressionTree, _ right: ExpressionTree
  ) throws(Diagnostic) -> Value {
    let (left, right) = (try operand(left, of: operation), try operand(right, of: operation))
    guard let left, let b = right else { return .null }
    let a = ValueSet(left)
    switch operation {
    case .union: return .set(a.union(b))
    case .intersect: return .set(a.intersection(b))
    case .minus: return .set(a.subtracting(b))
    }
  }

  /// Returns the elements of an operand; nil if the operand is nil in a fetch, where a computation with nil is nil.
  private func operand(
    _ expression: ExpressionTree, of operation: SetOperation
  ) throws(Diagnostic) -> [Value]? {
    let value = try value(of: expression)
    if value.isNull, context.nilArithmeticIsNil { return nil }
    return try taking(expression.span, otherwise: []) { () throws(EvaluationError) in
      guard let elements = value.elements else {
        throw .notACollection(operation.rawValue, value.kind)
      }
      return elements
    }
  }

  /// Runs a fetch that reads a variable of an enclosing subquery or fetch. All other fetches have already run.
  private func value(of fetch: FetchTree, _ span: SourceSpan) throws(Diagnostic) -> Value {
    guard let fetches = context.fetches else {
      throw Diagnostic(EvaluationError.unsupported(fetch.result.rawValue), at: span)
    }
    var context = context
    if let name = context.objectName {
      context.variables[name] = root
      context.elementVariables.insert(name)
    }
    return try fetches.value(of: fetch, in: context)
  }

  /// Returns the quotient for `MemoDate/17`, if no model says that the expression is an object.
  private func quotient(
    _ key: String, _ number: Int64, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let dividend = try read(key, from: root, span)
    return try result(of: BuiltInFunction.divide.entry, [dividend, .integer(number)], span)
  }
}

extension Evaluator {
  /// Returns the value of a function call or operator: `sum({1, 2})`, `a + b`.
  func value(of call: FunctionCall, _ span: SourceSpan) throws(Diagnostic) -> Value {
    let here = call.nameSpan == .none ? span : call.nameSpan
    guard let function = call.function else {
      throw Diagnostic(EvaluationError.unknownFunction(call.selector), at: here)
    }
    let arguments = exactOperands(try values(of: call.arguments), call.arguments)
    return try result(of: function, arguments, span)
  }

  /// Returns the result of a function for computed arguments.
  func result(
    of function: PredicateFunction, _ arguments: [Value], _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    var arguments = arguments
    if arguments.count == 1, let elements = arguments[0].elements {
      if function.operands == .list(of: .number) { arguments = [.list(numbers(elements, span))] }
      if function.builtIn == .min || function.builtIn == .max {
        arguments = [.list(alike(elements, span))]
      }
    }
    return try taking(span, otherwise: .null) { () throws(EvaluationError) in
      try function.value(of: arguments, in: context)
    }
  }

  /// Converts a number literal next to a decimal operand to a decimal with all its digits.
  func exactOperands(_ values: [Value], _ expressions: [ExpressionTree]) -> [Value] {
    guard values.count == 2 else { return values }
    return [
      exact(values[0], expressions[0], comparedWith: values[1]),
      exact(values[1], expressions[1], comparedWith: values[0]),
    ]
  }

  /// Returns the value of a message: `FUNCTION(title, "uppercaseString")`.
  func send(
    _ selector: String, to target: ExpressionTree, _ arguments: [ExpressionTree],
    _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let target = try value(of: target)
    let arguments = try values(of: arguments)
    if let message = Message.of(selector) {
      if target.isNull { return .null }
      return try taking(span, otherwise: .null) { () throws(EvaluationError) in
        try message.send(target, arguments, context)
      }
    }
    guard let function = PredicateFunction.of(selector) else {
      throw Diagnostic(EvaluationError.unknownSelector(selector), at: span)
    }
    return try result(of: function, [target] + arguments, span)
  }
}

extension Evaluator {
  /// Returns the value of a collection operator such as `@count`, `@sum.price` or
  /// `@distinctUnionOfObjects.tag`.
  func aggregate(
    _ name: String, over value: Value, _ rest: ArraySlice<KeyComponent>, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    guard let operation = CollectionOperator(rawValue: name) else {
      throw Diagnostic(EvaluationError.unknownOperator(name), at: span)
    }
    if value.isNull { return .null }
    if case .dictionary(let dictionary) = value, operation == .count {
      return .integer(Int64(dictionary.keys.count))
    }
    if operation == .count, let elements = value.elements {
      return .integer(Int64(elements.count))
    }
    if operation == .count, rest.isEmpty {
      return try taking(span, otherwise: .null) { () throws(EvaluationError) in
        throw .notACollection("@" + name, value.kind)
      }
    }
    if operation != .count, rest.isEmpty {
      throw Diagnostic(EvaluationError.operatorNeedsKey(name), at: span)
    }
    return try aggregate(operation, of: values(of: rest, for: name, in: value, span), span)
  }

  /// Returns the value of a collection operator for computed values.
  func aggregate(
    _ operation: CollectionOperator, of values: [Value], _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    var values = values
    if operation == .sum || operation == .avg { values = numbers(values, span) }
    if operation == .min || operation == .max { values = alike(values, span) }
    return try taking(span, otherwise: .null) { () throws(EvaluationError) in
      try operation.result(values, context)
    }
  }

  /// Returns the values of the path after the operator, one per element.
  ///
  /// If the operator is the first component, the path after it gives the collection.
  private func values(
    of rest: ArraySlice<KeyComponent>, for name: String, in value: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> [Value] {
    if let elements = value.arrayValue { return try values(of: rest, in: elements, span) }
    // Operators can follow each other without limit.
    let collection = try DeepStack.run { () throws(Diagnostic) in
      try follow(rest, from: value, span)
    }
    return try elements(of: collection, for: "@" + name, span)
  }

  private func values(
    of rest: ArraySlice<KeyComponent>, in elements: [Value], _ span: SourceSpan
  ) throws(Diagnostic) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      try checkCancel(span)
      let value = try DeepStack.run { () throws(Diagnostic) in
        try follow(rest, from: element, span)
      }
      if case .object = element, case .list(let several) = value {
        // A to-many relationship gives one value per object.
        values += several
      } else {
        values.append(value)
      }
    }
    return values
  }
}

/// The collection operators of a key path.
package enum CollectionOperator: String, Sendable, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets

  /// Returns the operators with another name elsewhere, `avg` for `average`, or a similar one.
  package static func near(_ name: String) -> [String] {
    let known = [
      "average": avg, "mean": avg, "maximum": max, "minimum": min, "total": sum, "size": count,
      "length": count,
    ]
    return known[name.lowercased()].map { [$0.rawValue] }
      ?? nearNames(to: name, among: allCases.map(\.rawValue))
  }
}

extension PredicateFunction {
  /// The collection operator with the same effect: `avg` for `average`, as in `items.@avg.price`.
  package var collectionOperator: CollectionOperator? {
    switch builtIn {
    case .count: .count
    case .sum: .sum
    case .average: .avg
    case .min: .min
    case .max: .max
    default: nil
    }
  }
}

extension CollectionOperator {
  func result(
    _ values: [Value], _ context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    switch self {
    case .count: .integer(Int64(values.count))
    case .sum: try Statistics.sum(values)
    case .avg: try Statistics.average(values)
    case .min: try Statistics.extreme(values, .before)
    case .max: try Statistics.extreme(values, .after)
    case .unionOfObjects: .list(values.filter { !$0.isNull })
    case .distinctUnionOfObjects: .list(ValueSet(values.filter { !$0.isNull }).elements)
    case .unionOfArrays, .unionOfSets: .list(try Self.flattened(values))
    case .distinctUnionOfArrays: .list(ValueSet(try Self.flattened(values)).elements)
    case .distinctUnionOfSets: .set(ValueSet(try Self.flattened(values)))
    }
  }

  private static func flattened(_ values: [Value]) throws(EvaluationError) -> [Value] {
    let lists = values.map { value in value.isNull ? [] : value.elements ?? [value] }
    // The same list can occur many times, so the result can exceed memory.
    guard lists.reduce(0, { $0 + $1.count }) <= ValueLimit.elements else {
      throw .tooLarge(.elements(ValueLimit.elements))
    }
    return lists.flatMap(\.self)
  }
}

extension Evaluator {
  /// Returns whether a comparison of two computed values is true: `a == b`, `ANY a.b == c`, `ALL a.b == c`.
  func holds(
    _ comparison: Comparison, of left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Bool {
    switch comparison.modifier {
    case .direct: return try holds(comparison, left, right, span)
    case .any:
      for element in try elements(left, comparison)
      where try holds(comparison, element, right, span) { return true }
      return false
    case .all:
      for element in try elements(left, comparison)
      where try !holds(comparison, element, right, span) { return false }
      return true
    }
  }

  /// Returns the elements for ANY and ALL; an empty list for nil.
  func elements(
    _ value: Value, _ comparison: Comparison
  ) throws(Diagnostic) -> [Value] {
    try elements(
      of: value, for: comparison.modifier == .any ? "ANY" : "ALL", comparison.left.span)
  }

  private func holds(
    _ comparison: Comparison, _ left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Bool {
    try checkCancel(span)
    let a = exact(left, comparison.left, comparedWith: right)
    let b = exact(right, comparison.right, comparedWith: left)
    return try taking(span, otherwise: false) { () throws(EvaluationError) in
      try ValueComparison(comparison, context).holds(a, b)
    }
  }

  /// Converts a literal next to a decimal to a decimal with the literal's digits. A TERNARY or a similar call can
  /// choose the literal.
  func exact(_ value: Value, _ expression: ExpressionTree, comparedWith other: Value) -> Value {
    guard case .double(let number) = value, case .decimal = other else { return value }
    let literal = expression.doubleLiterals.first { constant in
      if case .double(number) = constant.value { true } else { false }
    }
    return literal?.besideDecimals ?? value
  }
}

extension [Value] {
  /// Returns the values, with lists replaced by their elements, down to the given number of levels.
  fileprivate func flattened(_ levels: Int) -> [Value] {
    guard levels > 0, contains(where: { $0.list != nil }) else { return self }
    return flatMap { $0.list ?? [$0] }.flattened(levels - 1)
  }
}

extension ExpressionTree {
  /// The number of keys at the end of a path, each of which may collect lists.
  fileprivate var keysOfLists: Int {
    guard case .keyPath(let path) = kind else { return 1 }
    return path.components.reversed().prefix { $0.kind == .key }.count
  }
}

extension Value {
  fileprivate var list: [Value]? { if case .list(let elements) = self { elements } else { nil } }
}
