import KuraBytes
import KuraDiagnostics
import KuraValues

// Candidate fixes for errors; the caller, who knows the model, checks them
extension PredicateParser {
  /// Comparisons that can be appended to a value; which one fits depends on its type.
  package static let questions = [" == YES", " != 0", " != \"\"", ".@count > 0", " != NULL"]

  /// Returns comparisons that a lone value could mean: `done == YES` for `done`.
  func wholeComparisons(of tree: ExpressionTree) -> [FixIt] {
    guard cursor.isStatement else { return [] }
    let end = SourceSpan(tree.span.end, tree.span.end)
    switch tree.kind {
    case .subquery: return [FixIt(end, ".@count > 0")]
    case .keyPath(let path) where path.components.last?.kind == .collectionOperator:
      return [FixIt(end, " > 0")]
    case .keyPath, .variable: return Self.questions.map { FixIt(end, $0) }
    case .constant(let constant):
      // `where "done == NO"`: the whole predicate is in quotes.
      guard case .string(let text) = constant.value, text.contains(" ") else { return [] }
      return [FixIt(tree.span, text)]
    default: return []
    }
  }

  /// Returns the predicate after AND or OR. For a lone value, the error suggests a repetition of
  /// the comparison before it.
  func part(_ right: Operand, after left: PredicateTree) throws(SyntaxError) -> PredicateTree {
    do { return try predicate(right) } catch {
      guard case .bareValue? = error.diagnostic.facts as? PredicateSyntaxProblem,
        let fix = repeating(left, before: right.span)
      else { throw error }
      throw offering(fix, in: error)
    }
  }

  /// Returns the fix `priority == 2 OR priority == 3` for `priority == 2 OR 3`, in brackets after
  /// an AND.
  private func repeating(_ left: PredicateTree, before value: SourceSpan) -> FixIt? {
    switch left.kind {
    case .comparison(let comparison) where comparison.operationSpan != .none:
      // `priority != 0 OR 1` excludes both values; `… OR priority != 1` would always be true.
      if comparison.operation == .notEqual, comparison.left.span != .none {
        let (key, first) = (cursor.text(comparison.left.span), cursor.text(comparison.right.span))
        let second = cursor.text(value)
        // IN with a list does not find null.
        let hasNull = FreeFormBoolean.isNull(first) || FreeFormBoolean.isNull(second)
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
      let isNull = FreeFormBoolean.isNull(cursor.text(value))
      let subject = SourceSpan(left.span.start, comparison.operationSpan.start)
      let compared = SourceSpan(left.span.start, comparison.right.span.start)
      let before = isNull ? cursor.text(subject) + "== " : cursor.text(compared)
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

  /// Throws for `price > 1 AND < 9`, in which the left side is meant for both comparisons.
  func checkLeft(of left: PredicateTree) throws(SyntaxError) {
    guard case .comparison? = InfixOperator(required), InfixOperator(cursor.peek()) == nil,
      case .comparison(let comparison) = left.kind,
      comparison.operationSpan != .none
    else { return }
    let before = cursor.text(SourceSpan(left.span.start, comparison.operationSpan.start))
    let fix = FixIt(SourceSpan(required.span.start, required.span.start), before)
    throw offering(fix, isLast: true, in: expected(.predicate))
  }

  /// Returns the fix `title CONTAINS "x"` for `contains(title, "x")`. The cursor is at the bracket.
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
    // In spreadsheets, the text to find precedes the text to search.
    if first.hasPrefix("\""), !second.hasPrefix("\"") { swap(&first, &second) }
    return [FixIt(whole, "\(first) \(operation) \(second)")]
  }

  /// Returns the fix `(a == 1 AND b == 2)` for `AND(a == 1, b == 2)`, as in spreadsheets. The
  /// cursor is at the word.
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

  /// Returns the error with a fix before, or after, its own ones.
  func offering(_ fix: FixIt?, isLast: Bool = false, in error: SyntaxError) -> SyntaxError {
    guard let fix else { return error }
    var diagnostic = error.diagnostic
    diagnostic.fixIts.insert(fix, at: isLast ? diagnostic.fixIts.endIndex : 0)
    return SyntaxError(diagnostic)
  }

  /// Returns the fix `dateByAdding(today(), -1, "month")` for `lastMonth()`. The cursor is at the
  /// bracket.
  func times(called name: String, at span: SourceSpan) -> [FixIt] {
    guard let arguments = argumentsAhead(), cursor.text(arguments).allSatisfy(\.isWhitespace),
      case .relative(let count, let unit)? = FreeFormPeriod(name.filter { $0 != "_" })
    else { return [] }
    let whole = SourceSpan(span.start, arguments.end + 1)
    return [FixIt(whole, "dateByAdding(today(), \(count), \"\(unit)\")")]
  }

  /// Returns the error for an operator of several words: `begins with`, `is greater than`.
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
        .unknownOperator(cursor.text(span), near: [operation]), at: span,
        fixIt: FixIt(span, operation))
    }
    return nil
  }

  /// Returns the error for `contains(title, "x")`; nil if no bracket follows the operator.
  func operatorAsFunction() -> SyntaxError? {
    guard cursor.peek().is(.leftParenthesis), cursor.peek().isAdjacent else { return nil }
    let token = take()
    let name = text(token)
    let fixes = operators(called: name, at: token.span)
    guard !fixes.isEmpty else { return nil }
    return SyntaxError(.operatorAsFunction(name.uppercased()), at: token.span, fixIts: fixes)
  }

  /// Splits a text at the commas outside brackets.
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

  /// Adds a fix that replaces `i` by `$i` throughout `SUBQUERY(items, i, i.done == YES)`.
  func missingSign(_ error: SyntaxError, in bracket: Token) -> SyntaxError {
    let name = required
    guard name.kind == .word, name.keyword == nil else { return error }
    var ahead = cursor
    let (depth, word) = (ahead.depth, ahead.text(name))
    var edits: [TextEdit] = []
    while ahead.token.end == nil, ahead.depth >= depth {
      let isAfterDot =
        ahead.token.isAdjacent && ahead.bytes(ahead.lastSpan).elementsEqual(".".utf8)
      let token = ahead.take()
      guard token.kind == .word, !isAfterDot, ahead.text(token) == word else { continue }
      edits.append(TextEdit(SourceSpan(token.span.start, token.span.start), "$"))
    }
    return offering(FixIt(edits: edits), isLast: true, in: error)
  }
}

