import KuraDiagnostics
import KuraValues

// What may have been meant, as fixes: whether one is right, who knows the model finds out.
extension PredicateParser {
  /// What may be asked of a value that stands alone; who knows its type knows which.
  package static let questions = [" == YES", " != 0", " != \"\"", ".@count > 0", " != NULL"]

  /// `done == YES` for `done`: comparisons that a value alone may stand for.
  func wholeComparisons(of tree: ExpressionTree) -> [FixIt] {
    guard cursor.isStatement else { return [] }
    let end = SourceSpan(tree.span.end, tree.span.end)
    switch tree.kind {
    case .subquery: return [FixIt(end, ".@count > 0")]
    case .keyPath(let path) where path.components.last?.kind == .collectionOperator:
      return [FixIt(end, " > 0")]
    case .keyPath, .variable: return Self.questions.map { FixIt(end, $0) }
    case .constant(let constant):
      // `where "done == NO"`: the whole predicate in quotes.
      guard case .string(let text) = constant.value, text.contains(" ") else { return [] }
      return [FixIt(tree.span, text)]
    default: return []
    }
  }

  /// The predicate behind AND or OR; for a value alone there the comparison before it may go on.
  func part(_ right: Operand, behind left: PredicateTree) throws(SyntaxError) -> PredicateTree {
    do { return try predicate(right) } catch {
      guard case .bareValue? = error.diagnostic.facts as? PredicateSyntaxFacts,
        let fix = repeating(left, before: right.span)
      else { throw error }
      var diagnostic = error.diagnostic
      diagnostic.fixIts.insert(fix, at: 0)
      throw SyntaxError(diagnostic)
    }
  }

  /// `priority == 2 OR priority == 3` for `priority == 2 OR 3`, in brackets behind an AND.
  private func repeating(_ left: PredicateTree, before value: SourceSpan) -> FixIt? {
    switch left.kind {
    case .comparison(let comparison) where comparison.operationSpan != .none:
      // `priority != 0 OR 1` is meant of both, and `… OR priority != 1` is true of everything.
      if comparison.operation == .notEqual, comparison.left.span != .none {
        let (key, first) = (cursor.text(comparison.left.span), cursor.text(comparison.right.span))
        let second = cursor.text(value)
        // No value of a list is the one that is not there.
        let hasNull = WrittenTruth.isNull(first) || WrittenTruth.isNull(second)
        let both = "\(key) != \(first) AND \(key) != \(second)"
        return FixIt(
          left.span.joined(value), hasNull ? both : "NOT \(key) IN {\(first), \(second)}")
      }
      if case .constant = comparison.left.kind {
        // `2 == priority OR 3`: the key is on the other side.
        guard comparison.operation == .equal else { return nil }
        let key = cursor.text(comparison.right.span)
        return FixIt(SourceSpan(value.start, value.start), "\(key) == ")
      }
      let isNull = WrittenTruth.isNull(cursor.text(value))
      let subject = SourceSpan(left.span.start, comparison.operationSpan.start)
      let asked = SourceSpan(left.span.start, comparison.right.span.start)
      let before = isNull ? cursor.text(subject) + "== " : cursor.text(asked)
      return FixIt(SourceSpan(value.start, value.start), before)
    case .and(let parts):
      guard let last = parts.last, case .comparison = last.kind,
        let fix = repeating(last, before: value)
      else { return nil }
      return FixIt(
        edits: [TextEdit(SourceSpan(last.span.start, last.span.start), "(")] + fix.edits
          + [TextEdit(SourceSpan(value.end, value.end), ")")])
    default: return nil
    }
  }

