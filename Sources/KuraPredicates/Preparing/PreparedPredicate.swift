public import KuraDiagnostics
public import KuraValues

/// A predicate that is prepared for many objects: parts that do not depend on them are computed
/// once.
///
///     let wanted = try PredicateTree(parsing: "title MATCHES '.*[0-9]+'").prepared()
///     for song in songs where try wanted.evaluate(song) { … }
///
/// Search strings are folded, LIKE and MATCHES patterns compiled, functions looked up, and lists of
/// IN hashed. The result is always that of the tree, and so is an error, except that ANY and ALL do
/// not read the objects after the one that decides.
public struct PreparedPredicate: Sendable {
  /// The predicate.
  public let tree: PredicateTree
  let test: PreparedTest
  private let context: EvaluationContext
  /// Whether the tree reads the clock, so that each evaluation needs its current time.
  private let readsClock: Bool
  /// The keys that it reads from SELF; nil if it needs the whole object.
  let keys: [String]?

  /// Prepares a predicate.
  package init(
    _ tree: PredicateTree, in context: EvaluationContext, isAtOneMoment: Bool = false
  ) {
    var context = context
    context.readsClock = !isAtOneMoment
    self.tree = tree
    self.context = context
    test = PredicatePreparation(context: context).test(tree)
    readsClock = !isAtOneMoment && PredicatePreparation.readsClock(tree)
    keys = tree.keysOfSelf
  }
}

extension PredicateTree {
  /// Returns the predicate prepared for many objects, with values for its variables.
  ///
  ///     let wanted = try PredicateTree(parsing: "date < $today").prepared(variables: ["today": day])
  ///
  /// Linear in the tree. Errors, such as an invalid pattern of MATCHES, are thrown when the
  /// predicate is evaluated.
  public func prepared(
    variables: [String: Value] = [:], in environment: PredicateEnvironment = .current
  ) -> PreparedPredicate {
    PreparedPredicate(
      self, in: environment.context(variables), isAtOneMoment: environment.now != nil)
  }
}

extension PreparedPredicate {
  /// Returns whether a dictionary matches the predicate.
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(_ object: [String: Value]) throws(Diagnostic) -> Bool {
    try test(evaluator(.object(ObjectReference(object))))
  }

  /// Returns whether an object with keys matches the predicate.
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(_ object: any KeyReadable) throws(Diagnostic) -> Bool {
    try test(evaluator(.object(ObjectReference(object))))
  }

  /// Returns whether a value matches the predicate. The value is SELF.
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic at the node that cannot be
  /// evaluated.
  public func evaluate(value: Value) throws(Diagnostic) -> Bool { try test(evaluator(value)) }

  /// Returns whether an `Encodable` value matches the predicate. Only the keys that the predicate
  /// reads are encoded.
  ///
  /// Linear in the keys that are read, and in the tree for most predicates. Throws a diagnostic at
  /// the node that cannot be evaluated, or what encoding throws.
  public func evaluate(encoding object: some Encodable) throws -> Bool {
    try evaluate(value: KeyPicker(keys).value(of: object))
  }

  /// Returns a direct test for elements of one type; nil if the predicate has none.
  func direct<Element: KeyReadable>(_ type: Element.Type) -> DirectTest<Element>? {
    PredicatePreparation(context: context).direct(tree, type)
  }

  /// Returns an evaluator at one moment, whose root can be replaced.
  func evaluator(_ root: Value = .null) -> Evaluator {
    var context = context
    if readsClock { context.now = .now }
    context.time = context.time.map { TimeLimit($0.limit) }
    return Evaluator(root: root, context: context)
  }
}

/// A prepared predicate, applied to the evaluator's root.
typealias PreparedTest = @Sendable (Evaluator) throws(Diagnostic) -> Bool
/// A prepared expression.
typealias PreparedRead = @Sendable (Evaluator) throws(Diagnostic) -> Value

/// Compiles trees to closures. Nodes without a faster form are left to the evaluator.
struct PredicatePreparation {
  let context: EvaluationContext
  /// The variables of enclosing SUBQUERYs.
  var bound: Set<String> = []
  /// The variable of the elements that a direct test reads; nil if it reads keys of SELF.
  var element: String?
}

