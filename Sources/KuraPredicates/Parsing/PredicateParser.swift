package import KuraDiagnostics

/// Reads predicates, expressions and sort keys from tokens, in one pass.
///
/// It is a precedence climber: one loop reads operands and the operators between them, from OR to
/// `**`; whether an operand is a value or a predicate is found out on the way, so parentheses cost
/// nothing. It is a class so that its frames, of which there are many in deep brackets, hold a
/// reference only. Chains are read without recursion. Brackets nest to `maximumNesting`, and no tree is
/// higher than `maximumHeight`.
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

  package init(_ cursor: TokenCursor) { self.cursor = cursor }

  /// What the place allows.
  struct Context: Sendable {
    /// Whether a boolean key alone is a predicate.
    var allowsTruth = false
    /// Whether a last `[cd]` is an option, no index.
    var readsSortKey = false
  }

  /// How deep brackets may nest.
  package static let maximumNesting = 1_000
  /// How high a tree may be: some more, for what stands inside the deepest bracket.
  package static let maximumHeight = 1_024
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
    if nesting > Self.maximumNesting {
      throw tooDeep(at: span, levels: nesting - 1)
    }
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
    if prefixes > Self.maximumNesting { throw tooDeep(at: word, levels: Self.maximumNesting) }
    let found = try read()
    prefixes -= 1
    return found
  }

  /// Notes a node above trees of some height.
  func grow(above height: Int, at span: SourceSpan) throws(SyntaxError) {
    self.height = height + 1
    tallest = max(tallest, self.height)
    if self.height > Self.maximumHeight {
      throw tooDeep(at: span, levels: Self.maximumNesting)
    }
  }

  private func tooDeep(at span: SourceSpan, levels: Int) -> SyntaxError {
    SyntaxError(PredicateSyntaxFacts.tooDeep(levels), at: span)
  }
}
