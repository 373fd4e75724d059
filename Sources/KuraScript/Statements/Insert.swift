package import KuraDiagnostics
package import KuraPredicates

/// `insert ENTITY key = EXPR, …` or `insert ENTITY {"key": value, …}`
package struct InsertStatement: StatementTree {
  package var entity: Name
  package var values: Values
  /// What happens to an object that has the same values of a unique key; nil if Kura looks for none.
  package var existing: Existing?
  /// `as "Tidy up"`: the name in the history.
  package var actionName: Name?

  package enum Values: Sendable {
    /// `title = "x", date = today()`
    case assignments([Assignment])
    /// The span of one JSON object or an array of objects.
    case json(SourceSpan)
  }

  /// The second verb of `insert or fetch`, `insert or update`.
  package enum Existing: String, Sendable, CaseIterable {
    case fetch, update
  }

  package var typedParts: [TypedPart] {
    guard case .assignments(let assignments) = values else { return [.fetch(inserted)] }
    return assignments.typedParts(of: inserted)
  }

  /// The new object as the result of a fetch.
  fileprivate var inserted: FetchTree {
    FetchTree(of: FetchSource(.entity(entity.text), span: entity.span))
  }
}

extension StatementSyntax {
  static let insert = StatementSyntax(
    "insert",
    synopsis: """
      insert ENTITY key = EXPR, …
      insert ENTITY {"key": value, …}
      insert ENTITY key = (insert key = EXPR, …)
      insert ENTITY key = {(insert key = EXPR, …), …}
      insert or fetch ENTITY key = EXPR, …
      insert or update ENTITY key = EXPR, …
      insert … as "NAME"
      """,
    summary: "creates an object, or several from JSON",
    example: "insert MemoDate title = \"父の誕生日\", date = \"1935-06-11\""
  ) { parser throws(SyntaxError) in
    try parser.readInsert()
  }
}

extension StatementParser {
  /// Reads what follows the word `insert`.
  func readInsert() throws(SyntaxError) -> InsertStatement {
    let existing = try readExisting()
    try refuseIdleWord("into")
    let entity = try takeName(.entity)
    var statement = InsertStatement(
      entity: entity, values: .assignments([]), existing: existing)
    isAbout(statement.inserted.source)
    let isJSON = required.is(.leftBrace) || required.is(.leftBracket)
    statement.values =
      isJSON
      ? .json(try takeJSON())
      : .assignments(try readAssignments(allowing: [.set], for: statement.inserted))
    statement.actionName = try readActionName()
    return statement
  }

  /// Reads the `or fetch` of `insert or fetch`.
  private func readExisting() throws(SyntaxError) -> InsertStatement.Existing? {
    guard isWord(required, "or"), !cursor.peek().is(.equal) else { return nil }
    take()
    let words = InsertStatement.Existing.allCases.map(\.rawValue)
    predicates.expectAtEnd(.words(words))
    let token = required
    guard token.end == nil,
      let existing = InsertStatement.Existing(rawValue: text(token).lowercased())
    else { throw expected(.word(words[0])) }
    take()
    return existing
  }

  /// Takes the span of a JSON object or array, which another module parses.
  private func takeJSON() throws(SyntaxError) -> SourceSpan {
    let start = required.span.start
    var scan = JSONScan(cursor.bytes(SourceSpan(start, cursor.endOffset)))
    switch scan.run() {
    case .end(let length):
      let span = SourceSpan(start, start + length)
      cursor.jump(to: span.end)
      return span
    case .unclosed(let offset):
      throw error(.unclosedJSON(.text), at: SourceSpan(start + offset, start + offset + 1))
    case .unclosedQuote(let offset):
      throw SyntaxError(
        PredicateSyntaxProblem.unclosedQuote("\"", followsString: false),
        at: SourceSpan(start + offset, start + offset + 1))
    case .wrongBracket(let offset, let found, let wanted):
      throw error(
        .wrongJSONBracket(found, wanted: wanted),
        at: SourceSpan(start + offset, start + offset + 1))
    }
  }
}

/// Finds the end of a JSON object or array, reading only brackets and strings.
struct JSONScan {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  /// The open brackets, with the byte that closes each.
  private var open: [(offset: Int, closing: UInt8)] = []

  /// Begins at the first byte, which is `{` or `[`.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The result; offsets count from the first byte.
  enum Outcome {
    /// The length of the value.
    case end(Int)
    /// A bracket that is not closed.
    case unclosed(Int)
    /// A string that does not end on its line.
    case unclosedQuote(Int)
    /// A bracket that closes another kind.
    case wrongBracket(Int, found: String, wanted: String)
  }

  mutating func run() -> Outcome {
    while position < bytes.endIndex {
      let offset = position - bytes.startIndex
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"): open.append((offset, UInt8(ascii: "}")))
      case UInt8(ascii: "["): open.append((offset, UInt8(ascii: "]")))
      case UInt8(ascii: "\""):
        if !skipString() { return .unclosedQuote(offset) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let last = open.popLast(), last.closing == byte else {
          return wrong(byte, at: offset)
        }
        if open.isEmpty { return .end(offset + 1) }
      default: break
      }
    }
    return .unclosed(open.last?.offset ?? 0)
  }

  private func wrong(_ byte: UInt8, at offset: Int) -> Outcome {
    let wanted = byte == UInt8(ascii: "}") ? "]" : "}"
    return .wrongBracket(offset, found: String(Unicode.Scalar(byte)), wanted: wanted)
  }

  private mutating func skipString() -> Bool {
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") { return false }
      position += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\"), position < bytes.endIndex,
        bytes[position] != UInt8(ascii: "\n")
      {
        position += 1
      }
    }
    return false
  }
}