  /// `price > 1 AND < 9`: what stands left of the first comparison is meant for the second too.
  func checkLeft(of left: PredicateTree) throws(SyntaxError) {
    guard case .comparison? = InfixOperator(required), InfixOperator(cursor.peek()) == nil,
      case .comparison(let comparison) = left.kind,
      comparison.operationSpan != .none
    else { return }
    let before = cursor.text(SourceSpan(left.span.start, comparison.operationSpan.start))
    var diagnostic = expected(.predicate).diagnostic
    diagnostic.fixIts.append(
      FixIt(SourceSpan(required.span.start, required.span.start), before))
    throw SyntaxError(diagnostic)
  }

  /// `title CONTAINS "x"` for `contains(title, "x")`; the cursor stands at the bracket.
  func operators(called name: String, at span: SourceSpan) -> [FixIt] {
    let word = ComparisonOperator.words.first { $0.lowercased() == name.lowercased() }
    guard let operation = word ?? ForeignWord.comparison(for: name),
      let arguments = argumentsAhead(), let parts = split(arguments),
      parts.count == 2 || parts.count == 3 && operation == "BETWEEN"
    else { return [] }
    let whole = SourceSpan(span.start, arguments.end + 1)
    if parts.count == 3 {
      let texts = parts.map { cursor.text($0) }
      return [FixIt(whole, "\(texts[0]) BETWEEN {\(texts[1]), \(texts[2])}")]
    }
    var (first, second) = (cursor.text(parts[0]), cursor.text(parts[1]))
    // A spreadsheet names what is looked for before where.
    if first.hasPrefix("\""), !second.hasPrefix("\"") { swap(&first, &second) }
    return [FixIt(whole, "\(first) \(operation) \(second)")]
  }

  /// `(a == 1 AND b == 2)` for `AND(a == 1, b == 2)`, as spreadsheets have it; the cursor stands at the word.
  func connectiveAsFunction() -> FixIt? {
    let (word, before) = (required, cursor)
    defer { cursor = before }
    take()
    guard cursor.token.is(.leftParenthesis), let arguments = argumentsAhead(),
      let parts = split(arguments), parts.count > 1
    else { return nil }
    let text = parts.map { cursor.text($0) }.joined(
      separator: " \(cursor.text(word).uppercased()) ")
    return FixIt(SourceSpan(word.span.start, arguments.end + 1), "(\(text))")
  }

  func offering(_ fix: FixIt?, in error: SyntaxError) -> SyntaxError {
    guard let fix else { return error }
    var diagnostic = error.diagnostic
    diagnostic.fixIts.insert(fix, at: 0)
    return SyntaxError(diagnostic)
  }

  /// `dateByAdding(today(), -1, "month")` for `lastMonth()`; the cursor stands at the bracket.
  func times(called name: String, at span: SourceSpan) -> [FixIt] {
    guard let arguments = argumentsAhead(), cursor.text(arguments).allSatisfy(\.isWhitespace),
      case .relative(let count, let unit)? = WrittenPeriod(name.filter { $0 != "_" })
    else { return [] }
    let whole = SourceSpan(span.start, arguments.end + 1)
    return [FixIt(whole, "dateByAdding(today(), \(count), \"\(unit)\")")]
  }

  /// `begins with`, `is greater than`: an operator of several words.
  func wordyOperator(_ first: Token) -> SyntaxError? {
    var ahead = cursor
    var words = ahead.text(ahead.take())
    while ahead.token.kind == .word, words.utf8.count < 30 {
      words += ahead.text(ahead.take())
      let own = ComparisonOperator.words.first {
        [$0.lowercased(), "is" + $0.lowercased()].contains(words.lowercased())
      }
      guard let operation = own ?? ForeignWord.comparison(for: words) else { continue }
      let span = first.span.joined(ahead.lastSpan)
      return SyntaxError(
        PredicateSyntaxFacts.unknownOperator(cursor.text(span), near: [operation]), at: span,
        fixIt: FixIt(span, operation))
    }
    return nil
  }

