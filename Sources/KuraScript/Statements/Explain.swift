import KuraDiagnostics
package import KuraPredicates

/// `explain fetch …`, `explain analyze run Overdue(today())`, `explain watch fetch …`
package struct ExplainStatement: StatementTree {
  /// Whether it is run, so that the number of rows of each node is shown.
  package var isAnalysis: Bool
  /// `watch fetch Item`: also how its result is kept up to date
  package var isOfWatch = false
  package var subject: AnalyzedFetch

  package var typedParts: [TypedPart] { subject.typedParts }
}

extension StatementSyntax {
  static let explain = StatementSyntax(
    "explain", synopsis: "explain [analyze] FETCH\nexplain [analyze] watch FETCH",
    summary: "shows how a fetch is executed; analyze adds counts and times",
    example: "explain analyze fetch MemoDate where notifiable == YES sort date limit 3"
  ) { parser throws(SyntaxError) in
    try parser.readExplain()
  }
}

extension StatementParser {
  fileprivate func readExplain() throws(SyntaxError) -> ExplainStatement {
    let isAnalysis = takeWord("analyze") != nil
    predicates.expectAtEnd(.words(["fetch", "count", "exists", "run", "watch"]))
    let token = required
    guard token.kind == .word else { throw expected(.word("fetch")) }
    let word = text(token).lowercased()
    if let result = FetchTree.Result(rawValue: word) {
      take()
      return ExplainStatement(isAnalysis: isAnalysis, subject: .fetch(try readFetch(result)))
    }
    if word == "watch" {
      take()
      return ExplainStatement(
        isAnalysis: isAnalysis, isOfWatch: true, subject: try readAnalyzedFetch())
    }
    guard word == "run" else {
      throw unknownWord(token, among: ["fetch", "count", "exists", "run", "watch", "analyze"]) {
        .unknownChoice($0, near: $1, known: $2)
      }
    }
    take()
    return ExplainStatement(isAnalysis: isAnalysis, subject: .run(try readRun()))
  }
}

/// `trace Item/1 where done == NO`, `trace Item where done == NO`
package struct TraceStatement: StatementTree {
  package var subject: AnalyzedFetch

  package var typedParts: [TypedPart] { subject.typedParts }
}

/// `steps fetch Item where done == NO AND dueDate < today()`
package struct StepsStatement: StatementTree {
  package var subject: AnalyzedFetch

  package var typedParts: [TypedPart] { subject.typedParts }
}

extension StatementSyntax {
  static let trace = StatementSyntax(
    "trace",
    synopsis: """
      trace OBJECT where PREDICATE
      trace ENTITY where PREDICATE [limit N]
      trace run NAME(EXPR, …)
      """,
    summary: "shows why objects match or not: the parts of a predicate, with values",
    example: "trace MemoDate where title CONTAINS \"誕生\" AND notifiable == YES"
  ) { parser throws(SyntaxError) in
    try parser.readTrace()
  }

  static let steps = StatementSyntax(
    "steps", synopsis: "steps FETCH",
    summary: "counts the objects that pass each part of a fetch, and those that are nil or NO",
    example: "steps fetch MemoDate where title CONTAINS \"誕生\" AND notifiable == YES"
  ) { parser throws(SyntaxError) in
    StepsStatement(subject: try parser.readAnalyzedFetch())
  }
}

extension StatementParser {
  /// Reads what follows the word `trace`; throws if a fetch does not have a predicate.
  fileprivate func readTrace() throws(SyntaxError) -> TraceStatement {
    let subject = try readAnalyzedFetch()
    if case .fetch(let fetch) = subject, fetch.predicate == nil {
      throw expected(.predicate(of: "trace \(cursor.text(fetch.source.span))"))
    }
    return TraceStatement(subject: subject)
  }
}

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

  /// Whether a name and `where` follow, as in the first half of `compare`: no predicate begins like this.
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
