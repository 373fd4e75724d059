package import KuraDiagnostics
package import KuraPredicates

/// `update ENTITY set key = EXPR, … where PREDICATE`
package struct UpdateStatement: StatementTree {
  package var target: ChangeTarget
  package var assignments: [Assignment]
  /// `as "Tidy up"`: the name in the history.
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

/// The objects of an `update` or `delete`.
package struct ChangeTarget: Sendable {
  /// `Item`, `Item/3`, `$home.items`, `_`
  package var source: FetchSource
  /// `where done == YES`
  package var predicate: PredicateTree?
  /// `all`: every object of the entity.
  package var all: SourceSpan?

  /// Whether it names an entity without selecting its objects.
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

extension ChangeTarget {
  /// The object, if it is named by its number and there is no other condition: `MemoDate/7`
  package var soleObject: (entity: String, number: Int64)? {
    guard predicate == nil, all == nil, case .objects(let tree) = source.kind,
      case .objectOrQuotient(let entity, let number) = tree.kind
    else { return nil }
    return (entity, number)
  }
}

extension UpdateStatement: RepeatableStatement {
  func pattern(of line: [UInt8]) -> LinePattern? {
    guard actionName == nil, let object = target.soleObject,
      assignments.allSatisfy({ $0.literal != nil && $0.path.isEmpty })
    else { return nil }
    let (digits, end) = (Array(String(object.number).utf8), target.source.span.end)
    guard line[..<end].suffix(digits.count) == digits[...] else { return nil }
    let number = SourceSpan(end - digits.count, end)
    return LinePattern(line, values: [number] + assignments.map(\.value.span))
  }

  func repeated(_ match: LineMatch) -> (any StatementTree)? {
    // An object's number is written without a sign and leading zeros.
    guard let number = match.value(0), case .integer(let object) = number.constant.value,
      object > 0, String(object).utf8.count == number.span.end - number.span.start,
      let entity = target.soleObject?.entity
    else { return nil }
    let span = SourceSpan(target.source.span.start, number.span.end)
    var tree = self
    tree.target.source = FetchSource(
      .objects(ExpressionTree(.objectOrQuotient(entity: entity, number: object), span: span)),
      span: span)
    tree.assignments = match.assignments(assignments, from: 1)
    return tree
  }
}

extension StatementSyntax {
  static let update = StatementSyntax(
    "update",
    synopsis: """
      update ENTITY set KEY = EXPR, … where PREDICATE
      update ENTITY set KEY = EXPR, … all
      update OBJECT set KEY += EXPR, KEY -= EXPR
      update … set KEY.PATH[0] = EXPR
      update … as "NAME"
      """,
    summary: "sets keys or parts of JSON; += and -= change to-many relationships and numbers",
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
    summary: "deletes objects, and follows their delete rules",
    example: "delete Item where done == YES"
  ) { parser throws(SyntaxError) in
    var target = try parser.readTarget()
    try parser.readLimits(of: &target)
    return DeleteStatement(target: target, actionName: try parser.readActionName())
  }
}

extension StatementParser {
  /// Reads what follows the word `update`.
  fileprivate func readUpdate() throws(SyntaxError) -> UpdateStatement {
    var target = try readTarget()
    predicates.expectAtEnd(.words(["set"]))
    guard isWord(required, "set") else { throw clauseBeforeSet(expected(.word("set"))) }
    take()
    let assignments = try readAssignments(allowing: [.set, .add, .subtract])
    try readLimits(of: &target)
    return UpdateStatement(
      target: target, assignments: assignments, actionName: try readActionName())
  }

  /// Returns the error of `update Item where … set …`, with a fix that moves the clause to the end.
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
    return error.corrected(by: [
      FixIt(edits: [
        TextEdit(SourceSpan(start, set), ""),
        TextEdit(SourceSpan(ahead.lastSpan.end, ahead.lastSpan.end), " " + cursor.text(clause)),
      ])
    ])
  }

  /// Reads `as "Tidy up"`, the name of the change for `undo list` and `undo`.
  func readActionName() throws(SyntaxError) -> Name? {
    predicates.expectAtEnd(.words(["as"]))
    guard takeWord("as") != nil else { return nil }
    let name = try takeString()
    return name.text.isEmpty ? nil : name
  }

  /// Reads the objects to change, whose keys can follow.
  fileprivate func readTarget() throws(SyntaxError) -> ChangeTarget {
    let source = try readSource()
    isAbout(source)
    return ChangeTarget(source: source)
  }

  /// Records the objects whose keys can follow, for completion.
  func isAbout(_ source: FetchSource) {
    predicates.recorder?.open.append(.fetch(FetchTree(of: source), clause: nil))
  }

  /// Reads `where PREDICATE` or `all`; after named objects both are optional.
  fileprivate func readLimits(of target: inout ChangeTarget) throws(SyntaxError) {
    // Without one of the two the statement is incomplete, and continues in the next line.
    predicates.expectAtEnd(.words(["where", "all"]))
    let next = target.isUnlimited ? required : optional
    if isWord(next, "where") {
      take()
      target.predicate = try predicates.parsePredicate()
    } else if isWord(next, "all") {
      target.all = take().span
    }
    if target.isUnlimited { throw expected(.limits(of: textSoFar)) }
  }

  /// The statement up to here, on one line; only the first words of a long one.
  private var textSoFar: String {
    let words = cursor.text(start.joined(lastSpan)).split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    return text.count <= 60 ? text : words.prefix(2).joined(separator: " ") + " …"
  }
}
