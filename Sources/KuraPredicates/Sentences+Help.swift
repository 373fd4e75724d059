import KuraDiagnostics
import KuraSentences

extension PredicateSyntaxFacts {
  package var help: String? {
    switch self {
    case .missing(let expected, _, _), .unexpected(let expected, _): expected.help
    case .unclosedQuote(let quote, let followsString):
      followsString ? Self.quoteHelp(quote) : localized("close it with \(quote)")
    case .textBehindString(_, let quote): Self.quoteHelp(quote)
    case .idleEscape(let escape): localized("to keep the backslash, double it: \\\(escape)")
    case .backspaceInPattern: localized("for a word boundary write \\\\b")
    case .parameter(_, let name):
      localized("write $\(name), which has its value from --arg \(name) VALUE or let $\(name) = …")
    case .percentInLike, .wideWildcard: localized("\"*\" is any run of characters, \"?\" any one")
    case .caret: localized("write ** for a power")
    case .dateWithoutQuotes(let text): localized("a date stands in quotes: \"\(text)\"")
    case .timeWithoutQuotes(let text): localized("a time stands in quotes: \"\(text)\"")
    case .numberWithLetters(let text, let meant):
      meant.map { localized("write \($0)") }
        ?? localized("a string stands in quotes: \(literal(text))")
    case .unknownOperator(_, let near):
      didYouMean(near) ?? localized("for instance == < > IN CONTAINS BEGINSWITH LIKE MATCHES")
    case .strangeEquality(let text): localized("write \(text.dropLast())")
    case .brokenOperator(_, let meant): meant.map { localized("write \($0)") }
    case .noModulus: localized("write modulus:by:(a, b) for the remainder")
    case .noExclusiveOr: localized("write (a OR b) AND NOT (a AND b)")
    case .noCoalescing: localized("write coalesce(a, b)")
    case .noConditional: localized("write TERNARY(a == nil, 1, 2)")
    case .comma: localized("AND stands between two conditions, and a list in braces: {1, 2}")
    case .bitsForLogic(_, let word): localized("write \(word) between two comparisons")
    case .notBeforeOperator(let word, let left):
      localized("write NOT \(Self.brief(left)) \(word) …")
    case .isOperator(let meant): localized("write \(meant)")
    case .blankInKey(_, let key):
      localized("for instance == < > IN CONTAINS LIKE; a key with a blank is \(key)")
    case .bareValue(let text, _):
      localized("compare it with something: \(Self.brief(text)) == …")
    case .betweenAnd(let bounds):
      localized("write BETWEEN \(bounds.utf8.count > 40 ? "{1, 9}" : bounds)")
    case .listInBrackets: localized("write {1, 2}")
    case .methodCall(let name, let meant):
      meant.map { localized("write \($0)") } ?? Self.callHelp(name)
    case .unknownFunction(_, let near):
      didYouMean(near) ?? localized("\".help functions\" lists them all")
    case .unquotedSelector: localized("for instance FUNCTION(title, \"uppercaseString\")")
    case .unknownOption, .emptyOptions:
      localized("c ignores case, d diacritics; n and l are the others")
    case .castAs(let type): localized("write CAST(x, \"\(type)\")")
    case .modifierBeforePredicate:
      localized("for several conditions: SUBQUERY(items, $i, …).@count > 0")
    case .comparisonChain: localized("write a < b AND b < c")
    case .predicateAsValue: localized("TERNARY(predicate, 1, 0) makes one of it")
    case .everything: localized("SELF is the object itself: count(SELF) counts objects")
    case .reservedWord(let word): localized("write #\(word) for a key of that name")
    case .componentStartsWithDigit: localized("an element of a list is (list)[0]")
    case .comment(let inStatement):
      inStatement
        ? localized("in a statement \"-- \" begins one") : localized("a format string has none")
    case .placeholder:
      localized("write a variable: $x; a program gives arguments to init(format:arguments:)")
    case .unknownSpecifier: localized("%@ is a value, %K a key path, %d an integer, %f a double")
    default: nil
    }
  }

  /// How the quote is written inside of a string.
  private static func quoteHelp(_ quote: String) -> String {
    quote == "'"
      ? localized("write an apostrophe as \\', or put the string in double quotes")
      : localized("write a quote in the string as \\\", or put the string in single quotes")
  }

  private static func brief(_ text: String) -> String { text.utf8.count > 40 ? "…" : text }

  /// What Swift's methods are called here.
  private static func callHelp(_ name: String) -> String {
    switch name {
    case "contains": localized("write title CONTAINS \"x\"")
    case "hasPrefix", "starts", "startsWith": localized("write title BEGINSWITH \"x\"")
    case "hasSuffix", "endsWith": localized("write title ENDSWITH \"x\"")
    case "lowercased", "uppercased": localized("write \(name.dropLast())(title)")
    case "count", "length", "size": localized("write items.@count, or length(title)")
    default: localized("write it as a function of the value, or as FUNCTION(value, \"\(name)\")")
    }
  }
}
