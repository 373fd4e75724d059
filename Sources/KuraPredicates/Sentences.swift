import KuraDiagnostics

extension PredicateSyntaxFacts {
  package var sentence: String {
    switch self {
    case .missing(let expected, let after, _):
      after.isEmpty
        ? "expected \(expected.text)" : "expected \(expected.text) after \(shown(after))"
    case .unexpected(let expected, let found): "expected \(expected.text), found \(shown(found))"
    case .unclosed(let bracket, _): "\(shown(bracket)) is never closed"
    case .unclosedQuote: "the quote is never closed"
    case .textBehindString(let text, _): "the string ended before \(shown(text))"
    case .escape(let problem): problem.sentence
    case .idleEscape(let escape):
      "\"\(escape)\" in a string is just \"\(escape.dropFirst())\""
    case .backspaceInPattern: "\"\\b\" in a string is a backspace, no word boundary"
    case .percentInLike: "\"%\" is an ordinary character in LIKE"
    case .dateWithoutQuotes(let text): "\(text) without quotes is a computation"
    case .timeWithoutQuotes(let text): "\(text) is no number"
    case .numberWithLetters(let text, _): "\(shown(text)) is neither a number nor a key"
    case .numberWithoutDigits(let text): "\(shown(text)) has no digits of its base"
    case .numberTooLarge(let text): "\(short(text)) is too large for a number"
    case .numberWithoutLeadingDigit(let text): "\".\(text)\" needs a digit before the point"
    case .missingName(let sign): "a name must follow \(shown(sign))"
    case .signBeforeString: "a string has no \"@\" before it"
    case .unknownCharacter(let text): "\(shown(text)) has no meaning here"
    case .lookalike(let text, let meaning): Self.lookalikeSentence(text, meaning)
    case .notUTF8: "the text is not UTF-8 here"
    case .unknownOperator(let word, _): "expected an operator, found \(shown(word))"
    case .strangeEquality(let text): "there is no operator \(shown(text))"
    case .brokenOperator(let text, _): "there is no operator \"\(text)\""
    case .noModulus(let text): "there is no operator \"\(text)\""
    case .noExclusiveOr: "there is no operator \"XOR\""
    case .noCoalescing: "there is no operator \"??\""
    case .noConditional: "there is no operator \"?\""
    case .comma: "expected an operator or the end, found \",\""
    case .plusSign: "a value has no \"+\" before it"
    case .bitsForLogic(let sign, _): "\"\(sign)\" computes with bits and joins no comparisons"
    case .notBeforeOperator(let word, _):
      "NOT stands before the whole comparison, not before \(word)"
    case .isOperator: "there is no operator \"IS\""
    case .blankInKey(let word, _): "expected an operator, found \(shown(word))"
    case .bareValue(let text, _): "\(shown(text)) is a value, not a predicate"
    case .betweenAnd: "BETWEEN wants its two bounds in braces"
    case .listInBrackets: "a list stands in braces"
    case .methodCall(let name, _): "\(shown(name)) cannot be called with a dot"
    case .unknownFunction(let name, _): "there is no function \(shown(name))"
    case .operatorAsFunction(let name): "\(name) stands between two values"
    case .argumentCount(let name, let wanted, let given):
      "\(name) takes \(wanted.text), not \(given)"
    case .unquotedSelector: "the selector of FUNCTION stands in quotes"
    case .unknownOption(let letter): "there is no option \(shown(letter))"
    case .severalBrackets: "all options stand in one bracket"
    case .castAs: "the type of CAST stands behind a comma, in quotes"
    case .emptyOptions: "expected options between the brackets"
    case .comparisonChain: "comparisons cannot be chained"
    case .predicateAsValue: "a predicate is no value"
    case .everything: "\"*\" is no value"
    case .modifierBeforePredicate(let word):
      "\(word.uppercased()) stands before one comparison, without parentheses"
    case .reservedWord(let word): "\(shown(word)) is a reserved word"
    case .componentStartsWithDigit(let text): "a key cannot begin with a digit: \(shown(text))"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .comment: "comments are not written this way"
    case .placeholder(let text): "\(shown(text)) stands for an argument, and none is given here"
    case .parameter(let text, _): "\(shown(text)) stands for a value, and none is given here"
    case .wideWildcard(let sign): "\(shown(sign)) is an ordinary character in LIKE"
    case .caret: "\"^\" compares bits, and is no power"
    case .unknownSpecifier(let text): "there is no format specifier \(shown(text))"
    case .missingArgument(let text, let given):
      "\(shown(text)) has no argument: "
        + (given == 0 ? "none are given" : "only \(given) \(given == 1 ? "is" : "are") given")
    case .unusedArguments(let used, let given):
      "\(counted(given, "argument")) for \(counted(used, "format specifier"))"
    case .wrongArgument(let text, let wanted): "\(shown(text)) wants \(wanted)"
    }
  }

