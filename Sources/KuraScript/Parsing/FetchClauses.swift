import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A part of a fetch that begins with its own word.
enum FetchClause: String, CaseIterable {
  case `where`, sort, offset, limit, batch, select, distinct, group, having, section, without
}

extension FetchClause {
  /// The clause of a word in any case; nil if there is none.
  init?(word: ArraySlice<UInt8>) {
    guard let place = Self.wordList.place(of: word) else { return nil }
    self = Self.allOfObjects[place]
  }

  private static let wordList = WordList(allCases.map(\.rawValue))

  /// Returns the clauses of a fetch; `count` and `exists` cannot be ordered or limited.
  static func all(of result: FetchTree.Result) -> [FetchClause] {
    switch result {
    case .objects: allOfObjects
    case .count, .exists: allOfCount
    }
  }

  private static let allOfObjects = allCases
  private static let allOfCount: [FetchClause] = [.where, .without]

  /// The word that must follow: `by` in `group by`.
  var secondWord: StaticString? {
    switch self {
    case .group, .section: "by"
    case .without: "subentities"
    case .where, .sort, .offset, .limit, .batch, .select, .distinct, .having: nil
    }
  }

  /// All words of the clause: `group by`
  var words: String { secondWord.map { "\(rawValue) \($0)" } ?? rawValue }

  /// The words that may follow a predicate or a value.
  static let words = allCases.map(\.rawValue) + ["as"]
}

extension StatementParser {
  /// Reads the clauses of a fetch in any order, each at most once, up to the end, a bracket or a
  /// word of the enclosing statement.
  func readClauses(
    of fetch: inout FetchTree, among allowed: [FetchClause], until ends: EndWords = []
  ) throws(SyntaxError) {
    predicates.clauseWords = FetchClause.words + ends.texts
    var seen: [FetchClause] = []
    let depth = predicates.recorder?.open.count
    note(fetch, nil, depth)
    while optional.end == nil, !optional.is(.rightParenthesis) || cursor.depth == 0 {
      if ends.words.contains(where: { isWord(required, $0) }) { break }
      let clause = try takeClause(among: allowed, or: ends)
      if seen.contains(clause) { throw error(.repeatedClause(clause.rawValue), at: lastSpan) }
      seen.append(clause)
      note(fetch, clause, depth)
      try read(clause, of: &fetch)
    }
    let rest = allowed.filter { !seen.contains($0) }
    predicates.expectAtEnd(.words(rest.map(\.words) + ends.texts))
  }

  /// Records the fetch and the clause that are open, for completion.
  private func note(_ fetch: FetchTree, _ clause: FetchClause?, _ depth: Int?) {
    guard let depth, let recorder = predicates.recorder else { return }
    recorder.open.removeSubrange(depth...)
    recorder.open.append(.fetch(fetch, clause: clause?.rawValue))
  }

  private func takeClause(
    among allowed: [FetchClause], or ends: EndWords
  ) throws(SyntaxError) -> FetchClause {
    let token = required
    guard token.kind == .word else { throw predicates.unexpectedTail() }
    guard let clause = FetchClause(word: bytes(token)), allowed.contains(clause) else {
      throw unknownClause(token, among: allowed, or: ends)
    }
    take()
    try takeSecondWord(of: clause)
    return clause
  }

  /// Takes the second word of a clause: `by` in `group by`
  private func takeSecondWord(of clause: FetchClause) throws(SyntaxError) {
    guard let word = clause.secondWord else { return }
    predicates.expectAtEnd(.words(["\(word)"]))
    guard isWord(required, word) else { throw expected(.word("\(word)")) }
    take()
  }

  private func unknownClause(
    _ token: Token, among allowed: [FetchClause], or ends: EndWords
  ) -> SyntaxError {
    let word = text(token)
    if word.lowercased() == "cache", cursor.peek().kind == .string {
      return error(.cachedOrder, at: token.span.joined(cursor.peek().span), fix: "")
    }
    let known = allowed.map(\.rawValue) + ends.texts
    if word.lowercased() == "order", allowed.contains(.sort) {
      let next = cursor.peek()
      let span = isWord(next, "by") ? token.span.joined(next.span) : token.span
      return error(
        .unknownClause(cursor.text(span), near: ["sort"], known: known), at: span,
        fixIt: FixIt(span, "sort", .word("ORDER BY", as: "sort")))
    }
    if nearNames(to: word, among: known).isEmpty {
      let tail = predicates.unexpectedTail()
      if case PredicateSyntaxProblem.unknownOperator = tail.diagnostic.facts { return tail }
    }
    return unknownWord(token, among: known) { .unknownClause($0, near: $1, known: $2) }
  }

