package import KuraDiagnostics
public import KuraValues

/// Parses predicates, expressions and sort keys from tokens, in one pass.
///
/// It is a precedence climber: one loop reads operands and the operators between them, from OR to
/// `**`. Whether an operand is a value or a predicate is determined on the way, so parentheses need
/// no backtracking. It is a class so that its many stack frames in deep brackets hold only a
/// reference. Chains are read without recursion. Brackets can nest at least `maximumNesting` deep,
/// and no tree is higher than `maximumHeight`.
package final class PredicateParser {
  /// The current position. Only small functions access it, and never within each other, so the
  /// runtime exclusivity check is disabled; it would cost as much as reading the token.
  @exclusivity(unchecked) package var cursor: TokenCursor
  /// Texts that are valid but probably not intended.
  package var warnings: [Diagnostic] = []
  /// Words that can follow a predicate and are therefore not misspelt operators.
  package var clauseWords: [String] = []
  /// Reads the rest of a fetch after `fetch`, `count` or `exists`; nil if fetches are not allowed
  /// as expressions.
  package var readFetch: ((FetchTree.Result) throws(SyntaxError) -> FetchTree)?
  /// Records the possible continuations of the text; nil if no caller needs them.
  package var recorder: ExpectationRecorder?
  var arguments: [FormatArgument]?
  var usedArguments = 0
  /// The error for the first string that contains a specifier, in case an argument remains unused.
  var quotedSpecifier: SyntaxError?
  var nesting = 0
  /// The number of prefix words whose operand is being read.
  private var prefixes = 0
  /// The recursion depth of the parser.
  var depth: Int { nesting + prefixes }
  /// The height of the last tree.
  var height = 0
  /// The greatest height since it was reset, for constructs with several trees.
  var tallest = 0
  var context = Context()
  /// The variables of the enclosing SUBQUERYs and fetches, which are objects and not predicates.
  package var elements: [String] = []
  /// The remaining number of attempts to read an alternative for an error.
  var guesses = 4

  package init(_ cursor: TokenCursor) { self.cursor = cursor }

  /// The syntax that is allowed at the current place.
  struct Context: Sendable {
    /// Whether a lone Boolean key is a predicate.
    var allowsTruth = false
    /// Whether a trailing `[cd]` is an option instead of an index.
    var readsSortKey = false
  }

  /// The depth to which brackets can nest, whatever they contain.
  package static let maximumNesting = 1_000
  /// The maximum height of a tree. It leaves room for the content of the deepest bracket.
  package static let maximumHeight = 1_024
  /// The maximum number of open brackets. A tree prints with at most two around a node, and every
  /// tree must be readable again after printing.
  static let maximumBrackets = 2 * maximumHeight
}

/// A value or a predicate, before the parser knows which of them is expected.
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
  /// Reads a predicate such as `title CONTAINS "x" AND done == NO`.
  package func parsePredicate() throws(SyntaxError) -> PredicateTree {
    expectAtEnd(.operand)
    if required.end != nil { throw expected(.predicate) }
    return try condition(.or)
  }

  /// Reads an expression such as `price * 2`.
  package func parseExpression() throws(SyntaxError) -> ExpressionTree {
    try expression(.assignment)
  }

  /// Reads an expression such as `price * 2`, or a predicate with the value YES or NO: `dueDate <
  /// today()`, `NOT done`
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

  /// Throws if anything follows, or if arguments remain.
  package func parseEnd() throws(SyntaxError) {
    if optional.end == nil { throw unexpectedTail() }
    if let arguments, usedArguments < arguments.count {
      if let quotedSpecifier { throw quotedSpecifier }
      throw SyntaxError(
        .unusedArguments(used: usedArguments, given: arguments.count), at: optional.span)
    }
  }

  /// Enters a bracket, which resets the context. Pass the result to `leave`.
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

  /// Reads the operand of a prefix word, which can be repeated: `ANY ANY`, `NOT a == NOT b`.
  func prefixed<Read>(
    by word: SourceSpan, _ read: () throws(SyntaxError) -> Read
  ) throws(SyntaxError) -> Read {
    prefixes += 1
    if prefixes > Self.maximumBrackets { throw tooDeep(at: word) }
    let found = try read()
    prefixes -= 1
    return found
  }

  /// Records a node above trees of some height.
  package func grow(above height: Int, at span: SourceSpan) throws(SyntaxError) {
    self.height = height + 1
    tallest = max(tallest, self.height)
    if self.height > Self.maximumHeight { throw tooDeep(at: span) }
  }

  private func tooDeep(at span: SourceSpan) -> SyntaxError {
    SyntaxError(.tooDeep(Self.maximumNesting), at: span)
  }
}