  package var help: String? {
    switch self {
    case .missing(let expected, _, _), .unexpected(let expected, _): expected.help
    case .unclosedQuote(let quote, let followsString):
      followsString ? Self.quoteHelp(quote) : "close it with \(quote)"
    case .textBehindString(_, let quote): Self.quoteHelp(quote)
    case .idleEscape(let escape): "to keep the backslash, double it: \\\(escape)"
    case .backspaceInPattern: "for a word boundary write \\\\b"
    case .parameter(_, let name):
      "write $\(name), which has its value from --arg \(name) VALUE or let $\(name) = …"
    case .percentInLike, .wideWildcard: "\"*\" is any run of characters, \"?\" any one"
    case .caret: "write ** for a power"
    case .dateWithoutQuotes(let text): "a date stands in quotes: \"\(text)\""
    case .timeWithoutQuotes(let text): "a time stands in quotes: \"\(text)\""
    case .numberWithLetters(let text, let meant):
      meant.map { "write \($0)" } ?? "a string stands in quotes: \(shown(text))"
    case .unknownOperator(_, let near):
      didYouMean(near) ?? "for instance == < > IN CONTAINS BEGINSWITH LIKE MATCHES"
    case .strangeEquality(let text): "write \(text.dropLast())"
    case .brokenOperator(_, let meant): meant.map { "write \($0)" }
    case .noModulus: "write modulus:by:(a, b) for the remainder"
    case .noExclusiveOr: "write (a OR b) AND NOT (a AND b)"
    case .noCoalescing: "write coalesce(a, b)"
    case .noConditional: "write TERNARY(a == nil, 1, 2)"
    case .comma: "AND stands between two conditions, and a list in braces: {1, 2}"
    case .bitsForLogic(_, let word): "write \(word) between two comparisons"
    case .notBeforeOperator(let word, let left): "write NOT \(Self.brief(left)) \(word) …"
    case .isOperator(let meant): "write \(meant)"
    case .blankInKey(_, let key):
      "for instance == < > IN CONTAINS LIKE; a key with a blank is \(key)"
    case .bareValue(let text, _):
      "compare it with something: \(Self.brief(text)) == …"
    case .betweenAnd: "write BETWEEN {1, 9}"
    case .listInBrackets: "write {1, 2}"
    case .methodCall(let name, let meant): meant.map { "write \($0)" } ?? Self.callHelp(name)
    case .unknownFunction(_, let near): didYouMean(near) ?? "\".help functions\" lists them all"
    case .unquotedSelector: "for instance FUNCTION(title, \"uppercaseString\")"
    case .unknownOption, .emptyOptions: "c ignores case, d diacritics; n and l are the others"
    case .castAs(let type): "write CAST(x, \"\(type)\")"
    case .modifierBeforePredicate: "for several conditions: SUBQUERY(items, $i, …).@count > 0"
    case .comparisonChain: "write a < b AND b < c"
    case .predicateAsValue: "TERNARY(predicate, 1, 0) makes one of it"
    case .everything: "SELF is the object itself: count(SELF) counts objects"
    case .reservedWord(let word): "write #\(word) for a key of that name"
    case .componentStartsWithDigit: "an element of a list is (list)[0]"
    case .comment(let inStatement):
      inStatement ? "in a statement \"-- \" begins one" : "a format string has none"
    case .placeholder: "give arguments to init(format:arguments:), or write a variable: $x"
    case .unknownSpecifier: "%@ is a value, %K a key path, %d an integer, %f a double"
    default: nil
    }
  }

