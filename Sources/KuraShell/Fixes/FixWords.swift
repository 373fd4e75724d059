import KuraPredicates
import KuraScript

/// Words, grouped by what a fix may do with them
enum FixWords {
  /// Words without a meaning in any statement.
  static let empty: Set = [
    "the", "a", "an", "please", "record", "records", "row", "rows", "object", "objects", "from",
    "into", "of", "to", "with", "values", "me", "my", "that",
  ]

  /// Words that a fix may add to a change: they connect the parts that were typed.
  static let structure: Set = [
    "where", "set", "to", "self", "in", "fetch", "update", "and", "or", "select", "function",
  ]

  /// Words of statements and of questions in prose. A fix of a query may replace or omit them. None
  /// of them is a negation.
  static let language: Set = Set(
    FetchWords.all + Keyword.allCases.map { $0.rawValue.lowercased() }
  ).subtracting(turning).union([
    "by", "as", "is", "are", "was", "be", "does", "do", "has", "have", "than", "equal", "for", "on",
    "in", "at", "whose", "which", "all", "every", "each", "only", "just", "now", "here", "word",
    "words", "text", "letters", "string", "value", "phrase", "number", "no.", "fetch",
    "let",
    "order", "asc", "from", "print", "select", "any", "some", "null", "nil", "全部", "すべて", "全て",
    "下さい", "ください", "全件", "一覧", "表示", "番", "番目",
    "番目の", "年", "月", "日", "nullable", "optional", "required", "mandatory", "var", "extends",
    "inherits", "だけ", "件", "個", "行",
  ])

  /// Words that negate, or test whether a value exists.
  static let turning: Set = [
    "not", "none", "no", "without", "except", "excluding", "neither", "以外", "でない", "ではない", "ない",
    "exists",
  ]

  /// Whether a part may be written as `!=`.
  static func turns(_ unit: FixUnit) -> Bool {
    turning.contains(unit.written)
      || alike.contains { $0.contains("!=") && $0.contains(unit.written) }
  }

  /// Whether a sign means greater, as `>` and `>=` do; nil for a sign that does not compare order.
  static func order(of sign: String) -> Bool? {
    if [">", ">=", "=>"].contains(sign) { return true }
    return ["<", "<=", "=<"].contains(sign) ? false : nil
  }

  /// Comparisons that a fix of a query may exchange for each other, such as LIKE for a text with
  /// wildcards.
  static let comparisons: Set = ["=", "==", "===", "like", "contains", "matches", "between"]

  /// Words and signs that mean the same.
  static let alike: [Set<String>] = [
    ["true", "yes", "on", "はい"], ["false", "no", "off", "いいえ"],
    ["null", "nil", "none", "undefined", "nothing"],
    ["add", "+", "+="], ["remove", "-", "-="], ["||", "concat"], ["current_date", "today"],
    ["current_timestamp", "now"],
    ["&&", "and", "&", "＆", "と", "plus", "+", "かつ", "および", "で", "but", "also"],
    ["||", "or", "|", "//", "または", "もしくは", "か", "nor"],
    [
      "!", "not", "~", "^", "!=", "<>", "!==", "neither", "nor", "except", "excluding", "isn't",
      "以外", "でない",
    ],
    ["no", "without", "lacking", "none", "null"], ["no", "not", "none"],
    ["=", "==", "===", "in", "is", "equals"],
    ["=<", "<="], ["=>", ">="], [":", "=="], ["→", "=="], ["->", "=="],
    ["twice", "2"], ["double", "2"], ["x", "*"], ["times", "*"], ["倍", "*"],
    ["list", "array", "collection", "["], ["exists", "known", "null"], ["and", ","], ["と", ","],
    ["then", ","], ["=+", "+="], ["^", "**"],
  ]
}