extension PredicatePreparation {
  func test(_ tree: PredicateTree) -> PreparedTest {
    // Each level adds a nested closure call, on a stack of unknown size. With a time limit, the
    // evaluator checks the clock.
    if tree.height > Self.tallest || context.time != nil { return general(tree) }
    switch tree.kind {
    case .comparison(let comparison): return test(comparison, tree.span)
    case .not(let inside):
      let inside = test(inside)
      return { evaluator throws(Diagnostic) in try !inside(evaluator) }
    case .and(let parts): return chain(parts, untilIs: false)
    case .or(let parts): return chain(parts, untilIs: true)
    case .constant(let answer): return { _ throws(Diagnostic) in answer }
    case .truth: return general(tree)
    }
  }

  /// The maximum height of a tree that is compiled to closures.
  static var tallest: Int { 32 }

  private func general(_ tree: PredicateTree) -> PreparedTest {
    { evaluator throws(Diagnostic) in try evaluator.holds(tree) }
  }

  private func chain(_ parts: [PredicateTree], untilIs end: Bool) -> PreparedTest {
    let tests = parts.map(test)
    return { evaluator throws(Diagnostic) in
      for test in tests where try test(evaluator) == end { return end }
      return !end
    }
  }

  private func test(_ comparison: Comparison, _ span: SourceSpan) -> PreparedTest {
    let left = read(comparison.left)
    let isChosen = [comparison.left, comparison.right].contains { side in
      if case .constant = side.kind { false } else { !side.doubleLiterals.isEmpty }
    }
    guard !isChosen, let right = fixed(comparison.right) else {
      let right = read(comparison.right)
      return { evaluator throws(Diagnostic) in
        let (left, right) = (try left(evaluator), try right(evaluator))
        return try evaluator.holds(comparison, of: left, right, span)
      }
    }
    let check = PreparedComparison(comparison, right, context).check(at: span)
    let general = test(comparison, left, check)
    return comparison.modifier == .direct
      ? general : elementTest(comparison, check, general) ?? general
  }

  /// Returns a test that reads a key of the objects in a collection up to the first one that decides:
  /// `ANY pets.name == "Tama"`. Nil if the left side is not such a path.
  private func elementTest(
    _ comparison: Comparison, _ check: @escaping PreparedCheck, _ general: @escaping PreparedTest
  ) -> PreparedTest? {
    guard case .keyPath(var path) = comparison.left.kind, path.components.count > 1,
      let last = path.components.popLast(), last.kind == .key,
      last.name != "self", !last.asksSize
    else { return nil }
    let span = last.span == .none ? comparison.left.span : last.span
    let collection = read(ExpressionTree(.keyPath(path), span: comparison.left.span))
    let end = comparison.modifier == .any
    return { evaluator throws(Diagnostic) in
      try evaluator.checkCancel(span)
      guard case .list(let elements) = try collection(evaluator),
        elements.allSatisfy({ $0.kind == .object })
      else { return try general(evaluator) }
      for element in elements {
        let value = try evaluator.read(last.name, from: element, span)
        if value.elements != nil { return try general(evaluator) }
        if try check(value) == end { return end }
      }
      return !end
    }
  }

  private func test(
    _ comparison: Comparison, _ left: @escaping PreparedRead, _ check: @escaping PreparedCheck
  ) -> PreparedTest {
    switch comparison.modifier {
    case .direct: return { evaluator throws(Diagnostic) in try check(left(evaluator)) }
    case .any:
      return { evaluator throws(Diagnostic) in
        let elements = try evaluator.elements(left(evaluator), comparison)
        for element in elements where try check(element) { return true }
        return false
      }
    case .all:
      return { evaluator throws(Diagnostic) in
        let elements = try evaluator.elements(left(evaluator), comparison)
        for element in elements where try !check(element) { return false }
        return true
      }
    }
  }
}