  /// The error of `contains(title, "x")`; nil where no bracket stands behind the operator.
  func operatorAsFunction() -> SyntaxError? {
    guard cursor.peek().is(.leftParenthesis), cursor.peek().isAdjacent else { return nil }
    let token = take()
    let name = text(token)
    let fixes = operators(called: name, at: token.span)
    guard !fixes.isEmpty else { return nil }
    return SyntaxError(
      PredicateSyntaxFacts.operatorAsFunction(name.uppercased()), at: token.span, fixIts: fixes)
  }

  /// The parts of a text between commas that stand in no bracket.
  private func split(_ span: SourceSpan) -> [SourceSpan]? {
    var ahead = cursor
    while ahead.token.span.start < span.start, ahead.token.end == nil { ahead.take() }
    let depth = ahead.depth
    var parts = [SourceSpan(ahead.token.span.start, ahead.token.span.start)]
    while ahead.token.end == nil, ahead.token.span.start < span.end {
      let token = ahead.take()
      if token.is(.comma), ahead.depth == depth {
        parts.append(SourceSpan(ahead.token.span.start, ahead.token.span.start))
      } else {
        parts[parts.count - 1].end = token.span.end
      }
    }
    return parts
  }

  /// `$i` for `i` at each place in the brackets of `SUBQUERY(items, i, i.done == YES)`.
  func missingSign(_ error: SyntaxError, in bracket: Token) -> SyntaxError {
    let name = required
    guard name.kind == .word, name.keyword == nil else { return error }
    var ahead = cursor
    let (depth, word) = (ahead.depth, ahead.text(name))
    var edits: [TextEdit] = []
    while ahead.token.end == nil, ahead.depth >= depth {
      let isBehindDot =
        ahead.token.isAdjacent && ahead.bytes(ahead.lastSpan).elementsEqual(".".utf8)
      let token = ahead.take()
      guard token.kind == .word, !isBehindDot, ahead.text(token) == word else { continue }
      edits.append(TextEdit(SourceSpan(token.span.start, token.span.start), "$"))
    }
    var diagnostic = error.diagnostic
    diagnostic.fixIts.append(FixIt(edits: edits))
    return SyntaxError(diagnostic)
  }
}

// `title CONTAINS %@, "掃除"`: the values of placeholders, which stand behind commas.
extension PredicateParser {
  /// The text with the values in the places of the placeholders, if there are as many.
  func filledPlaceholders(from first: Token) -> [FixIt] {
    let found = placeholders()
    guard !found.places.isEmpty, let comma = found.comma else { return [] }
    let values = split(SourceSpan(comma.end, cursor.endOffset)) ?? []
    guard values.count == found.places.count else { return [] }
    let texts = values.map { cursor.text($0) }
    let edits = zip(found.places, texts).map { place, text in
      TextEdit(place, cursor.text(place) == "%K" ? text.withoutQuotes : text)
    }
    return [
      FixIt(edits: edits + [TextEdit(SourceSpan(comma.start, values[values.count - 1].end), "")])
    ]
  }

  /// Where placeholders stand from the cursor on, and the comma behind the last.
  private func placeholders() -> (places: [SourceSpan], comma: SourceSpan?) {
    var ahead = cursor
    let depth = ahead.depth
    var places: [SourceSpan] = []
    while ahead.token.end == nil {
      let token = ahead.take()
      if token.is(.comma), ahead.depth <= depth { return (places, token.span) }
      if token.is(.question) { places.append(token.span) }
      guard token.is(.percent), ahead.token.isAdjacent else { continue }
      let letter = ahead.text(ahead.token).prefix(1)
      guard ["@", "K", "d", "f", "i", "l"].contains(letter) else { continue }
      places.append(SourceSpan(token.span.start, ahead.token.span.start + 1))
    }
    return (places, nil)
  }
}

extension String {
  /// `title` for `"title"`
  fileprivate var withoutQuotes: String {
    let inner = dropFirst().dropLast()
    return hasPrefix("\"") || hasPrefix("'") ? String(inner) : self
  }
}
