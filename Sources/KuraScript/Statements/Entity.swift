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
  /// `string`, `Item`: a type if it is one of the lower-case type words, else an entity.
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
  /// What follows the word `entity`, or `abstract`, which must be followed by it.
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

  /// The error of `entity Task extends Item {`, with the colon that other languages have a word for.
  private func wordForColon() -> SyntaxError? {
    let word = required
    guard Self.wordsForColon.contains(text(word).lowercased()), cursor.peek().kind == .word else {
      return nil
    }
    var diagnostic = expected(.symbol(.leftBrace)).diagnostic
    diagnostic.fixIts = [FixIt(word.span, ":")]
    return SyntaxError(diagnostic)
  }

  private static var wordsForColon: Set<String> { ["extends", "inherits", "isa", "parent"] }

  /// The lines between the braces, each of which ends as a statement does.
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

  /// Skips `;` and empty lines; false at the brace that closes.
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

  /// `unique (title, parentCategory)`
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

  /// Whether a line begins here that belongs to no property before it.
  var startsProperty: Bool {
    let token = required
    guard token.startsLine, token.kind == .word || token.kind == .hashWord else { return false }
    let next = cursor.peek()
    return next.is(.colon) || isWord(token, "unique") && next.is(.leftParenthesis) || startsIndex
  }
}

// Indexes
extension StatementParser {
  /// Whether an index begins here; a key may be called `index`.
  var startsIndex: Bool {
    guard isWord(required, "index") else { return false }
    let next = cursor.peek()
    return next.is(.leftParenthesis)
      || !next.startsLine && (next.kind == .word || next.kind == .hashWord)
  }

  /// `index date desc`, `index (category, date desc)`
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
