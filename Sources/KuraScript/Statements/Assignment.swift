import KuraDiagnostics
package import KuraPredicates
package import KuraValues

/// `done = YES`, `tags += Tag/3`, `meta.sizes[0] = 3`
package struct Assignment: Sendable {
  package var key: Name
  /// The steps from the attribute to a part of its JSON: `.sizes`, `[0]`
  package var path: [Step] = []
  package var operation: Operation
  package var value: ExpressionTree
  /// The new objects in the value of a relationship.
  package var created: [NestedInsert] = []

  package enum Operation: String, Sendable, Hashable {
    case set = "="
    /// Adds to a to-many relationship, or to a number.
    case add = "+="
    /// Removes from a to-many relationship, or subtracts from a number.
    case subtract = "-="
  }

  package enum Step: Sendable {
    case key(KeyComponent)
    /// `[0]`, with its span
    case index(IndexKind, SourceSpan)
  }

  /// The span of the key with its path.
  package var target: SourceSpan { (path.last?.end).map(key.span.joined) ?? key.span }
}

extension Assignment.Step {
  /// The span of the key, or of an index with its brackets.
  var end: SourceSpan {
    switch self {
    case .key(let key): key.span
    case .index(_, let span): span
    }
  }

  fileprivate func isEqual(to other: Assignment.Step) -> Bool {
    switch (self, other) {
    case (.key(let a), .key(let b)): a == b
    case (.index(let a, _), .index(let b, _)): a == b
    case (.key, .index), (.index, .key): false
    }
  }
}

extension Assignment {
  /// What is assigned, as an expression: `meta.sizes[0]`
  package var targetTree: ExpressionTree { Self.tree(key, path) }

  fileprivate static func tree(_ key: Name, _ path: [Step]) -> ExpressionTree {
    let start = ExpressionTree(
      .keyPath(KeyPathTree([KeyComponent(key.text, span: key.span)])), span: key.span)
    return path.reduce(into: start) { tree, step in
      let span = key.span.joined(step.end)
      switch (step, tree.kind) {
      case (.key(let key), .keyPath(var path)):
        path.components.append(key)
        tree = ExpressionTree(.keyPath(path), span: span)
      case (.key(let key), _):
        tree = ExpressionTree(.keyPath(KeyPathTree(base: tree, [key])), span: span)
      case (.index(let index, _), _): tree = ExpressionTree(.index(tree, index), span: span)
      }
    }
  }

  /// Returns whether it sets a part of what a path of a key denotes, or the reverse.
  fileprivate func overlaps(_ key: Name, _ path: [Step]) -> Bool {
    self.key.text == key.text && zip(self.path, path).allSatisfy { $0.isEqual(to: $1) }
  }

  /// The constant value; nil for any other expression.
  package var literal: Value? {
    guard created.isEmpty else { return nil }
    return if case .constant(let constant) = value.kind { constant.value } else { nil }
  }
}

extension LineMatch {
  /// Returns the assignments of a line with its values and spans; `first` is the place of the first
  /// one's value.
  func assignments(_ assignments: [Assignment], from first: Int) -> [Assignment] {
    assignments.enumerated().map { i, old in
      var assignment = old
      assignment.key.span = moved(old.key.span)
      assignment.value.span = moved(old.value.span)
      if let given = value(first + i) {
        assignment.value = ExpressionTree(.constant(given.constant), span: given.span)
      }
      return assignment
    }
  }
}

extension StatementParser {
  /// Reads `title = "x", tags += Tag/3`; each key may occur once.
  ///
  /// The values of a new object can contain new objects.
  func readAssignments(
    allowing operations: Set<Assignment.Operation>, for new: FetchTree? = nil, depth: Int = 0
  ) throws(SyntaxError) -> [Assignment] {
    guard required.kind == .word || required.kind == .hashWord else {
      throw inBrackets(expected(operations.contains(.add) ? .edit : .assignment))
    }
    let set = required
    if isWord(set, "set"), operations == [.set], cursor.peek().kind == .word {
      throw error(.idleWord("set", after: "insert"), at: set.span, fix: "")
    }
    var assignments: [Assignment] = []
    var keys: Set<String> = []
    repeat {
      try refuseClause(after: lastSpan)
      let key = try predicates.inside(.list(given: keys.sorted())) { () throws(SyntaxError) in
        try takeName(.key)
      }
      let path = operations.contains(.add) ? try readPath() : []
      let isGiven = !keys.insert(key.text).inserted
      if isGiven, let other = assignments.first(where: { $0.overlaps(key, path) }) {
        let shorter = other.path.count < path.count ? cursor.text(other.target) : nil
        let target = key.span.joined(lastSpan)
        throw error(.repeatedKey(shorter ?? cursor.text(target)), at: target)
      }
      let operation = try takeOperation(allowing: operations)
      if let new, let (value, created) = try readCreated(as: key, of: new, depth: depth) {
        assignments.append(
          Assignment(key: key, operation: operation, value: value, created: created))
        continue
      }
      if new == nil, beginsWithNew { throw error(.nestedInsertInUpdate, at: required.span) }
      let value = try predicates.parseValue(of: Assignment.tree(key, path))
      warnOfJoined(value, key)
      assignments.append(
        Assignment(key: key, path: path, operation: operation, value: value))
    } while takeComma()
    return assignments
  }

