package import KuraDiagnostics
package import KuraPredicates

/// `abstract entity Item: Task { … }`
package struct EntityDeclaration: StatementTree {
  package var name: Name
  package var parent: Name?
  package var isAbstract = false
  package var properties: [PropertyDeclaration] = []
  /// `unique (title, parentCategory)`
  package var uniquenessConstraints: [[Name]] = []
  package var indexes: [IndexDeclaration] = []

  package init(name: Name) { self.name = name }
}

/// `index date`, `index (category, date desc)`
package struct IndexDeclaration: Sendable {
  package var elements: [(key: Name, isAscending: Bool)]
  package var span: SourceSpan
}

/// `title: string = "x" min 1`, `items: [Item] ordered inverse parent delete cascade`
package struct PropertyDeclaration: Sendable {
  package var name: Name
  /// `string`, `Item`: a type if it is one of the lowercase type words, otherwise an entity.
  package var type: Name
  /// `[Item]`
  package var isToMany = false
  /// `?`
  package var isOptional = false
  package var clauses: [Clause] = []

  package enum Clause: Sendable {
    /// `= NO`
    case defaultValue(ExpressionTree)
    /// `min 0`
    case minimum(ExpressionTree)
    /// `max 5`
    case maximum(ExpressionTree)
    /// `matches "[0-9]+"`
    case matches(Name)
    /// `unique`
    case unique(SourceSpan)
    /// `check (length(title) < 20)`
    case check(PredicateTree)
    /// `transient`
    case transient(SourceSpan)
    /// `derived (items.@count)`
    case derived(ExpressionTree)
    /// `ordered`
    case ordered(SourceSpan)
    /// `inverse items`
    case inverse(Name)
    /// `delete cascade`
    case delete(Name)
  }
}

extension StatementSyntax {
  static let entity = StatementSyntax(
    "entity", orBegins: ["abstract"],
    synopsis: """
      [abstract] entity NAME [: PARENT] {
        KEY: TYPE[?] [= LITERAL] [min N] [max N] [matches "REGEX"] [unique]
             [check (PREDICATE)] [transient] [derived (EXPR)]
        KEY: ENTITY[?]|[ENTITY] [ordered] [inverse KEY] [delete nullify|cascade|deny|none]
        unique (KEY, …)
        index KEY [desc]
        index (KEY [desc], …)
      }
      """,
    summary: "defines an entity with its attributes, relationships and rules",
    example: "entity Category { name: string unique; items: [Item] inverse parentCategory }",
    endsAtBrace: true
  ) { parser throws(SyntaxError) in
    try parser.readEntity()
  }
}

extension StatementParser {
  /// Reads what follows the word `entity`, or `abstract`, which `entity` must follow.
  fileprivate func readEntity() throws(SyntaxError) -> EntityDeclaration {
    let isAbstract = cursor.text(lastSpan).lowercased() == "abstract"
    if isAbstract {
      guard isWord(required, "entity") else { throw expected(.word("entity")) }
      take()
    }
    var entity = EntityDeclaration(name: try takeName(.entity))
    entity.isAbstract = isAbstract
    if required.is(.colon) {
      take()
      entity.parent = try takeName(.entity)
    } else if let error = wordForColon() {
      throw error
    }
    try readBody(of: &entity)
    return entity
  }

  /// Returns the error of `entity Task extends Item {`, with a colon instead of the word.
  private func wordForColon() -> SyntaxError? {
    let word = required
    guard Self.wordsForColon.contains(text(word).lowercased()), cursor.peek().kind == .word else {
      return nil
    }
    return expected(.symbol(.leftBrace)).corrected(by: [FixIt(word.span, ":")])
  }

  private static var wordsForColon: Set<String> { ["extends", "inherits", "isa", "parent"] }

  /// Reads the lines between the braces. Each one ends like a statement.
  private func readBody(of entity: inout EntityDeclaration) throws(SyntaxError) {
    if !required.is(.leftBrace) { try take(.leftBrace) }
    let bracket = take()
    let indent = cursor.indent
    cursor.lineDepth = cursor.depth
    while try takeSeparators(bracket) {
      if required.startsLine { cursor.indent = required.indent }
      try readLine(of: &entity)
    }
    take()
    cursor.lineDepth = 0
    cursor.indent = indent
  }

