import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension Checker {
  /// An expression with everything in it checked, and what is known of its values.
  ///
  /// Of one with a problem nothing is known.
  func checked(_ expression: ExpressionTree) -> CheckedExpression {
    let checked = noting(CheckedExpression(tree: expression, type: .any)) {
      () throws(Diagnostic) in
      try expression.descending { () throws(Diagnostic) in try checkedKind(of: expression) }
    }
    state.nodes?.note(expression.span, checked.type)
    return CheckedExpression(tree: checked.tree, type: checked.type, written: expression)
  }

  private func checkedKind(
    of expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    func node(_ kind: ExpressionTree.Kind, _ type: CheckedType) -> CheckedExpression {
      CheckedExpression(tree: expression.with(kind), type: type)
    }
    switch expression.kind {
    case .constant(let constant): return try checked(constant, expression)
    case .evaluatedObject: return CheckedExpression(tree: expression, type: root.type)
    case .variable(let name): return try variable(name, expression)
    case .keyPath(let path): return try checked(path, expression)
    case .function(let call): return try checked(call, expression)
    case .aggregate(let parts):
      return node(.aggregate(trees(parts)), .collection(.literal))
    case .subquery(let collection, let name, let predicate):
      return subquery(collection, name, predicate, expression)
    case .objectOrQuotient(let entity, let number):
      return objectOrQuotient(entity, number, expression)
    case .index(let collection, let index): return checked(collection, index, expression)
    case .message(let target, let selector, let arguments):
      return node(
        .message(
          target: checked(target).tree, selector: selector, arguments: trees(arguments)), .any)
    case .ternary(let condition, let yes, let no):
      var (first, second) = (checked(yes), checked(no))
      let type = try alike(&first, &second)
      return node(.ternary(checked(condition), first.tree, second.tree), type)
    case .setOperation(let operation, let left, let right):
      return node(
        .setOperation(operation, checked(left).tree, checked(right).tree), .collection(.any))
    case .assignment(let name, let inner):
      return node(.assignment(name, checked(inner).tree), .any)
    case .predicate(let predicate): return node(.predicate(checked(predicate)), .boolean)
    case .fetch(let fetch): return checked(fetch, expression)
    case .anyKey, .indexAfterDot:
      // What they do at evaluation is known now, and the same for every object.
      _ = try expression.evaluate(on: .null, in: context.evaluation)
      return CheckedExpression(tree: expression, type: .any)
    }
  }

  func trees(_ expressions: [ExpressionTree]) -> [ExpressionTree] {
    expressions.map { checked($0).tree }
  }
}

extension Value {
  /// `YES`, `nil`: written as a word.
  fileprivate var hasReservedWord: Bool {
    switch self {
    case .boolean, .null: true
    case .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary, .list, .set,
      .dictionary, .object:
      false
    }
  }
}

extension ExpressionTree {
  /// Another node at the same place.
  func with(_ kind: Kind) -> ExpressionTree { ExpressionTree(kind, span: span) }
}

extension Checker {
  /// A literal; a reserved word that is spelled like a key is not taken for either.
  private func checked(
    _ constant: Constant, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    if constant.value.hasReservedWord, let entity,
      let word = context.source?.text(expression.span),
      Checker.reservedWords.contains(word.uppercased()),
      model.property(named: word, of: entity) != nil
    {
      throw Diagnostic(CheckFacts.ambiguousWord(word, entity: entity), at: expression.span)
    }
    return CheckedExpression(tree: expression, type: .literal)
  }

  private static let reservedWords: Set<String> = ["YES", "NO", "TRUE", "FALSE", "NULL", "NIL"]

  /// A subquery's element, or a variable of the session, which stands for its value from here on.
  private func variable(
    _ name: String, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    if let type = scope[name] {
      outerUse?.note(name)
      return CheckedExpression(tree: expression, type: type)
    }
    if let part = context.predicates[name] {
      let predicate = checked(part, named: name, at: expression.span)
      return CheckedExpression(tree: expression.with(.predicate(predicate)), type: .boolean)
    }
    if let value = context.evaluation.variables[name] {
      return CheckedExpression(
        tree: expression.with(.constant(Constant(value))), type: type(of: value))
    }
    guard let type = context.types[name] else {
      let known =
        context.evaluation.variables.keys.sorted() + context.types.keys.sorted()
        + context.predicates.keys.sorted()
      var problem = Diagnostic(
        CheckFacts.unboundVariable(name, known: known + scope.keys.sorted()), at: expression.span)
      let near = nearNames(to: name, among: known) + scope.keys.sorted()
      problem.fixIts = (keysOfVariables(in: name) + near).unique.map {
        FixIt(expression.span, "$" + $0)
      }
      throw problem
    }
    return CheckedExpression(tree: expression, type: type)
  }

