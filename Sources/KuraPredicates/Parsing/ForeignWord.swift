import KuraDiagnostics
import KuraSentences

/// Words of other languages for operators that have another name here.
package enum ForeignWord {
  /// Returns the operator for a word: `BEGINSWITH` for `startsWith`; nil for an unknown word.
  package static func comparison(for word: String) -> String? { comparisons[word.lowercased()] }

  private static let comparisons = [
    "startswith": "BEGINSWITH", "starts": "BEGINSWITH", "hasprefix": "BEGINSWITH",
    "hassuffix": "ENDSWITH", "includes": "CONTAINS", "has": "CONTAINS",
    "ilike": "LIKE[c]", "glob": "LIKE", "regexp": "MATCHES", "regex": "MATCHES",
    "rlike": "MATCHES", "similar": "MATCHES", "equals": "==", "equal": "==", "eq": "==",
    "isequal": "==", "isequalto": "==", "ne": "!=", "neq": "!=", "lt": "<", "lte": "<=",
    "gt": ">", "gte": ">=", "exists": "!= nil", "greaterthan": ">", "lessthan": "<",
    "isgreaterthan": ">", "islessthan": "<", "morethan": ">", "fewerthan": "<", "atleast": ">=",
    "atmost": "<=", "equalto": "==", "notequal": "!=", "notequals": "!=", "notequalto": "!=",
    "differsfrom": "!=", "isin": "IN", "isoneof": "IN", "oneof": "IN", "containing": "CONTAINS",
    "startingwith": "BEGINSWITH", "beginningwith": "BEGINSWITH", "endingwith": "ENDSWITH",
    "matching": "MATCHES", "before": "<", "after": ">", "isbefore": "<", "isafter": ">",
    "isatleast": ">=", "isatmost": "<=", "isnotequalto": "!=", "doesnotequal": "!=",
    "greaterthanorequalto": ">=", "isgreaterthanorequalto": ">=", "lessthanorequalto": "<=",
    "islessthanorequalto": "<=", "earlierthan": "<", "laterthan": ">", "isearlierthan": "<",
    "islaterthan": ">",
    "noearlierthan": ">=", "nolaterthan": "<=", "nomorethan": "<=", "nolessthan": ">=",
    "since": ">=", "until": "<=", "till": "<=", "upto": "<=", "above": ">", "below": "<",
    "over": ">", "under": "<", "isabove": ">", "isbelow": "<", "isover": ">", "isunder": "<",
    "on": "==", "at": "==", "ison": "==", "differentfrom": "!=", "isdifferentfrom": "!=",
    "otherthan": "!=", "isotherthan": "!=", "unequal": "!=", "hasthevalue": "==", "hasvalue": "==",
    "isknown": "!= NULL", "isunknown": "== NULL", "isset": "!= NULL", "isnotset": "== NULL",
    "isunset": "== NULL", "isdefined": "!= NULL", "isundefined": "== NULL", "ismissing": "== NULL",
    "ispresent": "!= NULL", "isthere": "!= NULL", "search": "CONTAINS", "find": "CONTAINS",
    "ではない": "!=", "でない": "!=", "じゃない": "!=", "と異なる": "!=", "と違う": "!=", "以外": "!=",
    "と等しくない": "!=", "に等しくない": "!=", "iscontainedin": "IN", "islike": "LIKE", "より多い": ">",
    "より少ない": "<", "contain": "CONTAINS", "include": "CONTAINS", "have": "CONTAINS",
    "match": "MATCHES", "smallerthan": "<", "biggerthan": ">", "startwith": "BEGINSWITH",
    "beginwith": "BEGINSWITH", "endwith": "ENDSWITH", "thesameas": "==",
    "以降": ">=", "以前": "<=", "と一致": "==", "と同じ": "==", "に等しい": "==", "に一致する": "MATCHES",
    "まで": "<=", "までの": "<=", "から": ">=", "で始まり": "BEGINSWITH", "で終わり": "ENDSWITH", "含まれる": "IN",
    "に含まれる": "IN",
    "より大きい": ">", "より小さい": "<", "以上": ">=", "以下": "<=", "未満": "<", "超": ">", "より後": ">",
    "より前": "<", "等しい": "==", "イコール": "==", "で始まる": "BEGINSWITH", "から始まる": "BEGINSWITH",
    "で終わる": "ENDSWITH", "を含む": "CONTAINS", "含む": "CONTAINS", "に一致": "MATCHES",
  ]
}

/// A specifier in quotes, which is plain text and leaves its argument unused: `title == '%@'`.
struct QuotedSpecifier: DiagnosticFacts {
  /// `%@`
  let specifier: String
  /// Whether the string contains only the specifier.
  let isAlone: Bool

  var kind: Diagnostic.Kind { .syntax }
  var sentence: String {
    localized("\(shown(specifier)) in quotes is plain text and has no argument")
  }
  var help: String? {
    isAlone
      ? nil
      : localized(
        "write \(specifier) alone, without quotes, and pass the whole text as its argument")
  }
}

extension PredicateParser {
  /// Records a string that contains a specifier, for the error about an unused argument.
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
