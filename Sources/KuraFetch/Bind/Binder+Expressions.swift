import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension Binder {
  /// An expression with everything in it checked, and what is known of its values.
  func bound(_ expression: ExpressionTree) throws(Diagnostic) -> BoundExpression {
    try expression.descending { () throws(Diagnostic) in try boundKind(of: expression) }
  }

  private func boundKind(of expression: ExpressionTree) throws(Diagnostic) -> BoundExpression {
    switch expression.kind {
    case .constant(let constant): return try bound(constant, expression)
    case .evaluatedObject: return BoundExpression(tree: expression, type: root)
    case .variable(let name): return try variable(name, expression)
    case .keyPath(let path): return try bound(path, expression)
    case .function(let call): return try bound(call, expression)
    case .aggregate(let parts): return try aggregate(parts, expression)
    case .subquery(let collection, let name, let predicate):
      return try subquery(collection, name, predicate, expression)
    case .objectOrQuotient(let entity, let number):
      return try objectOrQuotient(entity, number, expression)
    case .index(let collection, let index): return try bound(collection, index, expression)
    case .message(let target, let selector, let arguments):
      let kind = ExpressionTree.Kind.message(
        target: try bound(target).tree, selector: selector, arguments: try trees(arguments))
      return BoundExpression(tree: expression.with(kind), type: .any)
    case .ternary(let condition, let yes, let no):
      var (first, second) = (try bound(yes), try bound(no))
      let type = try alike(&first, &second)
      let kind = ExpressionTree.Kind.ternary(try bound(condition), first.tree, second.tree)
      return BoundExpression(tree: expression.with(kind), type: type)
    case .setOperation(let operation, let left, let right):
      let kind = ExpressionTree.Kind.setOperation(
        operation, try bound(left).tree, try bound(right).tree)
      return BoundExpression(tree: expression.with(kind), type: .collection(.any))
    case .assignment(let name, let inner):
      let kind = ExpressionTree.Kind.assignment(name, try bound(inner).tree)
      return BoundExpression(tree: expression.with(kind), type: .any)
    case .predicate(let predicate):
      return BoundExpression(
        tree: expression.with(.predicate(try bound(predicate))), type: .boolean)
    case .fetch(let fetch): return try bound(fetch, expression)
    case .anyKey, .indexAfterDot:
      // What they do at evaluation is known now, and the same for every object.
      _ = try expression.evaluate(on: .null, in: environment.evaluation)
      return BoundExpression(tree: expression, type: .any)
    }
  }

  func trees(_ expressions: [ExpressionTree]) throws(Diagnostic) -> [ExpressionTree] {
    var result: [ExpressionTree] = []
    result.reserveCapacity(expressions.count)
    for expression in expressions { result.append(try bound(expression).tree) }
    return result
  }

  private var root: BoundType { entity.map { .object(entity: $0) } ?? .any }
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

extension Binder {
  /// A literal; a reserved word that is spelled like a key is not taken for either.
  private func bound(
    _ constant: Constant, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    if constant.value.hasReservedWord, let entity,
      let word = environment.source?.text(expression.span),
      Binder.reservedWords.contains(word.uppercased()),
      model.property(named: word, of: entity) != nil
    {
      throw Diagnostic(BindFacts.ambiguousWord(word, entity: entity), at: expression.span)
    }
    return BoundExpression(tree: expression, type: .literal)
  }

  private static let reservedWords: Set<String> = ["YES", "NO", "TRUE", "FALSE", "NULL", "NIL"]

  /// A subquery's element, or a variable of the session, which stands for its value from here on.
  private func variable(
    _ name: String, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    if let type = scope[name] {
      outerUse?.note(name)
      return BoundExpression(tree: expression, type: type)
    }
    guard let value = environment.variables[name] else {
      let known = environment.variables.keys.sorted() + scope.keys.sorted()
      throw Diagnostic(BindFacts.unboundVariable(name, known: known), at: expression.span)
    }
    return BoundExpression(
      tree: expression.with(.constant(Constant(value))), type: type(of: value))
  }

  private func type(of value: Value) -> BoundType {
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

  private func aggregate(
    _ parts: [ExpressionTree], _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    BoundExpression(
      tree: expression.with(.aggregate(try trees(parts))), type: .collection(.literal))
  }

  private func subquery(
    _ collection: ExpressionTree, _ name: String, _ predicate: PredicateTree,
    _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    let source = try bound(collection)
    var inner = self
    if case .collection(let element) = source.type {
      inner.scope[name] = element
    } else {
      inner.scope[name] = .any
    }
    let kind = ExpressionTree.Kind.subquery(
      source.tree, variable: name, try inner.bound(predicate))
    return BoundExpression(tree: expression.with(kind), type: source.type)
  }

  /// `MemoDate/17`: an object, if the model has that entity.
  private func objectOrQuotient(
    _ name: String, _ number: Int64, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    guard model[name] != nil else {
      let quotient = ExpressionTree.quotient(name, number, expression.span)
      return try bound(quotient)
    }
    let value = object(ObjectID(entity: name, root: model.root(of: name), number: number))
    return BoundExpression(
      tree: expression.with(.constant(Constant(value))), type: .object(entity: name))
  }

  /// The object of an identity; one that is not there has no values.
  func object(_ id: ObjectID) -> Value {
    guard let found = snapshot.graph.find(id) else {
      return .object(ObjectReference(MissingObject(objectID: id)))
    }
    return .object(ObjectReference(snapshot.object(table: found.table, row: found.row)))
  }

  private func bound(
    _ collection: ExpressionTree, _ index: IndexKind, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    let source = try bound(collection)
    var index = index
    if case .at(let place) = index { index = .at(try bound(place).tree) }
    let type: BoundType =
      switch (index, source.type) {
      case (.size, _): .number
      case (_, .collection(let element)): element
      default: .any
      }
    return BoundExpression(tree: expression.with(.index(source.tree, index)), type: type)
  }
}

/// An object that a statement names and that is not there.
struct MissingObject: KeyReadable {
  let objectID: ObjectID?

  func value(forKey key: String) -> Value { .null }
}

extension ExpressionTree {
  /// `key / 17`
  static func quotient(_ key: String, _ number: Int64, _ span: SourceSpan) -> ExpressionTree {
    let left = ExpressionTree(.keyPath(KeyPathTree([KeyComponent(key, span: span)])), span: span)
    let right = ExpressionTree(.constant(Constant(.integer(number))), span: span)
    return ExpressionTree(.function(FunctionCall(.divide, [left, right])), span: span)
  }
}
