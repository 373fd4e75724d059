import KuraDiagnostics
package import KuraPredicates

/// `compare Task where dueDate < today() with NOT dueDate >= today()`
package struct CompareStatement: StatementTree {
  package var first: AnalyzedFetch
  package var second: Second
  /// `seed 7`: the seed of generated stores.
  package var seed: UInt64?

  package enum Second: Sendable {
    /// Another predicate about the same objects
    case predicate(PredicateTree)
    /// `with fetch Task where …`, `with run Overdue(today())`
    case fetch(AnalyzedFetch)
  }

  package var typedParts: [TypedPart] {
    switch (first, second) {
    case (.fetch(var fetch), .predicate(let predicate)):
      let other = fetch.typedParts
      fetch.predicate = predicate
      return other + fetch.typedParts
    case (.run(let run), .predicate): return run.typedParts
    case (_, .fetch(let fetch)): return first.typedParts + fetch.typedParts
    }
  }
}

extension StatementSyntax {
  static let compare = StatementSyntax(
    "compare",
    synopsis: """
      compare ENTITY where PREDICATE with [ENTITY where] PREDICATE [seed N]
      compare FETCH with FETCH [seed N]
      """,
    summary: "shows whether, where and why two predicates differ",
    example: "compare MemoDate where date < \"2000-01-01\" with NOT date >= \"2000-01-01\""
  ) { parser throws(SyntaxError) in
    try parser.readCompare()
  }
}

extension StatementParser {
  fileprivate func readCompare() throws(SyntaxError) -> CompareStatement {
    let first = try readAnalyzedFetch(until: "with")
    predicates.expectAtEnd(.words(["with"]))
    guard isWord(required, "with") else { throw expected(.word("with")) }
    take()
    let second = try readSecond(of: first)
    return CompareStatement(first: first, second: second, seed: try readSeed())
  }

  private func readSecond(of first: AnalyzedFetch) throws(SyntaxError) -> CompareStatement.Second {
    predicates.expectAtEnd(.words(["fetch", "run"]))
    if begins(with: "fetch") || begins(with: "run") || beginsWithEntity {
      return .fetch(try readAnalyzedFetch(until: "seed"))
    }
    if case .fetch(let fetch) = first {
      predicates.recorder?.open.append(.fetch(fetch, clause: "where"))
    }
    predicates.clauseWords = ["seed"]
    return .predicate(try predicates.parsePredicate())
  }

  /// Whether a name and `where` follow, as in the first half of `compare`: no predicate begins so.
  private var beginsWithEntity: Bool {
    required.kind == .word && cursor.isWord(cursor.peek(), "where")
  }

  /// Returns whether a word and then a name follow; otherwise the word is a key.
  private func begins(with word: StaticString) -> Bool {
    guard isWord(required, word) else { return false }
    switch cursor.peek().kind {
    case .word, .hashWord, .variable: return true
    default: return false
    }
  }

  /// Reads `seed 7`.
  func readSeed() throws(SyntaxError) -> UInt64? {
    guard takeWord("seed") != nil else { return nil }
    let token = required
    guard token.kind == .number, let seed = UInt64(text(token)) else {
      throw expected(.seed)
    }
    take()
    return seed
  }
}