extension InsertStatement: RepeatableStatement {
  func pattern(of line: [UInt8]) -> LinePattern? {
    guard actionName == nil, existing == nil, case .assignments(let assignments) = values,
      assignments.allSatisfy({ $0.literal != nil })
    else { return nil }
    return LinePattern(line, values: assignments.map(\.value.span))
  }

  func repeated(_ match: LineMatch) -> (any StatementTree)? {
    guard case .assignments(let assignments) = values else { return nil }
    var tree = self
    tree.values = .assignments(match.assignments(assignments, from: 0))
    return tree
  }
}

/// A new object in the value of a relationship, `(insert Book title = "x")`, `(insert title = "x")`
package struct NestedInsert: Sendable {
  /// The entity; nil for the destination of the relationship.
  package var entity: Name?
  package var assignments: [Assignment]
  /// The index among the objects of the value.
  package var place: Int
  /// The new object as the result of a fetch, for checks and completion.
  package var inserted: FetchTree
}

extension [Assignment] {
  /// The parts of a statement that sets these keys, with those of nested insertions.
  func typedParts(of inserted: FetchTree) -> [TypedPart] {
    [.assignments(self, to: inserted, isInsertion: true)]
      + flatMap(\.created).flatMap { $0.assignments.typedParts(of: $0.inserted) }
  }
}

extension StatementParser {
  /// Reads the value of a key of a new object, with new objects among its parts; nil if it begins
  /// otherwise.
  ///
  /// Their place in the expression is NULL.
  func readCreated(
    as key: Name, of inserted: FetchTree, depth: Int
  ) throws(SyntaxError) -> (value: ExpressionTree, created: [NestedInsert])? {
    let start = required.span
    if beginsInsert(cursor) {
      let new = try readNested(0, as: key, of: inserted, depth: depth)
      return (ExpressionTree(.constant(Constant(.null)), span: start.joined(lastSpan)), [new])
    }
    guard required.is(.leftBrace), hasInsertInBraces else { return nil }
    take()
    var (parts, created): ([ExpressionTree], [NestedInsert]) = ([], [])
    repeat {
      if beginsInsert(cursor) {
        created.append(try readNested(parts.count, as: key, of: inserted, depth: depth))
        parts.append(ExpressionTree(.constant(Constant(.null)), span: lastSpan))
      } else {
        parts.append(try predicates.parseExpression())
      }
    } while takeComma()
    try take(.rightBrace)
    return (ExpressionTree(.aggregate(parts), span: start.joined(lastSpan)), created)
  }

  private func readNested(
    _ place: Int, as key: Name, of inserted: FetchTree, depth: Int
  ) throws(SyntaxError) -> NestedInsert {
    let open = take()
    try predicates.grow(above: depth, at: open.span)
    take()
    let next = cursor.peek()
    let isEntity = required.end == nil && !next.is(.equal)
    let entity = isEntity ? try takeName(.entity) : nil
    let source =
      entity.map { FetchSource(.entity($0.text), span: $0.span) }
      ?? FetchSource(.objects(inserted.source.path(to: key)), span: key.span)
    let outside = predicates.recorder?.open.count ?? 0
    isAbout(source)
    let new = FetchTree(of: source)
    let assignments = try readAssignments(allowing: [.set], for: new, depth: depth + 1)
    try take(.rightParenthesis)
    predicates.recorder?.open.removeSubrange(outside...)
    return NestedInsert(entity: entity, assignments: assignments, place: place, inserted: new)
  }

  /// Returns whether `(insert` comes next.
  private func beginsInsert(_ cursor: TokenCursor) -> Bool {
    cursor.required.is(.leftParenthesis) && cursor.isWord(cursor.peek(), "insert")
  }

  /// Whether a value comes next that contains new objects.
  var beginsWithNew: Bool {
    beginsInsert(cursor) || required.is(.leftBrace) && hasInsertInBraces
  }

  /// Whether a list that comes next has an element that begins with `(insert`.
  private var hasInsertInBraces: Bool {
    var ahead = cursor
    ahead.take()
    while ahead.token.end == nil, ahead.depth > cursor.depth {
      if beginsInsert(ahead) { return true }
      ahead.take()
    }
    return false
  }
}

extension FetchSource {
  /// Returns the objects of a relationship of an object of this source.
  fileprivate func path(to key: Name) -> ExpressionTree {
    let component = KeyComponent(key.text, span: key.span)
    switch kind {
    case .objects(let tree):
      if case .keyPath(var path) = tree.kind {
        path.components.append(component)
        return ExpressionTree(.keyPath(path), span: key.span)
      }
      return ExpressionTree(.keyPath(KeyPathTree(base: tree, [component])), span: key.span)
    case .entity(let name), .elements(let name, _):
      let base = ExpressionTree(.objectOrQuotient(entity: name, number: 1), span: span)
      return ExpressionTree(.keyPath(KeyPathTree(base: base, [component])), span: key.span)
    case .last: return ExpressionTree(.keyPath(KeyPathTree([component])), span: key.span)
    }
  }
}
