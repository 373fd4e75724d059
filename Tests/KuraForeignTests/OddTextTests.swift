import Foundation
import KuraDiagnostics
import KuraForeign
import TestSupport
import Testing

/// Texts without a meaning in any language: Kura must still answer them.
@Suite("An odd text")
struct OddTextTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["KURA_TEXTS"].flatMap { Int($0) } ?? 500
  private static let seed = environment["KURA_SEED"].flatMap { UInt64($0) } ?? 1

  @Test(
    "that has no query is not translated",
    arguments: [
      "fetch Item where title == (SELECT 1)", "count Item where EXISTS (SELECT 1)",
      "fetch Item where title = (select title)", "SELECT (SELECT 1) FROM Item",
      "SELECT * FROM Item WHERE done = (SELECT 1)",
    ])
  func withoutTable(text: String) {
    for reading in ForeignTranslator(lists).readings(of: Array(text.utf8), from: 0) {
      #expect(!reading.translations.contains { $0.contains("(SELECT") })
    }
  }

  @Test(
    "that is deep or long is read quickly, on any stack",
    arguments: ["(", "{", "[", "a.", "a(", "NOT ", "{a in ", "a ? ", "x => ", "a | ", "- ", "$0."])
  func deep(part: String) throws {
    let text = String(repeating: part, count: 3_000 / part.utf8.count)
    for head in ["", "fetch Item where "] {
      let bytes = Array((head + text + "1").utf8)
      let readings = try onStack(of: 256 << 10) {
        ForeignTranslator(lists).readings(of: bytes, from: 0)
      }
      #expect(readings.allSatisfy { $0.translations.count < 100 })
    }
  }

  @Test("of random words is read without a crash")
  func random() {
    var longest = 0
    for number in 0..<UInt64(Self.count) {
      var numbers = SeededNumbers(seed: Self.seed &* 1_000_003 &+ number)
      let text = OddText.some(&numbers)
      if Self.environment["KURA_SHOW"] != nil { print(number, text) }
      let translator = ForeignTranslator(numbers.flip() ? lists : library)
      let readings = translator.readings(of: Array(text.utf8), from: 0)
      longest = max(longest, readings.count)
      #expect(
        readings.allSatisfy { $0.span.start >= 0 && $0.span.end <= text.utf8.count },
        "KURA_SEED=\(Self.seed), number \(number): \(text)")
    }
    #expect(longest > 0)
  }
}

/// Words and signs of all languages in any order, and statements with some of them moved.
private enum OddText {
  private static let words = [
    "SELECT", "FROM", "WHERE", "JOIN", "LEFT JOIN", "ON", "GROUP BY", "ORDER BY", "HAVING", "LIMIT",
    "OFFSET", "DISTINCT", "UNION", "INSERT INTO", "VALUES", "UPDATE", "SET", "DELETE FROM", "AS",
    "CASE", "WHEN", "THEN", "ELSE", "END", "EXISTS", "IN", "BETWEEN", "LIKE", "IS NULL", "AND",
    "OR",
    "NOT", "fetch", "count", "where", "sort", "desc", "limit", "update", "print", "let", "select",
    "Item", "Category", "items", "category", "title", "done", "due", "minutes", "name", "i", "c",
    "x",
    "$0", "$x", "self", "SELF", "nil", "null", "None", "true", "NO", "1", "2.5", "-3", "\"a\"",
    "'b'",
    "@\"c\"", "`d`", "/e/", "誕生", "%@", "%K", "?", ":who", "(", ")", "[", "]", "{", "}", ",", ".",
    ":",
    ";", "=", "==", "!=", "<>", "<=", ">", "+", "-", "*", "/", "%", "&&", "||", "|", "!", "=>",
    "->",
    "in", "for", "if", "return", "func", "def", "lambda", ".filter", ".map", ".sorted", ".first",
    ".count", ".sum", ".contains", ".where", ".select", "#Predicate", "NSPredicate(format:", "$set",
    "$gt", "db.items.find", "db.items.aggregate", "@NSFetchRequest", "NSFetchRequest<Item>", "try",
    "await", "sed", "grep", "jq", "\n", "\t", "--", "//", "/*", "*/", "#", "\\", "'", "\"", "", "（",
    "、", "＝", "\u{0}", "e\u{301}", "👍🏽", "COUNT(*)", "SUM(", "MAX(", "COALESCE(", "strftime(",
  ]

  private static let statements = [
    "SELECT i.title, c.name FROM Item i LEFT JOIN Category c ON i.category = c.id WHERE i.done = 0",
    "SELECT name, COUNT(*) AS n FROM Category GROUP BY name HAVING COUNT(*) > 1 ORDER BY n DESC",
    "UPDATE Item SET done = 1, title = 'x' WHERE title LIKE '%a%' LIMIT 3",
    "DELETE FROM Item WHERE id IN (SELECT id FROM Item WHERE done = 1)",
    "INSERT INTO Item (title, done) VALUES ('a', 0), ('b', 1)",
    "items.filter { $0.done && $0.title.contains(\"a\") }.sorted { $0.due < $1.due }.prefix(3)",
    "NSPredicate(format: \"title CONTAINS[cd] %@ AND minutes > %d\", \"誕生\", 3)",
    "#Predicate<Item> { item in item.done == false && item.category?.name == \"a\" }",
    ".items[] | select(.done == false and .minutes > 3) | {title, n: .minutes} | length",
    "db.items.find({done: false, minutes: {$gt: 3, $in: [1, 2]}}, {title: 1}).sort({due: -1})",
    "[i.title for i in items if i.done and 'a' in i.title][:3]",
    "from i in items where i.minutes > 3 orderby i.due descending select i.title",
    "fetch Item where title.isEmpty || done == true && title.hasPrefix('a') order by due limit 5",
    "df[(df.minutes > 3) & (df['done'] == False)].groupby('category').agg({'minutes': 'sum'})",
  ]

  static func some(_ numbers: inout SeededNumbers) -> String {
    if numbers.oneIn(3) {
      let count = 1 + numbers.below(25)
      return (0..<count).map { _ in numbers.pick(words) }.joined(
        separator: numbers.oneIn(4) ? "" : " ")
    }
    var parts = numbers.pick(statements).split(separator: " ").map(String.init)
    for _ in 0...numbers.below(5) { change(&parts, &numbers) }
    return parts.joined(separator: " ")
  }

  private static func change(_ parts: inout [String], _ numbers: inout SeededNumbers) {
    guard !parts.isEmpty else { return parts.append(numbers.pick(words)) }
    let place = numbers.below(parts.count)
    switch numbers.below(7) {
    case 0: parts.remove(at: place)
    case 1: parts.insert(numbers.pick(words), at: place)
    case 2: parts[place] = numbers.pick(words)
    case 3: parts.swapAt(place, numbers.below(parts.count))
    case 4: parts.removeSubrange(place...)
    case 5:
      let other = numbers.pick(statements).split(separator: " ").map(String.init)
      parts.insert(contentsOf: other[numbers.below(other.count)...], at: place)
    default:
      var characters = Array(parts[place])
      if !characters.isEmpty { characters.remove(at: numbers.below(characters.count)) }
      parts[place] = String(characters)
    }
  }
}