  private func read(_ clause: FetchClause, of fetch: inout FetchTree) throws(SyntaxError) {
    switch clause {
    case .where: fetch.predicate = try predicates.parsePredicate()
    case .sort: fetch.sort = try readSortKeys()
    case .offset:
      fetch.offset = try readCount(clause)
      try readLimitKeys(of: &fetch)
    case .limit:
      fetch.limit = try readCount(clause)
      try readLimitKeys(of: &fetch)
    case .batch:
      let word = lastSpan
      fetch.batch = try readCount(clause)
      if isWord(optional, "per") {
        throw error(.batchPerKey, at: required.span, fixIt: FixIt(word, "limit"))
      }
    case .select: try readSelection(of: &fetch)
    case .distinct: fetch.isDistinct = true
    case .group: fetch.grouping = try readKeys()
    case .having: fetch.having = try predicates.parsePredicate()
    case .section: fetch.section = try predicates.parseExpressionOrPredicate()
    case .without: fetch.includesSubentities = false
    }
  }

  /// Reads the `per category` of `limit 3 per category` or `offset 1 per category`; it belongs to both.
  private func readLimitKeys(of fetch: inout FetchTree) throws(SyntaxError) {
    predicates.expectAtEnd(.words(["per"]))
    guard let word = takeWord("per") else { return }
    if !fetch.limitKeys.isEmpty { throw error(.repeatedClause("per"), at: word.span) }
    fetch.limitKeys = try readKeys()
  }

  /// Reads a number: `5`, `$n`
  private func readCount(_ clause: FetchClause) throws(SyntaxError) -> ExpressionTree {
    let word = lastSpan
    let tree = try predicates.parseExpression()
    if clause == .limit, optional.is(.comma) { throw limitOfTwo(word, tree) }
    switch tree.kind {
    case .variable: return tree
    case .constant(let constant):
      if case .integer(let count) = constant.value, count >= 0 { return tree }
    default: break
    }
    throw error(
      .wrongCount(clause.rawValue), at: tree.span,
      fix: FreeFormNumber.digits(cursor.text(tree.span).filter { $0 != "\"" }))
  }

  /// Returns the error of `limit 3, 2`, whose first number is an offset in other languages.
  private func limitOfTwo(_ word: SourceSpan, _ offset: ExpressionTree) -> SyntaxError {
    let next = cursor.peek()
    let comma = required.span
    guard next.kind == .number || next.kind == .variable else { return predicates.unexpectedTail() }
    let (first, second) = (cursor.text(offset.span), text(next))
    return error(
      .limitOfTwo(first, second), at: comma,
      fixIt: FixIt(word.joined(next.span), "offset \(first) limit \(second)"))
  }

  private func readKeys() throws(SyntaxError) -> [ExpressionTree] {
    try readList(\.soleKey) { () throws(SyntaxError) in
      try predicates.parseExpressionOrPredicate()
    }
  }

  /// Reads items and the commas between them; completion gets the keys of the previous items.
  func readList<Item>(
    _ key: (Item) -> String?, _ read: () throws(SyntaxError) -> Item
  ) throws(SyntaxError) -> [Item] {
    var items: [Item] = []
    repeat {
      items.append(try predicates.inside(.list(given: items.compactMap(key)), read))
    } while takeComma()
    return items
  }
}

extension ExpressionTree {
  /// The key, if the expression is only a key: `title`
  var soleKey: String? {
    guard case .keyPath(let path) = kind, path.base == nil, path.components.count == 1,
      path.components[0].kind == .key
    else { return nil }
    return path.components[0].name
  }
}

