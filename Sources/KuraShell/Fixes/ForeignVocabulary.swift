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