// Access to the cursor through small functions, so that only their frames hold tokens and cursors
extension PredicateParser {
  package var required: Token { cursor.required }

  /// The cursor's `optional`, in two steps that do not copy the cursor.
  package var optional: Token {
    let token = required
    guard token.end == nil, cursor.isAtLineEnd else { return token }
    return cursor.lineEnd
  }

  package var lastSpan: SourceSpan { cursor.lastSpan }

  @discardableResult
  package func take() -> Token { cursor.take() }

  package func bytes(_ token: Token) -> ArraySlice<UInt8> { cursor.bytes(token.span) }

  package func text(_ token: Token) -> String { cursor.text(token) }

  package func isWord(_ token: Token, _ word: StaticString) -> Bool { cursor.isWord(token, word) }

  package func mayPrecede(_ symbols: StaticString) -> Bool { cursor.mayPrecede(symbols) }
}

// Warnings about valid texts that were probably not intended, in statements only
extension PredicateParser {
  /// Warns about a literal pattern on the right side.
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

  /// Warns about `\b` on the right side of MATCHES, which is a backspace and not a word boundary.
  private func warnAboutBackspaces(_ span: SourceSpan) {
    let bytes = cursor.bytes(span)
    guard bytes.first?.isQuote == true else { return }
    for offset in StringLiteral(quoted: bytes).backspaces {
      let start = span.start + offset - bytes.startIndex
      warn(.backspaceInPattern, at: SourceSpan(start, start + 2), fix: "\\\\b")
    }
  }

  /// Warns about `LIKE "%x%"`, as in SQL, if the pattern has no other wildcards.
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

  /// Warns about `2010-07-20`, which is a subtraction.
  func warnAboutDate(_ span: SourceSpan) {
    guard cursor.isStatement, (8...10).contains(span.end - span.start) else { return }
    let text = cursor.text(span)
    let parts = text.split { $0 == "-" || $0 == "/" }
    let isDate =
      parts.count == 3 && parts[0].utf8.count == 4
      && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
    if isDate { warn(.dateWithoutQuotes(text), at: span, fix: "\"\(text)\"") }
  }

  /// Warns about `2^10`, which is a bitwise operation.
  func warnAboutCaret(_ sign: SourceSpan, _ right: ExpressionTree) {
    guard cursor.isStatement, cursor.text(sign) == "^", case .constant(let constant) = right.kind,
      case .integer(let number) = constant.value, number > 1,
      cursor.text(right.span).utf8.allSatisfy(\.isDigit)
    else { return }
    warn(.caret, at: sign, fix: "**")
  }

  func warn(_ facts: PredicateSyntaxProblem, at span: SourceSpan, fix: String) {
    warnings.append(Diagnostic(facts, at: span, fixIt: FixIt(span, fix), severity: .warning))
  }
}

/// An argument for a specifier in a format string.
public enum FormatArgument: Sendable, Hashable {
  /// A value for `%@` or `%d`; for `%K` a string that is a key path.
  case value(Value)
  /// An expression, which `%@` inserts into the tree.
  case expression(ExpressionTree)
  /// A predicate, which `%@` inserts into the tree.
  case predicate(PredicateTree)
}

/// The kind of argument that a specifier requires.
enum FormatSpecifier {
  /// `%@`
  case object
  /// `%K`
  case key
  /// `%d`, `%llu`, `%x`
  case integer
  /// `%f`, `%g`
  case double
  /// `%s`
  case string
  /// `%c`
  case character

  init?(_ text: String) {
    switch text.last {
    case "@" where text == "%@": self = .object
    case "K" where text == "%K": self = .key
    case "d", "D", "i", "u", "U", "x", "X", "o", "O": self = .integer
    case "f", "F", "g", "G", "e", "E", "a", "A": self = .double
    case "s", "S": self = .string
    case "c", "C": self = .character
    default: return nil
    }
  }

  var wanted: String {
    switch self {
    case .object: "a value"
    case .key: "a string with a key path"
    case .integer: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .character: "a character or its number"
    }
  }

