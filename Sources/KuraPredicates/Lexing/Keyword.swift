/// A word that the predicate language reserves, in capitals.
package enum Keyword: String, Sendable, Hashable, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case anyOf = "ANY"
  case someOf = "SOME"
  case allOf = "ALL"
  case noneOf = "NONE"
  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case tokenMatches = "TOKENMATCHES"
  case utiConformsTo = "UTI-CONFORMS-TO"
  case utiEquals = "UTI-EQUALS"
  case null = "NULL"
  case `nil` = "NIL"
  case yes = "YES"
  case no = "NO"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case `self` = "SELF"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case cast = "CAST"
  case function = "FUNCTION"
  case ternary = "TERNARY"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
}

extension Keyword {
  /// The keyword of a word in any case, or nil.
  package init?(word: String) {
    guard (2...15).contains(word.utf8.count) else { return nil }
    self.init(rawValue: word.uppercased())
  }

  /// The keyword of these bytes in any case, or nil.
  init?(_ word: ArraySlice<UInt8>) {
    guard let place = Self.words.place(of: word) else { return nil }
    self = Self.all[place]
  }

  /// Whether the word is reserved only inside the brackets of an index.
  package var isIndexWord: Bool { self == .first || self == .last || self == .size }

  private static let all = allCases
  private static let words = WordList(all.map(\.rawValue))
}