  /// Skips `;` and empty lines; returns false at the closing brace.
  private func takeSeparators(_ bracket: Token) throws(SyntaxError) -> Bool {
    while required.is(.semicolon) { take() }
    if required.end != nil { throw predicates.unclosed(bracket) }
    return !required.is(.rightBrace)
  }

  private func readLine(of entity: inout EntityDeclaration) throws(SyntaxError) {
    if isWord(required, "unique"), cursor.peek().is(.leftParenthesis) {
      entity.uniquenessConstraints.append(try readUniqueKeys())
    } else if startsIndex {
      entity.indexes.append(try readIndex())
    } else {
      entity.properties.append(try readProperty())
    }
    let isAtEnd = optional.end != nil || required.is(.semicolon) || required.is(.rightBrace)
    guard isAtEnd || startsProperty else { throw expected(.separator) }
  }

  /// Reads `unique (title, parentCategory)`.
  private func readUniqueKeys() throws(SyntaxError) -> [Name] {
    take()
    let bracket = take()
    var keys: [Name] = []
    repeat { keys.append(try takeName(.key)) } while takeComma()
    try takeClosing(bracket)
    return keys
  }

  private func takeClosing(_ bracket: Token) throws(SyntaxError) {
    guard required.is(.rightParenthesis) else {
      throw required.end == nil
        ? expected(.symbol(.rightParenthesis)) : predicates.unclosed(bracket)
    }
    take()
  }

  /// Whether a line begins here that does not continue a property.
  var startsProperty: Bool {
    let token = required
    guard token.startsLine, token.kind == .word || token.kind == .hashWord else { return false }
    let next = cursor.peek()
    return next.is(.colon) || isWord(token, "unique") && next.is(.leftParenthesis) || startsIndex
  }
}

// Indexes
extension StatementParser {
  /// Whether an index begins here; a key may have the name `index`.
  var startsIndex: Bool {
    guard isWord(required, "index") else { return false }
    let next = cursor.peek()
    return next.is(.leftParenthesis)
      || !next.startsLine && (next.kind == .word || next.kind == .hashWord)
  }

  /// Reads `index date desc`, `index (category, date desc)`.
  func readIndex() throws(SyntaxError) -> IndexDeclaration {
    let start = take().span
    guard required.is(.leftParenthesis) else {
      let element = try readIndexElement()
      return IndexDeclaration(elements: [element], span: start.joined(lastSpan))
    }
    let bracket = take()
    var elements: [(key: Name, isAscending: Bool)] = []
    repeat { elements.append(try readIndexElement()) } while takeComma()
    try takeClosing(bracket)
    return IndexDeclaration(elements: elements, span: start.joined(lastSpan))
  }

  private func readIndexElement() throws(SyntaxError) -> (key: Name, isAscending: Bool) {
    let key = try takeName(.key)
    if takeWord("asc") != nil { return (key, true) }
    return (key, takeWord("desc") == nil)
  }
}

/// A part of a property that begins with its own word or with `=`.
enum PropertyClause: String, CaseIterable {
  case defaultValue = "="
  case min, max, matches, unique, check, transient, derived
  case ordered, inverse, delete
}

extension StatementParser {
  /// Reads `title: string min 1`, `items: [Item] ordered inverse parent delete cascade`.
  func readProperty() throws(SyntaxError) -> PropertyDeclaration {
    try refuseVar()
    let name = try takeName(.key)
    try take(.colon)
    let isToMany = required.is(.leftBracket)
    if isToMany { take() }
    var property = PropertyDeclaration(name: name, type: try takeName(.type))
    property.isToMany = isToMany
    if isToMany { try take(.rightBracket) }
    if optional.is(.question) {
      take()
      property.isOptional = true
    }
    try readClauses(of: &property)
    return property
  }

  /// Throws for `var title: string`, as in Swift.
  private func refuseVar() throws(SyntaxError) {
    let word = required
    guard ["var", "let", "const"].contains(text(word)), cursor.peek().kind == .word else { return }
    let span = SourceSpan(word.span.start, cursor.peek().span.start)
    throw error(.idleWord(text(word), after: "{"), at: word.span, fixIt: FixIt(span, ""))
  }