  /// Returns the value as this specifier reads it; nil if it does not fit.
  func value(of value: Value) -> Value? {
    switch (self, value) {
    case (.object, _): value
    case (.key, .string), (.string, .string): value
    case (.integer, .integer): value
    case (.integer, .boolean(let yes)): .integer(yes ? 1 : 0)
    case (.double, .double), (.double, .decimal): value
    case (.double, .integer(let number)): .double(Double(number))
    case (.character, .integer(let number)):
      UInt32(exactly: number).flatMap { Unicode.Scalar($0) }.map { .string(String($0)) }
    case (.character, .string(let text)): text.count == 1 ? value : nil
    default: nil
    }
  }
}

extension PredicateParser {
  /// Returns the argument of a specifier as an operand.
  func argument() throws(SyntaxError) -> Operand {
    let token = take()
    let (specifier, argument) = try nextArgument(for: token)
    switch (specifier, argument) {
    case (.object, .expression(let tree)):
      return .expression(ExpressionTree(tree.kind, span: token.span))
    case (.object, .predicate(let tree)):
      return .predicate(PredicateTree(tree.kind, span: token.span))
    case (.key, _):
      let keys = try keys(specifier, argument, token)
      return .expression(ExpressionTree(.keyPath(KeyPathTree(keys)), span: token.span))
    default:
      let value = try value(specifier, argument, token)
      return .expression(ExpressionTree(.constant(Constant(value)), span: token.span))
    }
  }

  /// Returns the single key of an argument: `a.%K`.
  func keyArgument() throws(SyntaxError) -> KeyComponent {
    let token = take()
    let (specifier, argument) = try nextArgument(for: token)
    let keys = try keys(specifier, argument, token)
    guard keys.count == 1 else { throw wrong(specifier, token) }
    return keys[0]
  }

  /// Returns the text of an argument: `FUNCTION(a, %@)`.
  func stringArgument() throws(SyntaxError) -> String {
    let token = take()
    let (specifier, argument) = try nextArgument(for: token)
    guard case .string(let text) = try value(specifier, argument, token) else {
      throw wrong(.string, token)
    }
    return text
  }

  private func nextArgument(
    for token: Token
  ) throws(SyntaxError) -> (FormatSpecifier, FormatArgument) {
    let text = cursor.text(token)
    guard let arguments else { throw SyntaxError(Facts.placeholder(text), at: token.span) }
    if text == "%%" { throw SyntaxError(Facts.noModulus("%"), at: token.span) }
    guard let specifier = FormatSpecifier(text) else {
      throw SyntaxError(Facts.unknownSpecifier(text), at: token.span)
    }
    guard usedArguments < arguments.count else {
      throw SyntaxError(Facts.missingArgument(text, given: arguments.count), at: token.span)
    }
    usedArguments += 1
    return (specifier, arguments[usedArguments - 1])
  }

  private func value(
    _ specifier: FormatSpecifier, _ argument: FormatArgument, _ token: Token
  ) throws(SyntaxError) -> Value {
    guard case .value(let given) = argument, let value = specifier.value(of: given) else {
      throw wrong(specifier, token)
    }
    return value
  }

  /// Returns the keys of a string, separated by dots. `@count` is an operator; everything else is a
  /// key.
  private func keys(
    _ specifier: FormatSpecifier, _ argument: FormatArgument, _ token: Token
  ) throws(SyntaxError) -> [KeyComponent] {
    guard case .key = specifier, case .string(let text) = try value(specifier, argument, token)
    else { throw wrong(.key, token) }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { throw wrong(.key, token) }
    return parts.map { part in
      part.first == UInt8(ascii: "@") && part.count > 1
        ? KeyComponent(
          String(Substring(part.dropFirst())), .collectionOperator, span: token.span)
        : KeyComponent(String(Substring(part)), span: token.span)
    }
  }

  private func wrong(_ specifier: FormatSpecifier, _ token: Token) -> SyntaxError {
    SyntaxError(
      Facts.wrongArgument(cursor.text(token), wants: specifier.wanted), at: token.span)
  }

  private typealias Facts = PredicateSyntaxProblem
}