// Sort
extension StatementParser {
  private func readSortKeys() throws(SyntaxError) -> [SortTree] {
    if isWord(required, "by"), cursor.peek().kind == .word, !isSortWord(cursor.peek()) {
      throw error(.idleWord("by", after: "sort"), at: required.span, fix: "")
    }
    return try readList(\.expression.soleKey) { () throws(SyntaxError) in
      try predicates.parseSortKey()
    }
  }

  private func isSortWord(_ token: Token) -> Bool {
    let words = ["asc", "desc", "natural", "nulls"] + FetchClause.allCases.map(\.rawValue)
    return token.startsLine || words.contains(text(token).lowercased())
  }
}

/// The words of the enclosing statement that may end a fetch.
struct EndWords: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  let words: [StaticString]

  init(stringLiteral word: StaticString) { words = [word] }
  init(arrayLiteral words: StaticString...) { self.words = words }

  var texts: [String] { words.map { "\($0)" } }
}

/// The words that begin a clause of a fetch, for explanations.
package enum FetchWords {
  package static let all: [String] = FetchClause.allCases.map(\.rawValue)
}

extension StatementParser {
  /// Reads `distinct title, year(date) as y`, `*`.
  func readSelection(of fetch: inout FetchTree) throws(SyntaxError) {
    if isDistinctWord {
      take()
      if fetch.isDistinct { throw error(.repeatedClause("distinct"), at: lastSpan) }
      fetch.isDistinct = true
    }
    fetch.selection = try readList(\.expression.soleKey) { () throws(SyntaxError) in
      try readColumn()
    }
  }

  /// Whether `distinct` is followed by a column; otherwise it is a key.
  private var isDistinctWord: Bool {
    guard isWord(required, "distinct") else { return false }
    let next = cursor.peek()
    switch next.kind {
    case .word: return FetchClause(word: bytes(next)) == nil
    case .symbol(.minus):
      // `distinct -cost`; `distinct - cost` subtracts from a key.
      let after = SourceSpan(next.span.end, next.span.end + 1)
      return !next.isAdjacent && cursor.bytes(after).first.map { $0 > 0x20 } ?? false
    case .symbol(let symbol): return symbol == .star || symbol == .leftParenthesis
    case .end: return false
    default: return true
    }
  }

  private func readColumn() throws(SyntaxError) -> SelectedColumn {
    if required.is(.star) { return .all(span: take().span) }
    let columns = columnsInBrackets
    let tree: ExpressionTree
    do { tree = try predicates.parseExpressionOrPredicate() } catch {
      guard let columns else { throw error }
      throw columns
    }
    predicates.expectAtEnd(.words(["as"]))
    guard takeWord("as") != nil else {
      let name = tree.pathWithoutQuotes ?? cursor.text(tree.span).onOneLine
      return SelectedColumn(tree, name: name, span: tree.span)
    }
    if lacksName {
      var problem = expected(.key).diagnostic
      problem.fixIts = [FixIt(lastSpan, "")]
      throw SyntaxError(problem)
    }
    let name = try takeName(.key)
    return SelectedColumn(
      tree, name: name.text, isNamed: true, span: tree.span.joined(name.span))
  }

  /// Whether a comma or a clause follows instead of a name: `select title as limit 2`.
  private var lacksName: Bool {
    let next = cursor.peek()
    let areClauses = [required, next].map { FetchClause(word: bytes($0)) != nil }
    return required.is(.comma)
      || areClauses == [true, false] && next.end == nil && !next.is(.comma)
        && !next.is(.rightParenthesis)
  }

  /// The error of `select (title, date)`, with the columns without brackets as its fix; nil if
  /// there is no bracket.
  private var columnsInBrackets: SyntaxError? {
    guard required.is(.leftParenthesis) || required.is(.leftBracket) else { return nil }
    let (open, close) = brackets
    return SyntaxError(
      StatementProblem.columnsInBrackets, at: open.joined(close),
      fixIts: [replacingBrackets(with: "", "")])
  }
}

extension String {
  /// The text with each line break and the whitespace around it replaced by a space.
  package var onOneLine: String {
    guard contains(where: \.isNewline) else { return self }
    return split(whereSeparator: \.isNewline)
      .map { String($0.drop(while: \.isWhitespace)) }
      .joined(separator: " ")
  }
}
