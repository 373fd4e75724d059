package import KuraDiagnostics
package import KuraPredicates

/// `update ENTITY set key = EXPR, … where PREDICATE`
package struct UpdateStatement: StatementTree {
  package var target: ChangeTarget
  package var assignments: [Assignment]
  /// `as "Tidy up"`: what the history calls it.
  package var actionName: Name?

  package var typedParts: [TypedPart] { [.assignments(assignments, to: target.fetch)] }
}

/// `delete Item where done == YES`
package struct DeleteStatement: StatementTree {
  package var target: ChangeTarget
  /// `as "Tidy up"`
  package var actionName: Name?

  package var typedParts: [TypedPart] { [.fetch(target.fetch)] }
}

/// `done = YES`, `tags += Tag/3`
package struct Assignment: Sendable {
  package var key: Name
  package var operation: Operation
  package var value: ExpressionTree

  package enum Operation: String, Sendable, Hashable {
    case set = "="
    /// To a to-many relationship, or a number.
    case add = "+="
    /// From a to-many relationship, or a number.
    case subtract = "-="
  }
}

/// The objects that an `update` or `delete` is about.
package struct ChangeTarget: Sendable {
  /// `Item`, `Item/3`, `$home.items`, `_`
  package var source: FetchSource
  /// `where done == YES`
  package var predicate: PredicateTree?
  /// `all`: every object of the entity is meant.
  package var all: SourceSpan?

  /// Whether it names an entity and does not say which of its objects.
  package var isUnlimited: Bool {
    guard case .entity = source.kind else { return false }
    return predicate == nil && all == nil
  }

  /// The fetch that finds the objects.
  package var fetch: FetchTree {
    var fetch = FetchTree(of: source, span: source.span)
    fetch.predicate = predicate
    return fetch
  }
}

extension StatementSyntax {
  static let update = StatementSyntax(
    "update",
    synopsis: """
      update ENTITY set KEY = EXPR, … where PREDICATE
      update ENTITY set KEY = EXPR, … all
      update OBJECT set KEY += EXPR, KEY -= EXPR
      update … as "NAME"
      """,
    summary: "gives keys of objects other values; += and -= for to-manys and numbers",
    example: "update Item set done = YES where title == \"x\""
  ) { parser throws(SyntaxError) in
    try parser.readUpdate()
  }

  static let delete = StatementSyntax(
    "delete",
    synopsis: """
      delete ENTITY where PREDICATE
      delete ENTITY all
      delete OBJECT
      delete … as "NAME"
      """,
    summary: "deletes objects, and what their delete rules say of others",
    example: "delete Item where done == YES"
  ) { parser throws(SyntaxError) in
    var target = try parser.readTarget()
    try parser.readLimits(of: &target)
    return DeleteStatement(target: target, actionName: try parser.readActionName())
  }
}

extension StatementParser {
  /// What follows the word `update`.
  fileprivate func readUpdate() throws(SyntaxError) -> UpdateStatement {
    var target = try readTarget()
    predicates.noteEnd(.words(["set"]))
    guard isWord(required, "set") else { throw clauseBeforeSet(expected(.word("set"))) }
    take()
    let assignments = try readAssignments(allowing: [.set, .add, .subtract])
    try readLimits(of: &target)
    return UpdateStatement(
      target: target, assignments: assignments, actionName: try readActionName())
  }

  /// The error of `update Item where … set …`, with the clause behind.
  private func clauseBeforeSet(_ error: SyntaxError) -> SyntaxError {
    guard isWord(required, "where") || isWord(required, "all") else { return error }
    var ahead = cursor
    let start = required.span.start
    while ahead.token.end == nil, !ahead.isWord(ahead.token, "set") || ahead.depth > 0 {
      ahead.take()
    }
    guard ahead.token.end == nil else { return error }
    let clause = SourceSpan(start, ahead.lastSpan.end)
    let set = ahead.token.span.start
    while ahead.optional.end == nil { ahead.take() }
    var diagnostic = error.diagnostic
    diagnostic.fixIts = [
      FixIt(edits: [
        TextEdit(SourceSpan(start, set), ""),
        TextEdit(SourceSpan(ahead.lastSpan.end, ahead.lastSpan.end), " " + cursor.text(clause)),
      ])
    ]
    return SyntaxError(diagnostic)
  }

