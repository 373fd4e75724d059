import KuraDiagnostics
public import KuraValues

/// What takes the place of a specifier in a format string.
public enum FormatArgument: Sendable, Hashable {
  /// A value for `%@` or `%d`; for `%K` a string that is a key path.
  case value(Value)
  /// An expression, which `%@` puts into the tree as it is.
  case expression(ExpressionTree)
  /// A predicate, which `%@` puts into the tree as it is.
  case predicate(PredicateTree)
}

/// What a specifier wants.
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
    case .character: "a character, or its number"
    }
  }

  /// The value as this specifier reads it, or nil.
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
  /// The argument of a specifier where a value may stand.
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

  /// `a.%K`: the argument's single key.
  func keyArgument() throws(SyntaxError) -> KeyComponent {
    let token = take()
    let (specifier, argument) = try nextArgument(for: token)
    let keys = try keys(specifier, argument, token)
    guard keys.count == 1 else { throw wrong(specifier, token) }
    return keys[0]
  }

  /// `FUNCTION(a, %@)`
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

  /// The keys between the dots of a string; `@count` is an operator, all else a key as it is.
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

  private typealias Facts = PredicateSyntaxFacts
}