  private func type(of value: Value) -> CheckedType {
    switch value {
    case .object(let reference): reference.id.map { .object(entity: $0.entity) } ?? .any
    case .list(let elements): .collection(elements.first.map { type(of: $0) } ?? .any)
    case .set(let set): .collection(set.elements.first.map { type(of: $0) } ?? .any)
    case .dictionary: .any
    case .date: .date
    case .uuid: .attribute(.uuid)
    case .uri: .attribute(.uri)
    case .binary: .attribute(.binary)
    case .null, .boolean, .integer, .double, .decimal, .string: .literal
    }
  }

  private func subquery(
    _ collection: ExpressionTree, _ name: String, _ predicate: PredicateTree,
    _ expression: ExpressionTree
  ) -> CheckedExpression {
    let source = checked(collection)
    var inner = self
    if case .collection(let element) = source.type {
      inner.scope[name] = element
    } else {
      inner.scope[name] = .any
    }
    let kind = ExpressionTree.Kind.subquery(
      source.tree, variable: name, inner.checked(predicate))
    return CheckedExpression(tree: expression.with(kind), type: source.type)
  }

  /// `i.done` for `idone`, where `$i` is an element that has that key.
  private func keysOfVariables(in name: String) -> [String] {
    scope.keys.sorted().compactMap { variable in
      guard name.hasPrefix(variable), let entity = scope[variable]?.entity else { return nil }
      let key = String(name.dropFirst(variable.count))
      return model.property(named: key, of: entity) == nil ? nil : "\(variable).\(key)"
    }
  }

  /// `MemoDate/17`: an object, if the model has that entity.
  private func objectOrQuotient(
    _ name: String, _ number: Int64, _ expression: ExpressionTree
  ) -> CheckedExpression {
    guard model[name] != nil else {
      guard let entity = entityMeant(by: name) else {
        return checked(ExpressionTree.quotient(name, number, expression.span))
      }
      state.problems.append(unknownEntity(name, expression.span.withoutNumber(number)))
      return CheckedExpression(tree: expression, type: .object(entity: entity))
    }
    let value = object(ObjectID(entity: name, root: model.root(of: name), number: number))
    return CheckedExpression(
      tree: expression.with(.constant(Constant(value))), type: .object(entity: name))
  }

  /// The entity that a word before a number is likely to mean: it is no key, and more like an entity.
  private func entityMeant(by name: String) -> String? {
    if case .unknown = root { return nil }
    let keys = root.entity.map(model.keys) ?? []
    guard !keys.contains(name) else { return nil }
    let entities = model.entities.map(\.name)
    if let same = entities.first(where: { $0.isLoosely(name) }) { return same }
    guard nearNames(to: name, among: keys).isEmpty, !keys.contains(where: { $0.isLoosely(name) })
    else { return nil }
    return nearNames(to: name, among: entities).first
  }

  /// The object of an identity, whether it is there or not.
  func object(_ id: ObjectID) -> Value {
    state.namesObjects = true
    return .object(ObjectReference(NamedObject(objectID: id)))
  }

  private func checked(
    _ collection: ExpressionTree, _ index: IndexKind, _ expression: ExpressionTree
  ) -> CheckedExpression {
    let source = checked(collection)
    var index = index
    if case .at(let place) = index { index = .at(checked(place).tree) }
    checkOrder(of: collection, index, expression)
    let type: CheckedType =
      switch (index, source.type) {
      case (.size, _): .number
      case (_, .collection(let element)): element
      default: .any
      }
    return CheckedExpression(tree: expression.with(.index(source.tree, index)), type: type)
  }
}

extension Checker {
  /// `items[0]`, of a to-many that has no order.
  private func checkOrder(
    of collection: ExpressionTree, _ index: IndexKind, _ expression: ExpressionTree
  ) {
    if case .size = index { return }
    guard isUnorderedRelationship(collection) else { return }
    let path = collection.expressionFormat
    let start = SourceSpan(expression.span.start, expression.span.start)
    let brackets = SourceSpan(collection.span.end, expression.span.end)
    var problem = Diagnostic(CheckFacts.indexOfUnordered(path), at: expression.span)
    problem.fixIts = [FixIt(edits: [TextEdit(start, "ANY "), TextEdit(brackets, "")])]
    state.problems.append(problem)
  }
}

extension ExpressionTree {
  /// `key / 17`
  fileprivate static func quotient(
    _ key: String, _ number: Int64, _ span: SourceSpan
  ) -> ExpressionTree {
    let left = ExpressionTree(.keyPath(KeyPathTree([KeyComponent(key, span: span)])), span: span)
    let right = ExpressionTree(.constant(Constant(.integer(number))), span: span)
    return ExpressionTree(.function(FunctionCall(.divide, [left, right])), span: span)
  }
}
