package import KuraDiagnostics
import KuraValues

/// Reads predicates, expressions and sort keys from tokens, in one pass.
///
/// It is a precedence climber: one loop reads operands and the operators between them, from OR to
/// `**`; whether an operand is a value or a predicate is found out on the way, so parentheses cost
/// nothing. It is a class so that its frames, of which there are many in deep brackets, hold a
/// reference only. Chains are read without recursion. Brackets nest to `maximumNesting` at least, and
/// no tree is higher than `maximumHeight`.
package final class PredicateParser {
  /// Where it reads. Only small functions touch it, none inside another, so the check at run time
  /// of that, which would cost as much as the token, is left out.
  @exclusivity(unchecked) package var cursor: TokenCursor
  /// What was read and was perhaps not meant.
  package var warnings: [Diagnostic] = []
  /// Words that may stand behind a predicate, and are no misspelt operators.
  package var clauseWords: [String] = []
  /// Reads what stands behind `fetch`, `count` or `exists`; nil: a fetch is no expression here.
  package var readFetch: ((FetchTree.Result) throws(SyntaxError) -> FetchTree)?
  /// Who wants to know what may stand at the end of the text.
  package var breakOff: BreakOff?
  var arguments: [FormatArgument]?
  var usedArguments = 0
  /// The first text that has a specifier in it, as an error where an argument is left over.
  var quotedSpecifier: SyntaxError?
  var nesting = 0
  /// How many words are open whose operand is being read.
  private var prefixes = 0
  /// How deep the parser stands in its own functions.
  var depth: Int { nesting + prefixes }
  /// The height of the tree that was read last.
  var height = 0
  /// The greatest height since it was set, for what has several trees.
  var tallest = 0
  var context = Context()
  /// The variables of the SUBQUERYs around, which are elements and no predicates.
  var elements: [String] = []
  /// How often something else than what is written may be read, of an error.
  var guesses = 4

  package init(_ cursor: TokenCursor) { self.cursor = cursor }

  /// What the place allows.
  struct Context: Sendable {
    /// Whether a boolean key alone is a predicate.
    var allowsTruth = false
    /// Whether a last `[cd]` is an option, no index.
    var readsSortKey = false
  }

  /// How deep brackets may nest, whatever stands in them.
  package static let maximumNesting = 1_000
  /// How high a tree may be: some more, for what stands inside the deepest bracket.
  package static let maximumHeight = 1_024
  /// How many brackets may be open: a tree prints with two around a node at most, and whatever has
  /// been read is read again as it prints.
  static let maximumBrackets = 2 * maximumHeight
}

/// What was read, before it is known what is wanted.
enum Operand {
  case expression(ExpressionTree)
  case predicate(PredicateTree)

  var span: SourceSpan {
    switch self {
    case .expression(let tree): tree.span
    case .predicate(let tree): tree.span
    }
  }
}

extension PredicateParser {
  /// `title CONTAINS "x" AND done == NO`
  package func parsePredicate() throws(SyntaxError) -> PredicateTree {
    noteEnd(.operand)
    if required.end != nil { throw expected(.predicate) }
    return try condition(.or)
  }

  /// `price * 2`
  package func parseExpression() throws(SyntaxError) -> ExpressionTree {
    try expression(.assignment)
  }

  /// `price * 2`, or a predicate worth YES or NO: `dueDate < today()`, `NOT done`
  package func parseExpressionOrPredicate() throws(SyntaxError) -> ExpressionTree {
    let outside = context
    context = Context(allowsTruth: true)
    let found = try operand(.or)
    context = outside
    switch found {
    case .expression(let tree): return tree
    case .predicate(let tree): return ExpressionTree(.predicate(tree), span: tree.span)
    }
  }

  /// Refuses what stands behind the last thing that was read.
  package func parseEnd() throws(SyntaxError) {
    if optional.end == nil { throw unexpectedTail() }
    if let arguments, usedArguments < arguments.count {
      if let quotedSpecifier { throw quotedSpecifier }
      throw SyntaxError(
        PredicateSyntaxFacts.unusedArguments(used: usedArguments, given: arguments.count),
        at: optional.span)
    }
  }
}

extension PredicateParser {
  /// Enters a bracket, in which other things are allowed; `leave` wants what this gives.
  func enter(at span: SourceSpan) throws(SyntaxError) -> Context {
    nesting += 1
    if nesting > Self.maximumBrackets { throw tooDeep(at: span) }
    let outside = context
    context = Context()
    return outside
  }

  func leave(to outside: Context) {
    nesting -= 1
    context = outside
  }

