package import KuraDiagnostics
package import KuraPredicates

/// `fetch MemoDate where title CONTAINS[cd] "誕生" sort date desc limit 5`,
/// `count MemoDate where notifiable == YES`, `exists MemoDate`
extension FetchTree: StatementTree {
  package var typedParts: [TypedPart] { [.fetch(self)] }
}

extension StatementSyntax {
  static let fetch = StatementSyntax(
    "fetch",
    synopsis: """
      fetch ENTITY [as $NAME]
        [where PREDICATE]
        [sort KEY [asc|desc] [nulls first|last], …]
        [offset N] [limit N [per KEY, …]] [batch N]
        [select [distinct] EXPR [as NAME], …] [distinct]
        [group by KEY, …] [having PREDICATE]
        [section by KEY]
        [without subentities]
      """,
    summary: "shows the objects that match a predicate, or their values",
    example: "fetch MemoDate where title CONTAINS[cd] \"誕生\" sort date desc limit 5"
  ) { parser throws(SyntaxError) in
    try parser.readFetch()
  }

  static let count = StatementSyntax(
    "count", synopsis: "count ENTITY [where PREDICATE] [without subentities]",
    summary: "counts the objects that match a predicate",
    example: "count MemoDate where notifiable == YES"
  ) { parser throws(SyntaxError) in
    try parser.readFetch(.count)
  }

  static let exists = StatementSyntax(
    "exists", synopsis: "exists ENTITY [where PREDICATE] [without subentities]",
    summary: "shows whether any object matches a predicate",
    example: "exists MemoDate where notifiable == YES"
  ) { parser throws(SyntaxError) in
    try parser.readFetch(.exists)
  }
}

extension FetchTree {
  /// Reads the objects that a part of a text names: `Item/3`, `Item where done == NO`, also after
  /// the word `fetch`.
  package static func objects(
    named span: SourceSpan, in source: SourceText
  ) throws(Diagnostic) -> FetchTree {
    let lexer = Lexer(
      source.bytes, from: span.start, to: span.end, base: 0, mode: .statement)
    do throws(SyntaxError) {
      return try StatementParser(TokenCursor(lexer)).readObjects()
    } catch { throw error.diagnostic }
  }
}

extension StatementParser {
  fileprivate func readObjects() throws(SyntaxError) -> FetchTree {
    _ = takeWord("fetch")
    let fetch = try readFetch()
    if optional.end == nil { throw predicates.unexpectedTail() }
    return fetch
  }

  /// Reads what follows the word `fetch`, `count` or `exists`; a word of the enclosing statement
  /// may end it.
  func readFetch(
    _ result: FetchTree.Result = .objects, among clauses: [FetchClause]? = nil,
    until ends: EndWords = []
  ) throws(SyntaxError) -> FetchTree {
    let start = lastSpan
    var fetch = FetchTree(result, of: try readSource(takesElements: true))
    let outside = predicates.recorder?.open
    if let name = try readObjectName() {
      fetch.objectName = name
      predicates.elements.append(name)
    }
    defer { if fetch.objectName != nil { predicates.elements.removeLast() } }
    try readClauses(of: &fetch, among: clauses ?? FetchClause.all(of: result), until: ends)
    if let outside { predicates.recorder?.open = outside }
    fetch.span = start.joined(lastSpan)
    return fetch
  }

  /// Reads the `as $s` of `fetch Shop as $s`. Another word after `as` may belong to the enclosing statement.
  private func readObjectName() throws(SyntaxError) -> String? {
    predicates.expectAtEnd(.words(["as"]))
    guard isWord(optional, "as") else { return nil }
    let name = cursor.peek()
    if name.kind == .word, isRead(text(name)) {
      throw error(.variableWithoutSign(text(name)), at: name.span, fix: "$" + text(name))
    }
    guard name.kind == .variable else { return nil }
    take()
    return try predicates.name(of: take())
  }

  /// Returns whether the statement reads a variable after the cursor.
  private func isRead(_ variable: String) -> Bool {
    var ahead = cursor
    while ahead.token.end == nil {
      if ahead.token.kind == .variable, ahead.text(ahead.token) == "$" + variable { return true }
      ahead.take()
    }
    return false
  }

  /// Reads the source of a fetch: `MemoDate`, `Item/3`, `$home.items`, `_`; `Category.items` too if elements are wanted,
  /// which cannot be changed.
  func readSource(takesElements: Bool = false) throws(SyntaxError) -> FetchSource {
    predicates.expectAtEnd(.source)
    let token = required
    if token.kind == .variable || isObject(token) {
      let tree = try predicates.parseFetchSource()
      return FetchSource(.objects(tree), span: tree.span)
    }
    try refuseIdleWord("from")
    try refuseIdleWord("all")
    let name = try takeName(.entity)
    if name.text == "_", token.kind == .word { return FetchSource(.last, span: name.span) }
    let path = try readElementPath(of: name.text)
    guard let last = path.last else { return FetchSource(.entity(name.text), span: name.span) }
    guard takesElements else {
      throw error(.changedElements(entity: name.text), at: name.span.joined(last.span))
    }
    return FetchSource(
      .elements(entity: name.text, path: path), span: name.span.joined(last.span))
  }

  /// Reads the `.items` of `Category.items`.
  private func readElementPath(of entity: String) throws(SyntaxError) -> [KeyComponent] {
    var path: [KeyComponent] = []
    while required.is(.dot), required.isAdjacent {
      take()
      predicates.expectAtEnd(.elements(entity: entity, keys: path.map(\.name)))
      if text(required) == "@allValues" {
        path.append(KeyComponent("allValues", .collectionOperator, span: take().span))
      } else {
        let key = try takeName(.key)
        path.append(KeyComponent(key.text, span: key.span))
      }
    }
    return path
  }

  /// Throws for a word of SQL before an entity: `fetch from Item`, `insert into Item`.
  ///
  /// If the word were the name of the entity, a clause, a key with `=`, or the end would follow.
  func refuseIdleWord(_ word: StaticString) throws(SyntaxError) {
    guard isWord(required, word) else { return }
    let statement = cursor.text(lastSpan)
    var ahead = cursor
    ahead.take()
    let next = ahead.required
    guard next.kind == .word, !next.startsLine,
      FetchClause(word: ahead.bytes(next.span)) == nil
    else { return }
    ahead.take()
    guard !ahead.required.is(.equal) else { return }
    let span = required.span
    throw error(
      .idleWord(cursor.text(span), after: statement), at: span, fix: "")
  }

  /// Returns whether a token begins the name of an object: `Item/3`
  private func isObject(_ token: Token) -> Bool {
    guard token.kind == .word || token.kind == .hashWord, predicates.mayPrecede("/") else {
      return false
    }
    let next = cursor.peek()
    return next.is(.slash) && next.isAdjacent
  }
}
