import KuraBytes
import KuraDiagnostics
import KuraValues

extension PredicateParser {
  /// Reads operands and the operators between them that bind at least so tightly.
  func operand(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    depth > TreeHeight.walked
      ? try DeepStack.run { () throws(SyntaxError) in try operands(minimum) }
      : try operands(minimum)
  }

  private func operands(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    var left = try prefix(minimum)
    while let infix = infix(after: left, minimum) {
      left = try join(left, infix)
    }
    if breakOff != nil { noteEnd(of: left, minimum) }
    if minimum <= .comparison, case .expression(let tree) = left { try checkHabit(after: tree) }
    return left
  }

  private func noteEnd(of left: Operand, _ minimum: Precedence) {
    switch left {
    case .expression(let tree):
      noteEnd(.infix(after: tree, mayCompare: minimum <= .comparison))
    case .predicate: if minimum <= .and { noteEnd(.connective) }
    }
  }

  /// Reads a value of operators that bind at least so tightly.
  func expression(_ minimum: Precedence) throws(SyntaxError) -> ExpressionTree {
    let found = try operand(minimum)
    return try value(found)
  }

  /// Reads a predicate of operators that bind at least so tightly.
  func condition(_ minimum: Precedence) throws(SyntaxError) -> PredicateTree {
    let found = try operand(minimum)
    return try predicate(found)
  }

  /// The operand as a value.
  func value(_ operand: Operand) throws(SyntaxError) -> ExpressionTree {
    switch operand {
    case .expression(let tree): return tree
    case .predicate(let tree):
      throw SyntaxError(PredicateSyntaxFacts.predicateAsValue, at: tree.span)
    }
  }

  /// The operand as a predicate.
  func predicate(_ operand: Operand) throws(SyntaxError) -> PredicateTree {
    switch operand {
    case .predicate(let tree): return tree
    case .expression(let tree):
      guard context.allowsTruth ? tree.mayBeTrue : mayBePart(tree) else {
        throw missingComparison(after: tree)
      }
      return PredicateTree(.truth(tree), span: tree.span)
    }
  }

  /// The next operator, if it binds at least so tightly.
  ///
  /// A value where a predicate is wanted cannot end its statement, so there a line's end does
  /// not count.
  private func infix(after left: Operand, _ minimum: Precedence) -> InfixOperator? {
    let token = optional
    guard token.end == .line, minimum <= .comparison, !context.allowsTruth,
      case .expression(let tree) = left
    else { return infix(token, minimum) }
    return infix(required, minimum) ?? (mayBePart(tree) ? infix(token, minimum) : nil)
  }

  /// Whether a value may stand for a predicate: `where $home AND done == NO` in a statement.
  private func mayBePart(_ tree: ExpressionTree) -> Bool {
    guard cursor.isStatement, case .variable(let name) = tree.kind, !elements.contains(name) else {
      return false
    }
    let next = optional
    if next.end != nil || next.is(.rightParenthesis) || next.is(.comma) { return true }
    switch InfixOperator(next) {
    case .and, .or: return true
    case nil: return clauseWords.contains(cursor.text(next).lowercased())
    default: return false
    }
  }

  func infix(_ token: Token, _ minimum: Precedence) -> InfixOperator? {
    guard let found = InfixOperator(token) ?? selectorOperator(token, minimum) else { return nil }
    return found.precedence >= minimum ? found : nil
  }

  private func join(
    _ left: Operand, _ infix: InfixOperator
  ) throws(SyntaxError) -> Operand {
    switch infix {
    case .and: return .predicate(try chain(left, .and))
    case .or: return .predicate(try chain(left, .or))
    case .comparison(let operation):
      return .predicate(try comparison(value(left), operation, modifier: .direct))
    case .assignment: return .expression(try assignment(to: value(left)))
    case .set(let operation): return .expression(try setOperation(value(left), operation))
    case .arithmetic(let operation): return .expression(try arithmetic(value(left), operation))
    }
  }

  /// `a AND b AND c` is one node.
  private func chain(
    _ left: Operand, _ connective: Precedence
  ) throws(SyntaxError) -> PredicateTree {
    var parts = [try predicate(left)]
    var highest = height
    while let infix = infix(optional, connective), infix.precedence == connective {
      take()
      try checkLeft(of: parts[parts.count - 1])
      let right = try operand(connective.tighter)
      if connective == .and { try checkBounds(of: parts[parts.count - 1], right) }
      parts.append(try part(right, behind: parts[parts.count - 1]))
      highest = max(highest, height)
    }
    let span = left.span.joined(lastSpan)
    try grow(above: highest, at: span)
    return PredicateTree(connective == .and ? .and(parts) : .or(parts), span: span)
  }

  private func arithmetic(
    _ left: ExpressionTree, _ operation: ArithmeticOperator
  ) throws(SyntaxError) -> ExpressionTree {
    let leftHeight = height
    let sign = take().span
    let right = try expression(operation.precedence.tighter)
    let span = left.span.joined(right.span)
    try grow(above: max(leftHeight, height), at: sign)
    if operation == .subtract || operation == .divide { warnAboutDate(span) }
    if operation == .bitwiseXor { warnAboutCaret(sign, right) }
    let call = FunctionCall(operation.function, [left, right], nameSpan: sign)
    return ExpressionTree(.function(call), span: span)
  }

  private func setOperation(
    _ left: ExpressionTree, _ operation: SetOperation
  ) throws(SyntaxError) -> ExpressionTree {
    let leftHeight = height
    let word = take().span
    let right = try expression(Precedence.set.tighter)
    try grow(above: max(leftHeight, height), at: word)
    return ExpressionTree(
      .setOperation(operation, left, right), span: left.span.joined(right.span))
  }

  private func assignment(
    to left: ExpressionTree
  ) throws(SyntaxError) -> ExpressionTree {
    guard case .variable(let name) = left.kind else {
      throw SyntaxError(
        PredicateSyntaxFacts.unexpected(.variable, found: cursor.text(left.span)), at: left.span)
    }
    let sign = take().span
    let outside = try enter(at: sign)
    // No bracket: the options of a sort key may stand at its end.
    context.readsSortKey = outside.readsSortKey
    let right = try expression(.assignment)
    leave(to: outside)
    try grow(above: height, at: sign)
    return ExpressionTree(.assignment(name, right), span: left.span.joined(right.span))
  }
}

extension ExpressionTree {
  /// Whether it may stand as a predicate where a boolean key may: not a number, text or list.
  var mayBeTrue: Bool {
    switch kind {
    case .keyPath, .variable, .function, .message, .index, .ternary, .predicate, .fetch: true
    case .constant(let constant):
      constant.value == .boolean(true) || constant.value == .boolean(false)
    case .evaluatedObject, .indexAfterDot, .aggregate, .subquery, .setOperation, .assignment,
      .anyKey, .objectOrQuotient:
      false
    }
  }
}
