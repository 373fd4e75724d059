package import KuraDiagnostics
import KuraSentences

extension PredicateSyntaxProblem {
  package var kind: Diagnostic.Kind { .syntax }

  package var sentence: String {
    switch self {
    case .missing(let expected, let after, _):
      after.isEmpty
        ? localized("expected \(expected.text)")
        : localized("expected \(expected.text) after \(shown(after))")
    case .unexpected(let expected, let found):
      localized("expected \(expected.text), found \(shown(found))")
    case .unclosed(let bracket, _): localized("\(shown(bracket)) is never closed")
    case .unclosedQuote: localized("the quote is never closed")
    case .textAfterString(let text, _): localized("the string ends before \(shown(text))")
    case .escape(let problem): problem.sentence
    case .idleEscape(let escape):
      localized("\"\(escape)\" in a string is just \"\(escape.dropFirst())\"")
    case .backspaceInPattern: localized("\"\\b\" in a string is a backspace, not a word boundary")
    case .percentInLike: localized("\"%\" is an ordinary character in LIKE")
    case .dateWithoutQuotes(let text): localized("\(text) without quotes is arithmetic, not a date")
    case .timeWithoutQuotes(let text): localized("\(text) is not a number")
    case .numberWithLetters(let text, _): localized("\(shown(text)) is neither a number nor a key")
    case .numberWithoutDigits(let text): localized("\(shown(text)) has no valid digits")
    case .numberTooLarge(let text):
      NumberLiteral.isInteger(text)
        ? localized("\(short(text)) has more than 38 digits, the limit for integers")
        : localized("the number \(short(text)) is too large")
    case .numberWithoutLeadingDigit(let text):
      localized("\".\(text)\" needs a digit before the decimal point")
    case .missingName(let sign): localized("a name must follow \(shown(sign))")
    case .signBeforeString: localized("strings are written without \"@\"")
    case .unknownCharacter(let text): localized("unexpected character \(shown(text))")
    case .lookalike(let text, let meaning): Self.lookalikeSentence(text, meaning)
    case .notUTF8: localized("the text is not valid UTF-8 here")
    case .unknownOperator(let word, _): localized("expected an operator, found \(shown(word))")
    case .strangeEquality(let text): localized("there is no operator \(shown(text))")
    case .brokenOperator(let text, _): localized("there is no operator \"\(text)\"")
    case .noModulus(let text): localized("there is no operator \"\(text)\"")
    case .noExclusiveOr: localized("there is no operator \"XOR\"")
    case .noCoalescing: localized("there is no operator \"??\"")
    case .noConditional: localized("there is no operator \"?\"")
    case .comma: localized("expected an operator or the end, found \",\"")
    case .plusSign: localized("values are written without \"+\"")
    case .bitsForLogic(let sign, _):
      localized("\"\(sign)\" is a bitwise operator and cannot join comparisons")
    case .notBeforeOperator(let word, _):
      localized("NOT must come before the whole comparison, not before \(word)")
    case .isOperator: localized("there is no operator \"IS\"")
    case .blankInKey(let word, _): localized("expected an operator, found \(shown(word))")
    case .bareValue(let text, _): localized("\(shown(text)) is a value, not a predicate")
    case .betweenAnd: localized("BETWEEN requires its two bounds in braces")
    case .listInBrackets: localized("lists are written in braces")
    case .methodCall(let name, _): localized("\(shown(name)) cannot be called as a method")
    case .unknownFunction(let name, _): localized("there is no function \(shown(name))")
    case .operatorAsFunction(let name):
      localized("\(name) is an operator and must be between two values")
    case .argumentCount(let name, let wanted, let given):
      localized("\(name) takes \(wanted.text), not \(given)")
    case .unquotedSelector: localized("the selector of FUNCTION must be in quotes")
    case .unknownOption(let letter): localized("there is no option \(shown(letter))")
    case .severalBrackets: localized("all options must be in one pair of brackets")
    case .castAs: localized("the type of CAST must follow a comma, in quotes")
    case .emptyOptions: localized("expected options between the brackets")
    case .comparisonChain: localized("comparisons cannot be chained")
    case .predicateAsValue: localized("a predicate cannot be used as a value")
    case .everything: localized("\"*\" cannot be used as a value")
    case .modifierBeforePredicate(let word):
      localized("\(word.uppercased()) applies to one comparison, without parentheses")
    case .reservedWord(let word): localized("\(shown(word)) is a reserved word")
    case .componentStartsWithDigit(let text):
      localized("a key cannot begin with a digit: \(shown(text))")
    case .tooDeep(let limit): localized("nested deeper than \(limit) levels")
    case .comment: localized("this comment syntax is not supported")
    case .placeholder(let text):
      localized("\(shown(text)) needs an argument; none is given here")
    case .parameter(let text, _):
      localized("\(shown(text)) needs a value; none is given here")
    case .wideWildcard(let sign): localized("\(shown(sign)) is an ordinary character in LIKE")
    case .caret: localized("\"^\" is bitwise XOR, not a power")
    case .unknownSpecifier(let text): localized("there is no format specifier \(shown(text))")
    case .missingArgument(let text, let given):
      switch given {
      case 0: localized("\(shown(text)) has no argument: none are given")
      case 1: localized("\(shown(text)) has no argument: only 1 is given")
      default: localized("\(shown(text)) has no argument: only \(given) are given")
      }
    case .unusedArguments(let used, let given):
      localized(
        "\(counted(given, "argument", "arguments")) for \(counted(used, "format specifier", "format specifiers"))"
      )
    case .wrongArgument(let text, let wanted): localized("\(shown(text)) requires \(wanted)")
    }
  }