// `title CONTAINS %@, "掃除"`: placeholders with their values after commas
extension PredicateParser {
  /// Returns a fix that inserts the values for the placeholders, if their numbers agree.
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

  /// Returns the placeholders after the cursor, and the comma after the last one.
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

extension PredicateParser {
  /// Reads operands and the operators between them with at least this precedence.
  func operand(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    depth > TreeHeight.walked
      ? try DeepStack.run { () throws(SyntaxError) in try operands(minimum) }
      : try operands(minimum)
  }

  private func operands(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    var left = try prefix(minimum)
    while let infix = infix(after: left, minimum) {
      left = try join(left, infix)
    }
    if recorder != nil { expectAtEnd(of: left, minimum) }
    if minimum <= .comparison, case .expression(let tree) = left { try checkHabit(after: tree) }
    return left
  }

  private func expectAtEnd(of left: Operand, _ minimum: Precedence) {
    switch left {
    case .expression(let tree):
      expectAtEnd(.infix(after: tree, mayCompare: minimum <= .comparison))
    case .predicate: if minimum <= .and { expectAtEnd(.connective) }
    }
  }

  /// Reads a value with operators of at least this precedence.
  func expression(_ minimum: Precedence) throws(SyntaxError) -> ExpressionTree {
    let found = try operand(minimum)
    return try value(found)
  }

  /// Reads a predicate with operators of at least this precedence.
  func condition(_ minimum: Precedence) throws(SyntaxError) -> PredicateTree {
    let found = try operand(minimum)
    return try predicate(found)
  }

  /// Returns the operand as a value; throws if it is a predicate.
  func value(_ operand: Operand) throws(SyntaxError) -> ExpressionTree {
    switch operand {
    case .expression(let tree): return tree
    case .predicate(let tree):
      throw SyntaxError(.predicateAsValue, at: tree.span)
    }
  }

  /// Returns the operand as a predicate; throws if it is a value.
  func predicate(_ operand: Operand) throws(SyntaxError) -> PredicateTree {
    switch operand {
    case .predicate(let tree): return tree
    case .expression(let tree):
      guard context.allowsTruth ? tree.mayBeTrue : mayBePart(tree) else {
        throw missingComparison(after: tree)
      }
      return PredicateTree(.truth(tree), span: tree.span)
    }
  }

  /// Returns the next operator, if it has at least this precedence.
  ///
  /// If the operand is a value and a predicate is expected, the statement cannot end here, so a
  /// line end is ignored.
  private func infix(after left: Operand, _ minimum: Precedence) -> InfixOperator? {
    let token = optional
    guard token.end == .line, minimum <= .comparison, !context.allowsTruth,
      case .expression(let tree) = left
    else { return infix(token, minimum) }
    return infix(required, minimum) ?? (mayBePart(tree) ? infix(token, minimum) : nil)
  }