  /// Reads the `.sizes[0]` of `meta.sizes[0]`.
  private func readPath() throws(SyntaxError) -> [Assignment.Step] {
    var path: [Assignment.Step] = []
    while optional.isAdjacent {
      try predicates.grow(above: path.count, at: optional.span)
      if optional.is(.leftBracket) {
        let bracket = optional.span
        path.append(.index(try predicates.parseIndex(), bracket.joined(lastSpan)))
      } else if optional.is(.dot) {
        take()
        let key = optional.kind == .string ? try takeString() : try takeName(.key)
        path.append(.key(KeyComponent(key.text, span: key.span)))
      } else {
        break
      }
    }
    return path
  }

  /// Warns of `set sold = YES and price = 2`, which sets one key to a Boolean.
  private func warnOfJoined(_ value: ExpressionTree, _ key: Name) {
    guard case .predicate(let tree) = value.kind, case .and(let parts) = tree.kind else { return }
    let commas = zip(parts, parts.dropFirst()).compactMap { before, part -> TextEdit? in
      guard case .comparison(let comparison) = part.kind,
        case .keyPath(let path) = comparison.left.kind,
        path.base == nil, path.components.count == 1, cursor.text(comparison.operationSpan) == "="
      else { return nil }
      return TextEdit(SourceSpan(before.span.end, part.span.start - 1), ",")
    }
    guard let first = commas.first, commas.count == parts.count - 1 else { return }
    predicates.warnings.append(
      Diagnostic(
        StatementProblem.joinedAssignments(key.text), at: first.span, fixIt: FixIt(edits: commas),
        severity: .warning))
  }

  /// Returns the error of `insert Item (title = "x")`, with a fix that removes the brackets.
  private func inBrackets(_ error: SyntaxError) -> SyntaxError {
    let open = required
    guard open.is(.leftParenthesis) else { return error }
    return error.corrected(by: [replacingBrackets(with: open.isAdjacent ? " " : "", "")])
  }

  /// Throws for `set done = YES, where …`, in which a clause follows a comma.
  private func refuseClause(after comma: SourceSpan) throws(SyntaxError) {
    let word = required
    guard cursor.text(comma) == ",", isWord(word, "where") else { return }
    let next = cursor.peek()
    guard !next.is(.equal), !next.is(Symbol.plus), !next.is(Symbol.minus) else { return }
    throw error(
      .unexpected(.key, found: text(word)), at: word.span, fixIt: FixIt(comma, ""))
  }

  /// Returns the error of `items + Item/4`, with possible corrections.
  private func expected(equalAfter sign: Token) -> SyntaxError {
    let error = offering(.equal, expected(.symbol(.equal)))
    return error.corrected(
      by: [FixIt(sign.span, cursor.text(sign) + "=")] + error.diagnostic.fixIts)
  }

  /// Reads `=`, `+=`, `-=`.
  private func takeOperation(
    allowing operations: Set<Assignment.Operation>
  ) throws(SyntaxError) -> Assignment.Operation {
    let sign = required
    if operations.contains(.add) { predicates.expectAtEnd(.words(["=", "+=", "-="])) }
    if sign.is(Symbol.plus) || sign.is(Symbol.minus), operations.contains(.add) {
      let next = cursor.peek()
      if next.is(.equal), next.isAdjacent {
        take()
        take()
        return sign.is(Symbol.plus) ? .add : .subtract
      }
      throw expected(equalAfter: sign)
    }
    // The usual advice for `≠`, the operator in a predicate, does not help for `done ≠ YES`.
    if ["≠", "≤", "≥"].contains(cursor.text(sign)) {
      throw expected(.symbol(.equal)).corrected(by: [FixIt(sign.span, "=")])
    }
    try take(.equal)
    try refuseReversedSign(after: sign)
    return .set
  }

  /// `priority =- 1`, which most likely means `-=`; `= -1` and `=-1` are values.
  private func refuseReversedSign(after equal: Token) throws(SyntaxError) {
    let sign = required
    guard sign.is(Symbol.minus), sign.isAdjacent, !cursor.peek().isAdjacent else { return }
    let span = equal.span.joined(sign.span)
    let fixes = [FixIt(span, "-="), FixIt(SourceSpan(span.start, cursor.peek().span.start), "= -")]
    throw SyntaxError(StatementProblem.reversedSign(text(sign)), at: span, fixIts: fixes)
  }
}

extension PredicateParser {
  /// Reads the value for a key; completion knows its type.
  fileprivate func parseValue(of target: ExpressionTree) throws(SyntaxError) -> ExpressionTree {
    try inside(.right(of: target, .equal, .direct)) { () throws(SyntaxError) in
      try parseExpressionOrPredicate()
    }
  }
}