extension PredicatePreparation {
  /// Returns the value of an expression that is the same for all objects.
  func fixed(_ tree: ExpressionTree) -> Value? {
    switch tree.kind {
    case .constant(let constant): constant.value
    case .variable(let name): bound.contains(name) ? nil : context.variables[name]
    case .aggregate(let elements): list(elements)
    case .function(let call): value(of: call)
    default: nil
    }
  }

  /// Returns the result of a call that is the same for all objects: `CAST("…", "NSUUID")`, `60 *
  /// 60`. Nil if it fails, so that evaluation reports the error.
  private func value(of call: FunctionCall) -> Value? {
    guard let function = call.function, !call.depends(on: [.clock, .chance]) else { return nil }
    let values = call.arguments.compactMap(fixed)
    guard values.count == call.arguments.count else { return nil }
    let operands = Evaluator(root: .null, context: context).exactOperands(values, call.arguments)
    return try? function.value(of: operands, in: context)
  }

  private func list(_ elements: [ExpressionTree]) -> Value? {
    let values = elements.compactMap(fixed)
    return values.count == elements.count ? .list(values) : nil
  }

  func read(_ tree: ExpressionTree) -> PreparedRead {
    if let value = fixed(tree) { return { _ throws(Diagnostic) in value } }
    let general: PreparedRead = { evaluator throws(Diagnostic) in try evaluator.value(of: tree) }
    switch tree.kind {
    case .evaluatedObject: return { evaluator throws(Diagnostic) in evaluator.root }
    case .keyPath(let path): return read(path, tree.span) ?? general
    case .function(let call): return read(call, tree.span) ?? general
    case .subquery(let collection, let variable, let predicate):
      return subquery(collection, variable, predicate)
    case .constant, .variable, .message, .index, .indexAfterDot, .aggregate, .mapped, .ternary,
      .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate, .fetch:
      return general
    }
  }

  private func subquery(
    _ collection: ExpressionTree, _ variable: String, _ predicate: PredicateTree
  ) -> PreparedRead {
    var inner = self
    inner.bound.insert(variable)
    inner.element = nil
    let test = inner.test(predicate)
    // It captures only `Sendable` values; its generic form would also capture a type.
    nonisolated(unsafe) let direct = direct(predicate, ofEach: variable)
    let read = read(collection)
    return { evaluator throws(Diagnostic) in
      try evaluator.checkCancel(collection.span)
      let elements = try evaluator.elements(
        of: read(evaluator), for: "SUBQUERY", collection.span)
      guard let direct else { return try evaluator.subquery(elements, variable, test) }
      var found: [Value] = []
      for element in elements {
        guard case .object(let object) = element else {
          return try evaluator.subquery(elements, variable, test)
        }
        if try direct(SubqueryElement(object: object)) { found.append(element) }
      }
      return .list(found)
    }
  }

  /// Returns a reader for a path that starts at an expression, or for a single key of the object,
  /// the most common operand.
  private func read(_ path: KeyPathTree, _ span: SourceSpan) -> PreparedRead? {
    if let base = path.base {
      let read = read(base)
      let components = path.components[...]
      return { evaluator throws(Diagnostic) in
        try evaluator.follow(components, from: read(evaluator), span)
      }
    }
    guard path.components.count == 1, path.components[0].kind == .key else { return nil }
    let key = path.components[0].name
    let here = path.components[0].span == .none ? span : path.components[0].span
    return { evaluator throws(Diagnostic) in try evaluator.read(key, from: evaluator.root, here) }
  }

  private func read(_ call: FunctionCall, _ span: SourceSpan) -> PreparedRead? {
    guard let function = call.function else { return nil }
    let reads = call.arguments.map(read)
    let arguments = call.arguments
    return { evaluator throws(Diagnostic) in
      var values: [Value] = []
      values.reserveCapacity(reads.count)
      for read in reads { values.append(try read(evaluator)) }
      let operands = evaluator.exactOperands(values, arguments)
      return try evaluator.result(of: function, operands, span)
    }
  }
}

extension PredicatePreparation {
  /// Returns whether a tree contains a function of the clock, such as `now()` or `today()`.
  static func readsClock(_ tree: PredicateTree) -> Bool {
    tree.first { if case .function(let call) = $0.kind { call.depends(on: .clock) } else { false } }
      != nil
  }
}
