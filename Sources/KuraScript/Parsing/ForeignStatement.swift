/// A statement of another language, and its form in Kura as far as its words show it.
enum ForeignStatement {
  /// The words that begin a statement in other shells, with a general form in Kura.
  static let words = [
    "select": "fetch ENTITY where …", "find": "fetch ENTITY where …",
    "from": "fetch ENTITY where …", "create": "entity NAME { … }", "echo": "print EXPR",
    "set": "let $x = EXPR", "add": "insert ENTITY key = EXPR", "new": "insert ENTITY key = EXPR",
  ]

  /// Returns `fetch Item where done = 1 sort title` for `select * from Item where done = 1 order by
  /// title`; nil if no other language has a statement with this first word.
  static func ours(for text: String, word: String) -> String? {
    guard let general = words[word.lowercased()] else { return nil }
    let parts = statement(text).split(whereSeparator: \.isWhitespace).map(String.init)
    switch word.lowercased() {
    case "select": return fetch(parts) ?? general
    case "create": return entity(parts) ?? general
    case "set": return update(statement(text)) ?? general
    default: return general
    }
  }

  /// Returns `dates.csv` for `export dates.csv` and `export MemoDate to dates.csv`, `FILE.csv` for
  /// `export csv`; nil if the word does not write results to a file in another language.
  static func file(for text: String, word: String) -> String? {
    guard ["export", "download"].contains(word.lowercased()) else { return nil }
    let words = statement(text).split(whereSeparator: \.isWhitespace).dropFirst()
      .map { String($0).trimming("\"'`,") }
    let format = ["csv", "tsv", "json", "jsonl", "md"].first { format in
      words.contains { $0.lowercased() == format }
    }
    return words.last { $0.dropFirst().dropLast().contains(".") } ?? "FILE.\(format ?? "csv")"
  }

  /// Returns the text up to `;`, or the first line and the following lines that are indented
  /// deeper.
  private static func statement(_ text: String) -> Substring {
    let known = text.prefix { $0 != ";" }
    var end = known.startIndex
    while let newline = known[end...].firstIndex(where: \.isNewline) {
      let next = known.index(after: newline)
      guard next < known.endIndex, known[next] == " " || known[next] == "\t" else {
        return known[..<newline]
      }
      end = next
    }
    return known
  }

  private static func fetch(_ words: [String]) -> String? {
    guard let from = words.firstIndex(where: { $0.lowercased() == "from" }), from > 1,
      from + 1 < words.count, words.count < 60
    else { return nil }
    let columns = words[1..<from].joined(separator: " ")
    let name = words[from + 1].trimming(#"`"',()"#)
    let rest = clauses(Array(words[(from + 2)...]))
    guard !name.isEmpty else { return nil }
    if columns.lowercased().hasPrefix("count(") {
      return (["count", name] + rest).joined(separator: " ")
    }
    let select = columns == "*" ? [] : ["select", columns]
    return (["fetch", name] + rest + select).joined(separator: " ")
  }

  /// Translates `order by` to `sort`, `is null` to `== NULL`, and `%` after `like` to `*`.
  private static func clauses(_ words: [String]) -> [String] {
    var result: [String] = []
    for word in words {
      switch (result.last?.lowercased(), word.lowercased()) {
      case ("order", "by"): result[result.count - 1] = "sort"
      case ("is", "null"): result.replaceLast(1, with: ["==", "NULL"])
      case ("not", "null") where result.dropLast().last?.lowercased() == "is":
        result.replaceLast(2, with: ["!=", "NULL"])
      case ("like", _): result.append(word.replacing("%", with: "*"))
      default: result.append(word)
      }
    }
    return result
  }

  /// Returns `update Item/3 set title = "x"` for `set Item/3 title = "x"`; nil for `set title = "x"`.
  private static func update(_ text: Substring) -> String? {
    let words = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard words.count == 3, !words[1].contains("="), let sign = words[2].firstIndex(of: "="),
      words[2][..<sign].split(whereSeparator: \.isWhitespace).count == 1
    else { return nil }
    return "update \(words[1]) set \(words[2])"
  }

  private static func entity(_ words: [String]) -> String? {
    guard words.count > 2, words[1].lowercased() == "table" else { return nil }
    let name = words[2].prefix { $0 != "(" }
    return name.isEmpty ? nil : "entity \(name) { KEY: TYPE; … }"
  }
}

extension [String] {
  fileprivate mutating func replaceLast(_ count: Int, with words: [String]) {
    removeLast(count)
    self += words
  }
}

extension String {
  fileprivate func trimming(_ characters: String) -> String {
    let front = drop { characters.contains($0) }
    return String(front.reversed().drop { characters.contains($0) }.reversed())
  }
}
