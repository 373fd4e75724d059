/// Words that other languages have for what has another name here.
enum ForeignWord {
  /// `BEGINSWITH` for `startsWith`; nil for a word that no language is known to have.
  static func comparison(for word: String) -> String? { comparisons[word.lowercased()] }

  private static let comparisons = [
    "startswith": "BEGINSWITH", "starts": "BEGINSWITH", "hasprefix": "BEGINSWITH",
    "hassuffix": "ENDSWITH", "includes": "CONTAINS", "has": "CONTAINS",
    "ilike": "LIKE[c]", "glob": "LIKE", "regexp": "MATCHES", "regex": "MATCHES",
    "rlike": "MATCHES", "similar": "MATCHES", "equals": "==", "equal": "==", "eq": "==",
    "isequal": "==", "isequalto": "==", "ne": "!=", "neq": "!=", "lt": "<", "lte": "<=",
    "gt": ">", "gte": ">=", "exists": "!= nil",
  ]
}
