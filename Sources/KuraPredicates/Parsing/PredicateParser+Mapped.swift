import KuraDiagnostics

// `items.(price * count)`: the values of an expression for the elements of a collection
extension PredicateParser {
  /// Reads the parentheses after a path: `(price * count)` after `items.` or `items.@sum.`
  ///
  /// Like the keys after an operator, the expression gives the values that the operator takes.
  func mapped(_ path: KeyPathTree, from start: SourceSpan) throws(SyntaxError) -> ExpressionTree {
    var path = path
    let operation = path.components.firstIndex { $0.kind == .collectionOperator }
      .map { path.components.remove(at: $0) }
    if path.components.contains(where: { $0.kind == .collectionOperator }) { throw expected(.key) }
    let collection = path.collection(from: start)
    let baseHeight = height
    let bracket = take()
    let outside = try enter(at: bracket.span)
    let variable = "(\(elements.count(where: \.isElementItself))"
    elements.append(variable)
    defer { elements.removeLast() }
    let inner = try inside(.element(variable: variable, of: collection)) {
      () throws(SyntaxError) in try parseExpressionOrPredicate()
    }
    try close(bracket)
    leave(to: outside)
    // The keys of the element get a base, and the operator is a node of its own.
    try grow(above: max(baseHeight, height + 1) + 1, at: bracket.span)
    let span = start.joined(lastSpan)
    let values = ExpressionTree(
      .mapped(collection, variable: variable, inner.rooted(in: variable)), span: span)
    guard let operation else { return values }
    return ExpressionTree(
      .keyPath(KeyPathTree(base: values, [operation, KeyComponent("self")])), span: span)
  }
}

extension KeyPathTree {
  /// The path as an expression; its base if it has no keys.
  fileprivate func collection(from start: SourceSpan) -> ExpressionTree {
    guard let last = components.last else {
      return base ?? ExpressionTree(.evaluatedObject, span: start)
    }
    return ExpressionTree(.keyPath(self), span: start.joined(last.span))
  }

  /// The operator of `x.@sum.self`, which aggregates the elements of x themselves.
  package var operatorOfSelf: String? {
    guard components.count == 2, components[0].kind == .collectionOperator,
      components[1].kind == .key, components[1].name == "self"
    else { return nil }
    return components[0].name
  }
}

extension String {
  /// The prefix of a variable that a check substitutes for a part of the text. The rest of the name
  /// is that text.
  package static let ofPart = "\u{1F}"

  /// Whether it is the variable of an element whose keys are written without a variable.
  package var isElementItself: Bool { hasPrefix("(") }
}

extension ExpressionTree {
  /// Whether it is the element whose keys are written without a variable.
  package var isElementItself: Bool {
    if case .variable(let name) = kind { name.isElementItself } else { false }
  }

  /// Returns the expression with the keys of SELF read from a variable: `price` becomes `$(0).price`.
  package func rooted(in variable: String) -> ExpressionTree {
    replacing { $0.rootedNode(in: variable) }
  }

  fileprivate func rootedNode(in variable: String) -> ExpressionTree? {
    let element = ExpressionTree(.variable(variable))
    switch kind {
    case .evaluatedObject: return ExpressionTree(element.kind, span: span)
    case .keyPath(var path) where path.base == nil:
      path.base = element
      return ExpressionTree(.keyPath(path), span: span)
    case .objectOrQuotient(let key, let number):
      let dividend = ExpressionTree(
        .keyPath(KeyPathTree(base: element, [KeyComponent(key)])), span: span)
      let divisor = ExpressionTree(.constant(Constant(.integer(number))), span: span)
      return ExpressionTree(.function(FunctionCall(.divide, [dividend, divisor])), span: span)
    default: return nil
    }
  }
}

extension PredicateTree {
  /// Returns the predicate with the keys of SELF read from a variable.
  ///
  /// `isEntity`: whether a name before a number is an entity, as in `Author/1`, and not a key.
  package func rooted(in variable: String, _ isEntity: (String) -> Bool) -> PredicateTree {
    replacing { node in
      if case .objectOrQuotient(let name, _) = node.kind, isEntity(name) { return node }
      return node.rootedNode(in: variable)
    }
  }
}
