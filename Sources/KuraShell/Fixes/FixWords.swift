import KuraModel
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
    ["true", "yes", "on", "はい", "真"], ["false", "no", "off", "いいえ", "偽"],
    ["null", "nil", "none", "undefined", "nothing"],
    ["add", "+", "+="], ["remove", "-", "-="], ["||", "concat", "+"], ["current_date", "today"],
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
    ["then", ","], ["=+", "+="], ["^", "**"], ["id", "objectid"],
  ]
}

/// Words of other shells, languages and everyday speech for the words of statements.
enum ForeignVocabulary {
  /// Returns the possible meanings of a word, the likeliest first.
  static func words(for word: String) -> [String] { table[word.lowercased()] ?? [] }

  private static let table: [String: [String]] = {
    var table: [String: [String]] = [:]
    for (ours, others) in meanings {
      for other in others { table[other, default: []].append(ours) }
    }
    return table
  }()

  private static let meanings: [(ours: String, others: [String])] = [
    (
      "fetch",
      ["get", "list", "show", "find", "search", "query", "retrieve", "取得", "検索", "表示", "一覧"]
    ),
    ("count", ["size", "number", "total", "数", "数える", "件数", "個数"]),
    ("insert", ["add", "new", "create", "make", "push", "追加", "挿入", "作成"]),
    ("update", ["modify", "change", "edit", "set", "更新", "変更"]),
    ("delete", ["remove", "del", "erase", "rm", "削除"]),
    ("next", ["skip", "continue", "go", "次", "つぎ", "次へ", "進む"]),
    ("lesson", ["tutorial", "learn", "レッスン", "学習"]),
    ("answer", ["solution", "solve", "answers", "答え", "こたえ", "解答", "回答"]),
    ("hint", ["clue", "hints", "ヒント", "ヒントを見る"]), ("quit", ["leave"]),
    ("lesson end", ["終了", "終わり", "おわり", "やめる", "end"]),
    ("undo", ["revert", "元に戻す", "取り消し"]), ("redo", ["やり直し"]),
    ("save", ["write", "store", "persist", "保存"]),
    ("print", ["echo", "say", "puts", "log", "eval", "calc", "select", "表示", "計算"]),
    (
      "where",
      [
        "filter", "when", "if", "with", "having", "matching", "whose", "which", "that", "条件",
        "ただし",
      ]
    ),
    (
      "sort",
      ["sorted", "orderby", "sortby", "order", "並べ替え", "並び替え", "並べる", "ソート", "整列", "並び順", "順"]
    ),
    ("limit", ["top", "first", "take", "head", "max", "maximum", "only", "上限", "件数", "先頭"]),
    ("offset", ["skip", "from", "start"]),
    ("select", ["columns", "fields", "show", "return", "returning", "only", "選択", "列"]),
    ("select distinct", ["unique", "uniq", "distinctly", "重複なし"]),
    ("NULL", ["none", "undefined", "nothing"]),
    ("group by", ["groupby", "group", "per", "each"]),
    ("desc", ["降順", "down", "reverse", "reversed", "descend", "decreasing", "新しい順", "大きい順"]),
    ("asc", ["昇順", "up", "forward", "ascend", "increasing", "古い順", "小さい順"]),
  ]
}

/// Words that were typed while a Japanese input method was on: `ふぇtch` for `fetch`.
enum KanaTyping {
  /// Returns what an input method shows for the letters of a word.
  ///
  ///     KanaTyping.text(of: "select")   // "せぇct"
  static func text(of word: String) -> String {
    var rest = Array(word.lowercased())[...]
    var text = ""
    while let first = rest.first {
      if let (length, kana) = syllable(rest) {
        text += kana
        rest = rest.dropFirst(length)
      } else if rest.count > 1, first == rest[rest.startIndex + 1], first.isLetter {
        text += first == "n" ? "ん" : "っ"
        rest = rest.dropFirst(first == "n" ? 2 : 1)
      } else {
        let isFinal = first == "n" && rest.count > 1 && rest[rest.startIndex + 1] != "y"
        text += isFinal ? "ん" : String(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// Returns the longest syllable at the start: consonants and a vowel.
  private static func syllable(_ letters: ArraySlice<Character>) -> (Int, String)? {
    for length in stride(from: min(3, letters.count), to: 0, by: -1) {
      let (consonants, vowel) = (String(letters.prefix(length - 1)), letters.prefix(length).last)
      guard let vowel, let place = Array("aiueo").firstIndex(of: vowel),
        let row = rows[consonants]
      else { continue }
      return (length, row[place])
    }
    return nil
  }

  /// The syllables that begin with each consonant, in the order a, i, u, e, o.
  private static let rows: [String: [String]] = Dictionary(
    uniqueKeysWithValues: """
      - あ い う え お
      k か き く け こ
      c か し く せ こ
      s さ し す せ そ
      t た ち つ て と
      n な に ぬ ね の
      h は ひ ふ へ ほ
      m ま み む め も
      y や い ゆ いぇ よ
      r ら り る れ ろ
      w わ うぃ う うぇ を
      g が ぎ ぐ げ ご
      z ざ じ ず ぜ ぞ
      d だ ぢ づ で ど
      b ば び ぶ べ ぼ
      p ぱ ぴ ぷ ぺ ぽ
      f ふぁ ふぃ ふ ふぇ ふぉ
      j じゃ じ じゅ じぇ じょ
      v ゔぁ ゔぃ ゔ ゔぇ ゔぉ
      q くぁ くぃ く くぇ くぉ
      l ぁ ぃ ぅ ぇ ぉ
      x ぁ ぃ ぅ ぇ ぉ
      ch ちゃ ち ちゅ ちぇ ちょ
      sh しゃ し しゅ しぇ しょ
      th てゃ てぃ てゅ てぇ てょ
      ts つぁ つぃ つ つぇ つぉ
      wh うぁ うぃ う うぇ うぉ
      """.split(separator: "\n").map { line in
        let parts = line.split(separator: " ").map(String.init)
        return (parts[0] == "-" ? "" : parts[0], Array(parts.dropFirst()))
      })
}

extension RepairText {
  /// Returns the word of the language, the key or the entity whose letters were typed as kana.
  func wordTypedAsKana(_ range: Range<Int>) -> String? {
    let run = parts[range]
    guard run.dropFirst().allSatisfy(\.isAdjacent), run.allSatisfy({ $0.kind != .string }) else {
      return nil
    }
    let typed = text(range)
    guard typed.contains(where: \.isKana) else { return nil }
    let plain = (typed.plainLetters ?? typed).lowercased()
    // A text that consists only of kana may be one of the user's values.
    let names = typed.allSatisfy(\.isKana) ? [] : properties.names + model.entities.map(\.name)
    return (Self.words + names).first { KanaTyping.text(of: $0) == plain }
  }

  /// Words of three letters and more that begin statements and clauses, and operators.
  private static let words =
    (StatementCatalog.all.map(\.name) + FetchWords.all
    + ["set", "contains", "beginswith", "endswith", "like", "and", "not", "desc", "null", "yes"])
    .filter { $0.count > 2 }
}

extension Character {
  fileprivate var isKana: Bool {
    unicodeScalars.allSatisfy { (0x3041...0x3096).contains($0.value) || $0.value == 0x3094 }
  }
}