// Lists and calls in the syntax of other languages
extension PredicateParser {
  /// Returns the error for `(1, 2)` or `[1, 2]` instead of a list. The cursor is inside.
  func listInBrackets(_ bracket: Token) -> SyntaxError {
    let problem = PredicateSyntaxProblem.listInBrackets(cursor.text(bracket))
    guard let end = closing(bracket)?.span else { return SyntaxError(problem, at: bracket.span) }
    let list = bracket.span.joined(end)
    let inside = SourceSpan(bracket.span.end, end.start)
    let written = bracket.is(.leftBracket) ? "[…]" : "(…)"
    let fix = FixIt(list, "{\(cursor.text(inside))}", .word(written, as: "{…}"))
    return SyntaxError(problem, at: list, fixIt: fix)
  }

  /// Returns the token that closes a bracket. The cursor is inside; nil if there is none.
  private func closing(_ bracket: Token) -> Token? {
    guard let token = cursor.endOfBracket(), case .symbol(let symbol) = bracket.kind,
      let closing = symbol.closing
    else { return nil }
    return token.is(closing) ? token : nil
  }

  /// Returns whether brackets after an operator contain a list instead of options: if they contain
  /// a string or several numbers, or if no operand follows them.
  func isList(_ bracket: Token) -> Bool {
    guard let end = closing(bracket) else { return false }
    var ahead = cursor
    var numbers = 0
    while ahead.lastSpan.end < end.span.end {
      if ahead.token.kind == .string { return true }
      if ahead.token.kind == .number { numbers += 1 }
      ahead.take()
    }
    if numbers > 1 { return true }
    let next = ahead.optional
    if next.end != nil || next.is(.comma) || next.is(.and) || next.is(.or) { return true }
    guard case .symbol(let symbol) = next.kind else { return false }
    return symbol.closes || symbol == .doubleAmpersand || symbol == .doubleBar
  }

  /// Returns the error for `title.hasPrefix("x")`. The cursor is at the bracket.
  func methodCall(_ tree: ExpressionTree) -> SyntaxError {
    guard case .keyPath(let path) = tree.kind, let last = path.components.last else {
      return expected(.end)
    }
    var meant: String?
    var whole = tree.span
    if let arguments = argumentsAhead(), last.span.start > tree.span.start {
      let dot = cursor.bytes(SourceSpan(tree.span.start, last.span.start)).lastIndex(of: 0x2E)
      let start = cursor.bytes(tree.span).startIndex
      let receiver = dot.map { SourceSpan(tree.span.start, tree.span.start + $0 - start) }
      meant = receiver.flatMap {
        MethodName(rawValue: last.name)?.written(cursor.text($0), cursor.text(arguments))
      }
      whole = SourceSpan(tree.span.start, arguments.end + 1)
    }
    return SyntaxError(
      .methodCall(last.name, meant: meant), at: last.span, fixIt: meant.map { FixIt(whole, $0) })
  }

  /// Returns the span inside the brackets that open here.
  func argumentsAhead() -> SourceSpan? {
    var ahead = cursor
    let bracket = ahead.take()
    return ahead.endOfBracket().map { SourceSpan(bracket.span.end, $0.span.start) }
  }
}

/// Methods of Swift and Objective-C that are operators or functions here.
enum MethodName: String {
  case contains, localizedStandardContains, localizedCaseInsensitiveContains
  case hasPrefix, hasSuffix, starts, startsWith, endsWith
  case lowercased, uppercased, isEmpty, count, length

  /// Returns a call in this language: `title CONTAINS "x"` for `title.contains("x")`.
  func written(_ receiver: String, _ arguments: String) -> String? {
    switch self {
    case .contains: arguments.isEmpty ? nil : "\(receiver) CONTAINS \(arguments)"
    case .localizedStandardContains, .localizedCaseInsensitiveContains:
      arguments.isEmpty ? nil : "\(receiver) CONTAINS[cd] \(arguments)"
    case .hasPrefix, .starts, .startsWith:
      arguments.isEmpty ? nil : "\(receiver) BEGINSWITH \(arguments)"
    case .hasSuffix, .endsWith: arguments.isEmpty ? nil : "\(receiver) ENDSWITH \(arguments)"
    case .lowercased: arguments.isEmpty ? "lowercase(\(receiver))" : nil
    case .uppercased: arguments.isEmpty ? "uppercase(\(receiver))" : nil
    case .isEmpty: arguments.isEmpty ? "length(\(receiver)) == 0" : nil
    case .count, .length: arguments.isEmpty ? "length(\(receiver))" : nil
    }
  }
}

