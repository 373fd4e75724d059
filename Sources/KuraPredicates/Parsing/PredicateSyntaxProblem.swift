package import KuraDiagnostics

/// A problem with a text in the predicate language.
package enum PredicateSyntaxProblem: DiagnosticFacts, Hashable {
  /// The text ended too early: `a ==`
  case missing(Expected, after: String, Token.End)
  /// An unexpected token: `a == )`
  case unexpected(Expected, found: String)
  /// `(a == 1`
  case unclosed(String, Token.End)
  /// `"abc`; after another string it can be an apostrophe: `'it's'`
  case unclosedQuote(String, followsString: Bool)
  /// `'JR's Pad'`, `"say "hi""`
  case textAfterString(String, quote: String)
  /// `"\uD83D"`
  case escape(StringLiteral.EscapeProblem)
  /// `"\d"`, a warning
  case idleEscape(String)
  /// `x MATCHES "\bword"`, a warning
  case backspaceInPattern
  /// `LIKE "%x%"`, a warning
  case percentInLike
  /// `LIKE "＊x"`, a warning
  case wideWildcard(String)
  /// `2^10`, a warning
  case caret
  /// `date > 2010-07-20`, a warning
  case dateWithoutQuotes(String)
  /// `date > 9:00`
  case timeWithoutQuotes(String)
  /// `12px`; `1_000` is a number with separators between its digits
  case numberWithLetters(String, meant: String?)
  /// `0x`
  case numberWithoutDigits(String)
  /// `1e999`, an integer of 39 digits
  case numberTooLarge(String)
  /// `.5`
  case numberWithoutLeadingDigit(String)
  /// `$` alone
  case missingName(String)
  /// `@"text"`
  case signBeforeString
  /// A character that no word contains
  case unknownCharacter(String)
  /// `＝`
  case lookalike(String, meaning: String)
  /// Bytes that are not UTF-8
  case notUTF8
  /// `title CONTAIN "x"`
  case unknownOperator(String, near: [String])
  /// `a === 1`
  case strangeEquality(String)
  /// `a = = 1`, `a =! 1`
  case brokenOperator(String, meant: String?)
  /// `a % 2`, `a MOD 2`
  case noModulus(String)
  /// `a XOR b`
  case noExclusiveOr
  /// `a ?? b`
  case noCoalescing
  /// `a == nil ? 1 : 2`
  case noConditional
  /// `a == 1, b == 2`
  case comma
  /// `+5`
  case plusSign
  /// `a == 1 & b == 2`
  case bitsForLogic(String, meant: String)
  /// `x NOT IN y`
  case notBeforeOperator(String, left: String)
  /// `x IS NULL`
  case isOperator(String)
  /// `first name == "x"`
  case blankInKey(String, key: String)
  /// `age` instead of a predicate
  case bareValue(String, Token.End?)
  /// `age BETWEEN 1 AND 9`
  case betweenAnd(bounds: String)
  /// `x IN (1, 2)`, `x IN [1, 2]`
  case listInBrackets(String)
  /// `title.hasPrefix("x")`, and its form in this language
  case methodCall(String, meant: String?)
  /// `upper(title)`
  case unknownFunction(String, near: [String])
  /// `contains(title, "x")`
  case operatorAsFunction(String)
  /// `now(1)`
  case argumentCount(String, PredicateFunction.Arguments, given: Int)
  /// `FUNCTION(a, uppercaseString)`
  case unquotedSelector
  /// `==[x]`
  case unknownOption(String)
  /// `==[]`
  case emptyOptions
  /// `==[c][d]`
  case severalBrackets
  /// `CAST(a AS NSNumber)`
  case castAs(String)
  /// `a < b < c`
  case comparisonChain
  /// `(a == 1) + 2`
  case predicateAsValue
  /// `count(*)`
  case everything
  /// `ANY (items.done == NO)`
  case modifierBeforePredicate(String)
  /// `and == 1`
  case reservedWord(String)
  /// `a.0`
  case componentStartsWithDigit(String)
  /// A tree with more levels than allowed
  case tooDeep(Int)
  /// `/* … */`
  case comment(inStatement: Bool)
  /// `%@` without arguments
  case placeholder(String)
  /// `:who`, and the name
  case parameter(String, String)
  /// `%k`
  case unknownSpecifier(String)
  /// More specifiers than arguments
  case missingArgument(String, given: Int)
  /// More arguments than specifiers
  case unusedArguments(used: Int, given: Int)
  /// `%K` with a number
  case wrongArgument(String, wants: String)

  /// The construct that was expected.
  package enum Expected: Sendable, Hashable {
    /// `3`, `title`, `length(x)`
    case value
    /// `title == "x"`
    case predicate
    /// `==`, `CONTAINS`
    case comparison
    /// `AND`, or the end
    case connective
    /// An operator, or the end
    case end
    /// A key after a dot
    case key
    /// `$x`
    case variable
    /// The comma between the arguments of `CAST`, `FUNCTION`, `SUBQUERY` or `TERNARY`
    case commaIn(Keyword?)
    /// `,` or the closing bracket
    case symbol(Symbol)
    /// `,` or the closing bracket
    case commaOr(Symbol)
    /// The letters of `[cd]`
    case options
    /// `first` or `last`
    case words([String])
  }
}

extension PredicateSyntaxProblem {
  package var isIncomplete: Bool {
    switch self {
    case .missing(_, _, let end), .unclosed(_, let end): end.mayContinue
    case .bareValue(_, let end): end?.mayContinue ?? false
    default: false
    }
  }
}

extension PredicateSyntaxProblem {
  /// Whether Enter at a prompt reports the error at once. After `priority == 3 OR 0` or `where
  /// done` the user considers the line complete, although an operator could follow on the next
  /// line.
  package var isRefusedAtEnter: Bool {
    if case .bareValue(_, .text) = self { true } else { false }
  }
}

extension Token.End {
  /// Whether more text could follow.
  package var mayContinue: Bool { self == .text || self == .continuation }
}

/// A diagnostic that a parser throws. It is a reference, so that the parser's frames stay small.
package final class SyntaxError: Error {
  package let diagnostic: Diagnostic

  package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

  package convenience init(
    _ facts: any DiagnosticFacts, at span: SourceSpan, fixIt: FixIt? = nil, fixIts: [FixIt] = []
  ) {
    var diagnostic = Diagnostic(facts, at: span, fixIt: fixIt)
    diagnostic.fixIts += fixIts
    self.init(diagnostic)
  }

  /// Creates the error of a problem with a predicate.
  convenience init(
    _ problem: PredicateSyntaxProblem, at span: SourceSpan, fixIt: FixIt? = nil,
    fixIts: [FixIt] = []
  ) {
    self.init(problem as any DiagnosticFacts, at: span, fixIt: fixIt, fixIts: fixIts)
  }
}
