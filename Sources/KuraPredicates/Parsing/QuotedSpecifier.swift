import KuraDiagnostics
import KuraSentences

/// `title == '%@'`: in quotes a specifier is only its characters, and the argument is left over.
struct QuotedSpecifier: DiagnosticFacts {
  /// `%@`
  let specifier: String
  /// Whether nothing else stands in the quotes.
  let isAlone: Bool

  var kind: Diagnostic.Kind { .syntax }
  var sentence: String { localized("\(shown(specifier)) in quotes is text, and takes no argument") }
  var help: String? {
    isAlone
      ? nil : localized("write \(specifier) alone, and give it the whole text as its argument")
  }
}

extension PredicateParser {
  /// Notes a text in which a specifier stands, for who finds an argument left over.
  func noteQuotedSpecifier(_ text: String, _ token: Token) {
    guard arguments != nil, quotedSpecifier == nil else { return }
    for specifier in ["%@", "%K", "%d", "%f", "%s", "%i", "%ld"] where text.contains(specifier) {
      let facts = QuotedSpecifier(specifier: specifier, isAlone: text == specifier)
      let fixIt = facts.isAlone ? FixIt(token.span, specifier) : nil
      quotedSpecifier = SyntaxError(facts, at: token.span, fixIt: fixIt)
      return
    }
  }
}