extension PredicateParser {
  /// Reads the operator, its options and the right side.
  func comparison(
    _ left: ExpressionTree, _ operation: ComparisonOperator, modifier: ComparisonModifier
  ) throws(SyntaxError) -> PredicateTree {
    let leftHeight = height
    let place = takeOperator(operation)
    let options = try optionalOptions()
    if options.isEmpty { try checkPieces(of: operation, at: place) }
    let right = try inside(.right(of: left, operation, modifier)) { () throws(SyntaxError) in
      try expression(Precedence.comparison.tighter)
    }
    try grow(above: max(leftHeight, height), at: place)
    let tree = PredicateTree(
      .comparison(
        Comparison(
          left, operation, options: options, right, modifier: modifier, operationSpan: place)),
      span: left.span.joined(lastSpan))
    if let next = infix(optional, .comparison), case .comparison = next {
      throw chainError(tree, operation, right)
    }
    warnAboutPattern(operation, right)
    return tree
  }

  private func takeOperator(_ operation: ComparisonOperator) -> SourceSpan {
    let first = take().span
    guard case .selector(let name) = operation else { return first }
    while lastSpan.end < first.start + name.utf8.count { take() }
    return first.joined(lastSpan)
  }

  /// Returns the operator for a word with a colon: `SELF isKindOfClass: x`.
  func selectorOperator(_ token: Token, _ minimum: Precedence) -> InfixOperator? {
    guard token.kind == .word, token.keyword == nil, minimum <= .comparison else { return nil }
    guard let end = selectorEnd(from: token) else { return nil }
    return .comparison(.selector(cursor.text(SourceSpan(token.span.start, end))))
  }

  /// Returns the end of `word:` or `word:word:`; nil if the word at the cursor is not a selector.
  private func selectorEnd(from word: Token) -> Int? {
    var ahead = cursor
    var end: Int?
    while ahead.token.kind == .word, end == nil || ahead.token.isAdjacent {
      ahead.take()
      guard ahead.token.is(.colon), ahead.token.isAdjacent else { break }
      end = ahead.take().span.end
    }
    return end
  }

  /// Reads options such as `[cd]`, with optional blanks before and inside.
  func optionalOptions() throws(SyntaxError) -> ComparisonOptions {
    guard optional.is(.leftBracket) else { return [] }
    let bracket = take()
    expectAtEnd(.words(["cd]", "c]", "d]", "l]", "n]"]))
    var options: ComparisonOptions = []
    while required.kind == .word { options.formUnion(try takeLetters(after: bracket)) }
    guard required.is(.rightBracket) else {
      if required.end != nil { throw unclosed(bracket) }
      throw isList(bracket) ? listInBrackets(bracket) : expected(.options)
    }
    take()
    guard !options.isEmpty else {
      throw SyntaxError(.emptyOptions, at: bracket.span.joined(lastSpan))
    }
    try checkSecondBracket(options, from: bracket)
    return options
  }

  private func takeLetters(after bracket: Token) throws(SyntaxError) -> ComparisonOptions {
    let token = required
    let (options, wrong) = ComparisonOptions.reading(cursor.text(token))
    guard let wrong else {
      take()
      return options
    }
    if isList(bracket) { throw listInBrackets(bracket) }
    let before = cursor.text(token).prefix { $0 != wrong }.utf8.count
    let start = token.span.start + before
    let span = SourceSpan(start, start + wrong.utf8.count)
    // The `i` of regular expressions in other languages
    let fix = wrong == "i" || wrong == "I" ? FixIt(span, "c") : nil
    throw SyntaxError(.unknownOption(String(wrong)), at: span, fixIt: fix)
  }

  /// Throws for `==[c][d]`.
  private func checkSecondBracket(
    _ options: ComparisonOptions, from bracket: Token
  ) throws(SyntaxError) {
    guard optional.is(.leftBracket) else { return }
    var ahead = cursor
    ahead.take()
    let (more, wrong) = ComparisonOptions.reading(cursor.text(ahead.take()))
    guard wrong == nil, ahead.take().is(.rightBracket) else { return }
    let span = bracket.span.joined(ahead.lastSpan)
    throw SyntaxError(
      .severalBrackets, at: span, fixIt: FixIt(span, "[\(options.union(more).letters)]"))
  }
}