  /// How the quote is written inside of a string.
  private static func quoteHelp(_ quote: String) -> String {
    quote == "'"
      ? "write an apostrophe as \\', or put the string in double quotes"
      : "write a quote in the string as \\\", or put the string in single quotes"
  }

  private static func brief(_ text: String) -> String { text.utf8.count > 40 ? "…" : text }

  private static func lookalikeSentence(_ text: String, _ meaning: String) -> String {
    switch meaning {
    case "": "there is an invisible character here"
    case " ": "this blank is not the one of the space bar"
    default: "\(text) is not \(meaning)"
    }
  }

  /// What Swift's methods are called here.
  private static func callHelp(_ name: String) -> String {
    switch name {
    case "contains": "write title CONTAINS \"x\""
    case "hasPrefix", "starts", "startsWith": "write title BEGINSWITH \"x\""
    case "hasSuffix", "endsWith": "write title ENDSWITH \"x\""
    case "lowercased", "uppercased": "write \(name.dropLast())(title)"
    case "count", "length", "size": "write items.@count, or length(title)"
    default: "write it as a function of the value, or as FUNCTION(value, \(shown(name)))"
    }
  }
}

/// The first characters of something long.
func short(_ text: String) -> String { text.utf8.count > 40 ? text.prefix(40) + "…" : text }

/// `1 argument`, `2 arguments`
private func counted(_ count: Int, _ word: String) -> String {
  "\(count) \(word)\(count == 1 ? "" : "s")"
}

/// Words of the text in quotes, cut to what fits into a sentence.
package func shown(_ text: String) -> String {
  let line = text.prefix { !$0.isNewline }
  let short = line.count > 40 || line.count < text.count ? line.prefix(40) + "…" : line
  return short.hasPrefix("\"") ? String(short) : "\"\(short)\""
}

extension PredicateSyntaxFacts.Expected {
  var text: String {
    switch self {
    case .value: "a value"
    case .predicate: "a predicate"
    case .comparison: "a comparison"
    case .connective: "AND, OR or the end"
    case .end: "an operator or the end"
    case .key: "a key"
    case .variable: "a variable such as $x"
    case .commaIn: "\",\""
    case .symbol(let symbol): "\"\(symbol.rawValue)\""
    case .commaOr(let symbol): "\",\" or \"\(symbol.rawValue)\""
    case .options: "the letters c, d, n or l"
    case .words(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
    }
  }

  var help: String? {
    switch self {
    case .predicate: "for instance title CONTAINS \"x\""
    case .comparison: "for instance == < > IN CONTAINS BEGINSWITH LIKE MATCHES"
    case .commaIn(let form): form?.example
    case .options: "all letters stand in one bracket: [cd]"
    case .value, .connective, .end, .key, .variable, .symbol, .commaOr, .words: nil
    }
  }
}

extension Keyword {
  /// How a form with brackets is written.
  fileprivate var example: String? {
    switch self {
    case .cast: "for instance CAST(x, \"NSNumber\")"
    case .function: "for instance FUNCTION(title, \"uppercaseString\")"
    case .subquery: "for instance SUBQUERY(items, $i, $i.done == NO)"
    case .ternary: "for instance TERNARY(done == YES, 1, 2)"
    default: nil
    }
  }
}

extension PredicateFunction.Arguments {
  var text: String {
    switch self {
    case .exactly(0): "no arguments"
    case .exactly(1): "one argument"
    case .exactly(let count): "\(count) arguments"
    case .between(let least, let most): "\(least) or \(most) arguments"
    case .collection, .atLeast: "at least one argument"
    }
  }
}

extension StringLiteral.EscapeProblem {
  var sentence: String {
    switch self {
    case .missingDigits(let text): "\(shown(text)) wants hexadecimal digits behind it"
    case .loneSurrogate(let text): "\(shown(text)) is half of a surrogate pair"
    case .noCharacter(let text): "\(shown(text)) is no Unicode character"
    case .notUTF8: "the string is not UTF-8"
    }
  }
}