  /// Returns whether an expression can be a predicate: a variable, as in `where $home AND done == NO`, or `(exists …)`.
  private func mayBePart(_ tree: ExpressionTree) -> Bool {
    guard cursor.isStatement else { return false }
    switch tree.kind {
    case .variable(let name): if elements.contains(name) { return false }
    case .fetch(let fetch): if fetch.result != .exists { return false }
    default: return false
    }
    let next = optional
    if next.end != nil || next.is(.rightParenthesis) || next.is(.comma) { return true }
    switch InfixOperator(next) {
    case .and, .or: return true
    case nil: return clauseWords.contains(cursor.text(next).lowercased())
    default: return false
    }
  }

  func infix(_ token: Token, _ minimum: Precedence) -> InfixOperator? {
    guard let found = InfixOperator(token) ?? selectorOperator(token, minimum) else { return nil }
    return found.precedence >= minimum ? found : nil
  }

  private func join(
    _ left: Operand, _ infix: InfixOperator
  ) throws(SyntaxError) -> Operand {
    switch infix {
    case .and: return .predicate(try chain(left, .and))
    case .or: return .predicate(try chain(left, .or))
    case .comparison(let operation):
      return .predicate(try comparison(value(left), operation, modifier: .direct))
    case .assignment: return .expression(try assignment(to: value(left)))
    case .set(let operation): return .expression(try setOperation(value(left), operation))
    case .arithmetic(let function): return .expression(try arithmetic(value(left), function))
    }
  }

  /// Reads a chain such as `a AND b AND c` as one node.
  private func chain(
    _ left: Operand, _ connective: Precedence
  ) throws(SyntaxError) -> PredicateTree {
    var parts = [try predicate(left)]
    var highest = height
    while let infix = infix(optional, connective), infix.precedence == connective {
      take()
      try checkLeft(of: parts[parts.count - 1])
      let right = try operand(connective.tighter)
      if connective == .and { try checkBounds(of: parts[parts.count - 1], right) }
      parts.append(try part(right, after: parts[parts.count - 1]))
      highest = max(highest, height)
    }
    let span = left.span.joined(lastSpan)
    try grow(above: highest, at: span)
    return PredicateTree(connective == .and ? .and(parts) : .or(parts), span: span)
  }

  private func arithmetic(
    _ left: ExpressionTree, _ function: BuiltInFunction
  ) throws(SyntaxError) -> ExpressionTree {
    let leftHeight = height
    let sign = take().span
    let right = try expression(InfixOperator.arithmetic(function).precedence.tighter)
    let span = left.span.joined(right.span)
    try grow(above: max(leftHeight, height), at: sign)
    if function == .subtract || function == .divide { warnAboutDate(span) }
    if function == .bitwiseXor { warnAboutCaret(sign, right) }
    let call = FunctionCall(function, [left, right], nameSpan: sign)
    return ExpressionTree(.function(call), span: span)
  }

  private func setOperation(
    _ left: ExpressionTree, _ operation: SetOperation
  ) throws(SyntaxError) -> ExpressionTree {
    let leftHeight = height
    let word = take().span
    let right = try expression(Precedence.set.tighter)
    try grow(above: max(leftHeight, height), at: word)
    return ExpressionTree(
      .setOperation(operation, left, right), span: left.span.joined(right.span))
  }

  private func assignment(
    to left: ExpressionTree
  ) throws(SyntaxError) -> ExpressionTree {
    guard case .variable(let name) = left.kind else {
      throw SyntaxError(.unexpected(.variable, found: cursor.text(left.span)), at: left.span)
    }
    let sign = take().span
    let outside = try enter(at: sign)
    // This is not a bracket: the options of a sort key can still follow.
    context.readsSortKey = outside.readsSortKey
    let right = try expression(.assignment)
    leave(to: outside)
    try grow(above: height, at: sign)
    return ExpressionTree(.assignment(name, right), span: left.span.joined(right.span))
  }
}

extension ExpressionTree {
  /// Whether it can be used as a predicate, like a Boolean key; false for a number, text or list.
  var mayBeTrue: Bool {
    switch kind {
    case .keyPath, .variable, .function, .message, .index, .ternary, .predicate, .fetch: true
    case .constant(let constant):
      constant.value == .boolean(true) || constant.value == .boolean(false)
    case .evaluatedObject, .indexAfterDot, .aggregate, .subquery, .mapped, .setOperation,
      .assignment,
      .anyKey, .objectOrQuotient:
      false
    }
  }
}

extension PredicateParser {
  /// Reads an operand with its prefix: `NOT x == 1`, `ANY tags == "x"`, `-a`.
  func prefix(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    let token = required
    switch token.kind {
    case .symbol(.bang): return .predicate(try negation())
    case .symbol(.minus), .symbol(.tilde): return .expression(try unary())
    case .word: return try prefixWord(token.keyword, minimum)
    default: return try postfix(minimum)
    }
  }