  /// `as "Tidy up"`: how `undo list` and `undo` call the change.
  func readActionName() throws(SyntaxError) -> Name? {
    predicates.noteEnd(.words(["as"]))
    guard takeWord("as") != nil else { return nil }
    let name = try takeString()
    return name.text.isEmpty ? nil : name
  }

  /// Whose objects are changed; what follows is about them.
  fileprivate func readTarget() throws(SyntaxError) -> ChangeTarget {
    let source = try readSource()
    isAbout(source)
    return ChangeTarget(source: source)
  }

  /// Says whose keys may stand behind, to who wants to know what may stand at a cursor.
  func isAbout(_ source: FetchSource) {
    predicates.breakOff?.open.append(.fetch(FetchTree(of: source), clause: nil))
  }

  /// `where PREDICATE` or `all`, or nothing behind objects.
  fileprivate func readLimits(of target: inout ChangeTarget) throws(SyntaxError) {
    // Without one of the two the statement is not finished, and goes on in the next line.
    predicates.noteEnd(.words(["where", "all"]))
    let next = target.isUnlimited ? required : optional
    if isWord(next, "where") {
      take()
      target.predicate = try predicates.parsePredicate()
    } else if isWord(next, "all") {
      target.all = take().span
    }
    if target.isUnlimited { throw expected(.limits(of: textSoFar)) }
  }

  /// The statement up to here, on one line; the first words of a long one.
  private var textSoFar: String {
    let words = cursor.text(start.joined(lastSpan)).split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    return text.count <= 60 ? text : words.prefix(2).joined(separator: " ") + " …"
  }

  /// `title = "x", tags += Tag/3`; each key once.
  func readAssignments(
    allowing operations: Set<Assignment.Operation>
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
      try refuseClause(behind: lastSpan)
      let key = try takeName(.key)
      if !keys.insert(key.text).inserted { throw error(.repeatedKey(key.text), at: key.span) }
      let operation = try takeOperation(allowing: operations)
      let value = try predicates.parseValue(of: key)
      assignments.append(Assignment(key: key, operation: operation, value: value))
    } while takeComma()
    return assignments
  }

  /// The error of `insert Item (title = "x")`, with the values alone.
  private func inBrackets(_ error: SyntaxError) -> SyntaxError {
    let open = required
    guard open.is(.leftParenthesis) else { return error }
    var ahead = cursor
    ahead.take()
    while ahead.token.end == nil, ahead.depth > cursor.depth { ahead.take() }
    let end = ahead.lastSpan.end
    var diagnostic = error.diagnostic
    diagnostic.fixIts = [
      FixIt(edits: [
        TextEdit(open.span, open.isAdjacent ? " " : ""), TextEdit(SourceSpan(end - 1, end), ""),
      ])
    ]
    return SyntaxError(diagnostic)
  }

  /// `set done = YES, where …`: a clause, and no key.
  private func refuseClause(behind comma: SourceSpan) throws(SyntaxError) {
    let word = required
    guard cursor.text(comma) == ",", isWord(word, "where") else { return }
    let next = cursor.peek()
    guard !next.is(.equal), !next.is(Symbol.plus), !next.is(Symbol.minus) else { return }
    throw error(
      .unexpected(.key, found: text(word)), at: word.span, fixIt: FixIt(comma, ""))
  }

  /// `=`, `+=`, `-=`
  private func takeOperation(
    allowing operations: Set<Assignment.Operation>
  ) throws(SyntaxError) -> Assignment.Operation {
    let sign = required
    if operations.contains(.add) { predicates.noteEnd(.words(["=", "+=", "-="])) }
    if sign.is(Symbol.plus) || sign.is(Symbol.minus), operations.contains(.add) {
      let next = cursor.peek()
      if next.is(.equal), next.isAdjacent {
        take()
        take()
        return sign.is(Symbol.plus) ? .add : .subtract
      }
    }
    try take(.equal)
    return .set
  }
}

extension PredicateParser {
  /// What a key is given; at a cursor that is a value of its type.
  fileprivate func parseValue(of key: Name) throws(SyntaxError) -> ExpressionTree {
    let path = ExpressionTree(.keyPath(KeyPathTree([KeyComponent(key.text)])))
    return try inside(.right(of: path, .equal, .direct)) { () throws(SyntaxError) in
      try parseExpressionOrPredicate()
    }
  }
}