  /// Reads what stands behind a word that may stand there again: `ANY ANY`, `NOT a == NOT b`.
  func prefixed<Read>(
    by word: SourceSpan, _ read: () throws(SyntaxError) -> Read
  ) throws(SyntaxError) -> Read {
    prefixes += 1
    if prefixes > Self.maximumBrackets { throw tooDeep(at: word) }
    let found = try read()
    prefixes -= 1
    return found
  }

  /// Notes a node above trees of some height.
  func grow(above height: Int, at span: SourceSpan) throws(SyntaxError) {
    self.height = height + 1
    tallest = max(tallest, self.height)
    if self.height > Self.maximumHeight { throw tooDeep(at: span) }
  }

  private func tooDeep(at span: SourceSpan) -> SyntaxError {
    SyntaxError(PredicateSyntaxFacts.tooDeep(Self.maximumNesting), at: span)
  }
}

// The cursor, read through small functions, so that only their frames hold tokens and cursors.
extension PredicateParser {
  package var required: Token { cursor.required }

  /// As the cursor says it; asked in two steps, of which neither copies the cursor.
  package var optional: Token {
    let token = required
    guard token.end == nil, cursor.isAtLineEnd else { return token }
    return cursor.lineEnd
  }

  package var lastSpan: SourceSpan { cursor.lastSpan }

  @discardableResult
  package func take() -> Token { cursor.take() }

  /// The bytes of a token as they stand.
  package func bytes(_ token: Token) -> ArraySlice<UInt8> { cursor.bytes(token.span) }

  package func text(_ token: Token) -> String { cursor.text(token) }

  package func isWord(_ token: Token, _ word: StaticString) -> Bool { cursor.isWord(token, word) }

  package func mayPrecede(_ symbols: StaticString) -> Bool { cursor.mayPrecede(symbols) }
}

// What is read as it is written, and was perhaps not meant so: said in statements only.
extension PredicateParser {
  /// Looks at a pattern that stands as a string on the right.
  func warnAboutPattern(_ operation: ComparisonOperator, _ right: ExpressionTree) {
    guard cursor.isStatement, case .constant(let constant) = right.kind,
      case .string(let text) = constant.value
    else { return }
    switch operation {
    case .matches: warnAboutBackspaces(right.span)
    case .like: warnAboutPercent(text, right.span)
    default: break
    }
  }

  /// `\b` on the right of MATCHES is a backspace, and was meant as a boundary.
  private func warnAboutBackspaces(_ span: SourceSpan) {
    let bytes = cursor.bytes(span)
    guard bytes.first == UInt8(ascii: "\"") || bytes.first == UInt8(ascii: "'") else { return }
    for offset in StringLiteral(quoted: bytes).backspaces {
      let start = span.start + offset - bytes.startIndex
      warn(.backspaceInPattern, at: SourceSpan(start, start + 2), fix: "\\\\b")
    }
  }

  /// `LIKE "%x%"`, as in SQL, where nothing else in the pattern is special.
  private func warnAboutPercent(_ pattern: String, _ span: SourceSpan) {
    let bytes = pattern.utf8
    guard !bytes.contains(UInt8(ascii: "*")), !bytes.contains(UInt8(ascii: "?")) else { return }
    if let sign = pattern.first(where: { "＊？％".contains($0) }) {
      let meant = cursor.text(span).replacing("＊", with: "*").replacing("？", with: "?")
      return warn(.wideWildcard(String(sign)), at: span, fix: meant.replacing("％", with: "*"))
    }
    guard bytes.first == UInt8(ascii: "%") || bytes.last == UInt8(ascii: "%") else { return }
    warn(.percentInLike, at: span, fix: cursor.text(span).replacing("%", with: "*"))
  }

  /// `2010-07-20`, which is a subtraction.
  func warnAboutDate(_ span: SourceSpan) {
    guard cursor.isStatement, (8...10).contains(span.end - span.start) else { return }
    let text = cursor.text(span)
    let parts = text.split { $0 == "-" || $0 == "/" }
    let isDate =
      parts.count == 3 && parts[0].utf8.count == 4
      && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
    if isDate { warn(.dateWithoutQuotes(text), at: span, fix: "\"\(text)\"") }
  }

  /// `2^10`, of which nobody wants the bits.
  func warnAboutCaret(_ sign: SourceSpan, _ right: ExpressionTree) {
    guard cursor.isStatement, cursor.text(sign) == "^", case .constant(let constant) = right.kind,
      case .integer(let number) = constant.value, number > 1,
      cursor.text(right.span).utf8.allSatisfy(\.isDigit)
    else { return }
    warn(.caret, at: sign, fix: "**")
  }

  func warn(_ facts: PredicateSyntaxFacts, at span: SourceSpan, fix: String) {
    warnings.append(Diagnostic(facts, at: span, fixIt: FixIt(span, fix), severity: .warning))
  }
}