  private func readClauses(of property: inout PropertyDeclaration) throws(SyntaxError) {
    var seen: [PropertyClause] = []
    while let token = nextClause {
      let clause = try propertyClause(token)
      if seen.contains(clause) { throw error(.repeatedClause(text(token)), at: token.span) }
      seen.append(clause)
      take()
      property.clauses.append(try read(clause, token))
    }
  }

  /// The token that begins another clause; nil at the property's end.
  private var nextClause: Token? {
    let token = optional
    if token.end == .text {
      predicates.expectAtEnd(.words(PropertyClause.allCases.map(\.rawValue)))
    }
    let isAtEnd = token.end != nil || token.is(.semicolon) || token.is(.rightBrace)
    return isAtEnd || startsProperty ? nil : token
  }

  private func propertyClause(_ token: Token) throws(SyntaxError) -> PropertyClause {
    if case .invalid(let problem) = token.kind { throw predicates.lexical(problem, token) }
    if let clause = PropertyClause(rawValue: text(token).lowercased()) { return clause }
    if token.is(.leftParenthesis) {
      // `varchar(20)`
      let span = SourceSpan(lastSpan.end, brackets.close.end)
      throw expected(.separator).corrected(by: [FixIt(span, "")])
    }
    guard token.kind == .word, !cursor.peek().is(.colon) else { throw expected(.separator) }
    if let error = foreignClause(token) { throw error }
    throw unknownWord(token, among: PropertyClause.allCases.map(\.rawValue)) {
      .unknownClause($0, near: $1, known: $2)
    }
  }

  /// Returns the error of `optional`, `not null` or `default 0`, as other languages write
  /// properties.
  private func foreignClause(_ token: Token) -> SyntaxError? {
    let words = token.span.joined(cursor.peek().span)
    let blank = SourceSpan(lastSpan.end, token.span.end)
    let known = PropertyClause.allCases.map(\.rawValue)
    let facts = StatementProblem.unknownClause(text(token), near: [], known: known)
    switch (text(token).lowercased(), cursor.text(words).lowercased()) {
    case ("optional", _), ("nullable", _), ("null", _), ("省略可", _), ("任意", _):
      return error(facts, at: token.span, fixIt: FixIt(blank, "?"))
    case (_, "not null"):
      return error(facts, at: words, fixIt: FixIt(SourceSpan(lastSpan.end, words.end), ""))
    case ("required", _), ("mandatory", _), ("必須", _):
      return error(facts, at: token.span, fixIt: FixIt(blank, ""))
    case ("primary", _), ("autoincrement", _), ("auto_increment", _), ("identity", _),
      ("serial", _),
      ("pk", _), ("主キー", _):
      return error(.identityClause(text(token)), at: token.span)
    case ("references", _), ("foreign", _):
      return error(.referenceClause(text(token)), at: token.span)
    case ("default", _), ("既定", _): return error(facts, at: token.span, fix: "=")
    default: return nil
    }
  }

  private func read(
    _ clause: PropertyClause, _ token: Token
  ) throws(SyntaxError) -> PropertyDeclaration.Clause {
    switch clause {
    case .defaultValue: return .defaultValue(try predicates.parseExpression())
    case .min: return .minimum(try predicates.parseExpression())
    case .max: return .maximum(try predicates.parseExpression())
    case .matches: return .matches(try takeString())
    case .unique: return .unique(token.span)
    case .check:
      let bracket = try takeParenthesis()
      let predicate = try predicates.parsePredicate()
      try close(bracket)
      return .check(predicate)
    case .transient: return .transient(token.span)
    case .derived:
      let bracket = try takeParenthesis()
      let expression = try predicates.parseExpressionOrPredicate()
      try close(bracket)
      return .derived(expression)
    case .ordered: return .ordered(token.span)
    case .inverse: return .inverse(try takeName(.key))
    case .delete: return .delete(try takeChoice(Self.deleteRules))
    }
  }

  private func takeParenthesis() throws(SyntaxError) -> Token {
    guard required.is(.leftParenthesis) else { throw expected(.symbol(.leftParenthesis)) }
    return take()
  }

  private func close(_ bracket: Token) throws(SyntaxError) {
    guard required.is(.rightParenthesis) else {
      throw required.end == nil
        ? predicates.unexpectedTail(.symbol(.rightParenthesis)) : predicates.unclosed(bracket)
    }
    take()
  }

  private static let deleteRules = ["nullify", "cascade", "deny", "none"]
}