  private func prefixWord(
    _ keyword: Keyword?, _ minimum: Precedence
  ) throws(SyntaxError) -> Operand {
    switch keyword {
    case .not: return .predicate(try negation())
    case .anyOf, .someOf: return .predicate(try quantified(.any))
    case .allOf: return .predicate(try quantified(.all))
    case .noneOf: return .predicate(try quantified(.any, isNegated: true))
    case .truePredicate: return .predicate(constant(true))
    case .falsePredicate: return .predicate(constant(false))
    default: return try postfix(minimum)
    }
  }

  private func constant(_ answer: Bool) -> PredicateTree {
    height = 1
    return PredicateTree(.constant(answer), span: take().span)
  }

  /// Reads any number of negations without recursion: `NOT NOT a == 1`.
  private func negation() throws(SyntaxError) -> PredicateTree {
    var words: [SourceSpan] = []
    while required.is(.not) || required.is(.bang) {
      words.append(take().span)
    }
    var tree = try prefixed(by: lastSpan) { () throws(SyntaxError) in try condition(.comparison) }
    for word in words.reversed() {
      try grow(above: height, at: word)
      tree = PredicateTree(.not(tree), span: word.joined(tree.span))
    }
    return tree
  }

  /// Reads `ANY tags.name == "x"`. NONE is the negation of ANY.
  private func quantified(
    _ modifier: ComparisonModifier, isNegated: Bool = false
  ) throws(SyntaxError) -> PredicateTree {
    let word = take()
    if InfixOperator(required) != nil, !required.is(Symbol.minus) {
      throw reserved(word)
    }
    let found = try inside(.quantified) { () throws(SyntaxError) in
      try prefixed(by: word.span) { () throws(SyntaxError) in
        let left = try operand(Precedence.comparison.tighter)
        if case .expression(let tree) = left { expectAtEnd(.infix(after: tree, mayCompare: true)) }
        return left
      }
    }
    if case .predicate(let tree) = found { throw quantifiedPredicate(word, tree) }
    let left = try value(found)
    guard case .comparison(let operation) = infix(required, .comparison) else {
      throw missingComparison(after: left)
    }
    var tree = try comparison(left, operation, modifier: modifier)
    tree.span = word.span.joined(tree.span)
    guard isNegated else { return tree }
    try grow(above: height, at: word.span)
    return PredicateTree(.not(tree), span: tree.span)
  }

  /// Reads `-a`, `~a` or `- -a`. The minus before a number is part of the number.
  private func unary() throws(SyntaxError) -> ExpressionTree {
    var signs: [Token] = []
    while required.is(Symbol.minus) || required.is(.tilde) { signs.append(take()) }
    let number = required
    let operand = try postfix(.unary)
    var tree = try value(operand)
    if let last = signs.last, last.is(Symbol.minus), number.kind == .number,
      lastSpan == number.span
    {
      tree = try negative(number, sign: signs.removeLast())
    }
    for sign in signs.reversed() { tree = try applying(sign, to: tree) }
    return tree
  }

  private func negative(_ number: Token, sign: Token) throws(SyntaxError) -> ExpressionTree {
    let span = sign.span.joined(number.span)
    guard let constant = NumberLiteral.constant(cursor.text(number), isNegative: true) else {
      throw SyntaxError(.numberTooLarge(cursor.text(number)), at: span)
    }
    return ExpressionTree(.constant(constant), span: span)
  }

  /// Returns the sign applied to an expression. Minus is a subtraction from zero, as it prints.
  private func applying(
    _ sign: Token, to tree: ExpressionTree
  ) throws(SyntaxError) -> ExpressionTree {
    try grow(above: height, at: sign.span)
    let zero = ExpressionTree(.constant(Constant(.integer(0))), span: sign.span)
    let call =
      sign.is(Symbol.minus)
      ? FunctionCall(.subtract, [zero, tree], nameSpan: sign.span)
      : FunctionCall(.onesComplement, [tree], nameSpan: sign.span)
    return ExpressionTree(.function(call), span: sign.span.joined(tree.span))
  }
}
