/// Words that other languages have for what has another name here.
enum ForeignWord {
  /// `BEGINSWITH` for `startsWith`; nil for a word that no language is known to have.
  static func comparison(for word: String) -> String? { comparisons[word.lowercased()] }

  /// `length` for `strlen`
  static func function(for name: String) -> String? { functions[name.lowercased()] }

  private static let comparisons = [
    "startswith": "BEGINSWITH", "starts": "BEGINSWITH", "hasprefix": "BEGINSWITH",
    "hassuffix": "ENDSWITH", "includes": "CONTAINS", "has": "CONTAINS",
    "ilike": "LIKE[c]", "glob": "LIKE", "regexp": "MATCHES", "regex": "MATCHES",
    "rlike": "MATCHES", "similar": "MATCHES", "equals": "==", "equal": "==", "eq": "==",
    "isequal": "==", "isequalto": "==", "ne": "!=", "neq": "!=", "lt": "<", "lte": "<=",
    "gt": ">", "gte": ">=", "exists": "!= nil",
  ]

  private static let functions = [
    "pow": "raise:toPower:", "power": "raise:toPower:", "mod": "modulus:by:",
    "len": "length", "strlen": "length", "substr": "substring", "mid": "substring",
    "ucase": "uppercase", "uppercased": "uppercase", "uppercasestring": "uppercase",
    "lcase": "lowercase", "lowercased": "lowercase", "lowercasestring": "lowercase",
    "strip": "trim", "trimmed": "trim", "concatenate": "concat", "join": "joined",
    "ifnull": "coalesce", "nvl": "coalesce", "mean": "average", "truncate": "trunc",
    "log10": "log", "rand": "random", "getdate": "now", "curdate": "today",
    "current_date": "today", "datediff": "daysBetween", "dateadd": "dateByAdding",
    "dayofweek": "weekday",
  ]
}