  private static func lookalikeSentence(_ text: String, _ meaning: String) -> String {
    switch meaning {
    case "": localized("there is an invisible character here")
    case " ": localized("this is not an ordinary space")
    case _ where text.unicodeScalars.allSatisfy({ (0xFF01...0xFF5E).contains($0.value) }):
      localized("\(text) is full-width; write \(meaning)")
    // A period at the end of a statement
    case ".": localized("\(text) is not valid here")
    default: localized("\(text) is not valid here; write \(meaning)")
    }
  }
}

/// Returns a string literal of the language for a text, shortened as in `shown`.
func literal(_ text: String) -> String { Language.english.speaks { shown(text) } }

/// Returns the first 40 characters of a long text.
func short(_ text: String) -> String { text.utf8.count > 40 ? text.prefix(40) + "…" : text }

/// Returns a part of the text in quotes, shortened to fit into a sentence.
package func shown(_ text: String) -> String {
  let line = text.prefix { !$0.isNewline }
  let short = line.count > 40 || line.count < text.count ? line.prefix(40) + "…" : line
  return short.hasPrefix("\"") ? String(short) : quoted(String(short))
}

extension PredicateSyntaxProblem.Expected {
  var text: String {
    switch self {
    case .value: localized("a value")
    case .predicate: localized("a predicate")
    case .comparison: localized("a comparison")
    case .connective: localized("AND, OR or the end")
    case .end: localized("an operator or the end")
    case .key: localized("a key")
    case .variable: localized("a variable such as $x")
    case .commaIn: quoted(",")
    case .symbol(let symbol): quoted(symbol.rawValue)
    case .commaOr(let symbol): localized("\",\" or \"\(symbol.rawValue)\"")
    case .options: localized("the letters c, d, n or l")
    case .words(let words): words.map(quoted).alternatives
    }
  }

  var help: String? {
    switch self {
    case .predicate: localized("for example title CONTAINS \"x\"")
    case .comparison: localized("for example == < > IN CONTAINS BEGINSWITH LIKE MATCHES")
    case .commaIn(let form): form?.example
    case .options: localized("write all letters in one pair of brackets: [cd]")
    case .value, .connective, .end, .key, .variable, .symbol, .commaOr, .words: nil
    }
  }
}

extension Keyword {
  /// An example of a form with brackets.
  fileprivate var example: String? {
    switch self {
    case .cast: localized("for example CAST(x, \"NSNumber\")")
    case .function: localized("for example FUNCTION(title, \"uppercaseString\")")
    case .subquery: localized("for example SUBQUERY(items, $i, $i.done == NO)")
    case .ternary: localized("for example TERNARY(done == YES, 1, 2)")
    default: nil
    }
  }
}

extension PredicateFunction.Arguments {
  var text: String {
    switch self {
    case .exactly(0): localized("no arguments")
    case .exactly(1): localized("one argument")
    case .exactly(let count): localized("\(count) arguments")
    case .between(let least, let most) where least == most: Self.exactly(least).text
    case .between(let least, let most) where least + 1 == most:
      localized("\(least) or \(most) arguments")
    case .between(let least, let most): localized("\(least) to \(most) arguments")
    case .collection, .atLeast: localized("at least one argument")
    }
  }
}

extension StringLiteral.EscapeProblem {
  var sentence: String {
    switch self {
    case .missingDigits(let text): localized("\(shown(text)) needs hexadecimal digits after it")
    case .loneSurrogate(let text): localized("\(shown(text)) is half of a surrogate pair")
    case .noCharacter(let text): localized("\(shown(text)) is not a Unicode character")
    case .notUTF8: localized("the string is not valid UTF-8")
    }
  }
}

extension PredicateSyntaxProblem {
  package var help: String? {
    switch self {
    case .missing(let expected, _, _), .unexpected(let expected, _): expected.help
    case .unclosedQuote(let quote, let followsString):
      followsString ? Self.quoteHelp(quote) : localized("close it with \(quote)")
    case .textAfterString(_, let quote): Self.quoteHelp(quote)
    case .idleEscape(let escape): localized("to keep the backslash, double it: \\\(escape)")
    case .backspaceInPattern: localized("for a word boundary, write \\\\b")
    case .parameter(_, let name):
      localized("write $\(name) and set it with --arg \(name) VALUE or let $\(name) = …")
    case .percentInLike, .wideWildcard:
      localized("\"*\" matches any characters, \"?\" any one character")
    case .caret: localized("write ** for a power")
    case .dateWithoutQuotes(let text): localized("write a date in quotes: \"\(text)\"")
    case .timeWithoutQuotes(let text): localized("write a time in quotes: \"\(text)\"")
    case .numberWithLetters(let text, let meant):
      meant.map { localized("write \($0)") }
        ?? localized("write a string in quotes: \(literal(text))")
    case .unknownOperator(_, let near):
      didYouMean(near) ?? localized("for example == < > IN CONTAINS BEGINSWITH LIKE MATCHES")
    case .strangeEquality(let text): localized("write \(text.dropLast())")
    case .brokenOperator(_, let meant): meant.map { localized("write \($0)") }
    case .noModulus: localized("write modulus:by:(a, b) for the remainder")
    case .noExclusiveOr: localized("write (a OR b) AND NOT (a AND b)")
    case .noCoalescing: localized("write coalesce(a, b)")
    case .noConditional: localized("write TERNARY(a == nil, 1, 2)")
    case .comma: localized("join conditions with AND; write a list in braces: {1, 2}")
    case .bitsForLogic(_, let word): localized("write \(word) between two comparisons")
    case .notBeforeOperator(let word, let left):
      localized("write NOT \(Self.brief(left)) \(word) …")
    case .isOperator(let meant): localized("write \(meant)")
    case .blankInKey(_, let key):
      localized("for example == < > IN CONTAINS LIKE; write a key with a space as \(key)")
    case .bareValue(let text, _):
      localized("compare it with something: \(Self.brief(text)) == …")
    case .betweenAnd(let bounds):
      localized("write BETWEEN \(bounds.utf8.count > 40 ? "{1, 9}" : bounds)")
    case .listInBrackets: localized("write {1, 2}")
    case .methodCall(let name, let meant):
      meant.map { localized("write \($0)") } ?? Self.callHelp(name)
    case .unknownFunction(_, let near):
      didYouMean(near) ?? localized("\".help functions\" lists all functions")
    case .unquotedSelector: localized("for example FUNCTION(title, \"uppercaseString\")")
    case .unknownOption, .emptyOptions:
      localized("c ignores case, d diacritics; n compares bytes, l uses the locale")
    case .castAs(let type): localized("write CAST(x, \"\(type)\")")
    case .modifierBeforePredicate:
      localized("for several conditions: SUBQUERY(items, $i, …).@count > 0")
    case .comparisonChain: localized("write a < b AND b < c")
    case .predicateAsValue: localized("TERNARY(predicate, 1, 0) turns it into a value")
    case .everything: localized("SELF is the object itself: count(SELF) counts objects")
    case .reservedWord(let word): localized("write #\(word) for a key of that name")
    case .componentStartsWithDigit: localized("for an element of a list, write (list)[0]")
    case .comment(let inStatement):
      inStatement
        ? localized("in a statement, \"-- \" starts a comment")
        : localized("a format string cannot contain comments")
    case .placeholder:
      localized(
        "write a variable such as $x; in a program, pass arguments to init(format:arguments:)")
    case .unknownSpecifier: localized("%@ is a value, %K a key path, %d an integer, %f a double")
    default: nil
    }
  }

  /// Explains how to write the quote inside a string.
  private static func quoteHelp(_ quote: String) -> String {
    quote == "'"
      ? localized("write an apostrophe as \\', or put the string in double quotes")
      : localized("write a quote in the string as \\\", or put the string in single quotes")
  }

  private static func brief(_ text: String) -> String { text.utf8.count > 40 ? "…" : text }

  /// Explains the counterparts of Swift methods.
  private static func callHelp(_ name: String) -> String {
    switch name {
    case "contains": localized("write title CONTAINS \"x\"")
    case "hasPrefix", "starts", "startsWith": localized("write title BEGINSWITH \"x\"")
    case "hasSuffix", "endsWith": localized("write title ENDSWITH \"x\"")
    case "lowercased", "uppercased": localized("write \(name.dropLast())(title)")
    case "count", "length", "size": localized("write items.@count, or length(title)")
    default:
      localized("write a function with the value as its argument, or FUNCTION(value, \"\(name)\")")
    }
  }
}
