import KuraScript
import KuraSentences

/// The help about an operator.
struct OperatorHelp: Sendable {
  let name: String
  let summary: String
  /// An example of a predicate after `where`.
  let example: String
  /// The same example with the words of a store.
  let composed: @Sendable (ExampleWords) -> String?

  init(
    _ name: String, _ summary: String, _ example: String,
    composed: @escaping @Sendable (ExampleWords) -> String?
  ) {
    self.name = name
    self.summary = summary
    self.example = example
    self.composed = composed
  }

  /// The words of the name; each one shows this help.
  var names: [String] { name.split(separator: " ").map(String.init).filter { $0 != "…" } }
}

extension OperatorHelp {
  /// All operators, in the order of the help.
  static let all: [OperatorHelp] =
    comparisons + texts + options + collections + connectives + arithmetic

  private static let comparisons = [
    OperatorHelp("== !=", "equal, not equal; also = and <>", #"title == "誕生日""#) { words in
      words.text.map { "\($0.key) == \($0.value)" }
    },
    OperatorHelp(
      "< <= > >=", "less or greater; numbers, dates and strings", #"date < "1950-01-01""#
    ) {
      words in (words.date ?? words.number).map { "\($0.key) >= \($0.value)" }
    },
    OperatorHelp("BETWEEN", "between two values, both included", "age BETWEEN {1, 10}") {
      words in
      (words.number ?? words.date).map { "\($0.key) BETWEEN {\($0.value), \($0.value)}" }
    },
  ]

  private static let texts = [
    OperatorHelp(
      "CONTAINS", "the left string contains the right one", #"title CONTAINS[cd] "cafe""#
    ) { words in
      words.text.map { "\($0.key) CONTAINS[cd] \($0.beginning)" }
    },
    OperatorHelp(
      "BEGINSWITH", "the left string begins with the right one", #"title BEGINSWITH "父""#
    ) { words in
      words.text.map { "\($0.key) BEGINSWITH \($0.beginning)" }
    },
    OperatorHelp("ENDSWITH", "the left string ends with the right one", #"title ENDSWITH "日""#) {
      words in
      words.text.map { "\($0.key) ENDSWITH \($0.end)" }
    },
    OperatorHelp("LIKE", "a pattern: * is any text, ? one character", #"title LIKE "*誕生?""#) {
      words in
      words.text.map { "\($0.key) LIKE \"*\($0.end.dropFirst())" }
    },
    OperatorHelp(
      "MATCHES", "the whole string matches a regular expression", #"code MATCHES "[0-9]{3}""#
    ) {
      words in words.text.map { "\($0.key) MATCHES \".{1,40}\"" }
    },
  ]

  private static let options = [
    OperatorHelp(
      "[c] [d] [cd]", "[c] ignores case, [d] diacritics, [cd] both", #"name ==[cd] "zoe""#
    ) { words in words.text.map { "\($0.key) ==[cd] \($0.value)" } },
    OperatorHelp("[l] [n]", "[l] compares by the locale, [n] byte by byte", #"name <[l] "é""#) {
      words in
      words.text.map { "\($0.key) >=[l] \($0.value)" }
    },
  ]

  private static let collections = [
    OperatorHelp("IN", "equals one of these", #"category IN {"Private", "Work"}"#) { words in
      words.text.map { "\($0.key) IN {\($0.value), \"x\"}" }
    },
    OperatorHelp("ANY", "at least one element matches; also SOME", #"ANY tags.name == "new""#) {
      words in
      words.relationship(isToMany: true).map { "ANY \($0.key).\($0.text) != \"x\"" }
    },
    OperatorHelp("ALL", "every element matches", "ALL items.done == YES") { words in
      words.relationship(isToMany: true).map { "ALL \($0.key).\($0.text) != \"x\"" }
    },
    OperatorHelp("NONE", "no element matches", "NONE items.done == YES") { words in
      words.relationship(isToMany: true).map { "NONE \($0.key).\($0.text) == \"x\"" }
    },
    OperatorHelp(
      "SUBQUERY", "the elements that match a predicate",
      "SUBQUERY(items, $i, $i.done == NO).@count > 1"
    ) {
      words in
      words.relationship(isToMany: true).map {
        "SUBQUERY(\($0.key), $x, $x.\($0.text) != \"x\").@count > 0"
      }
    },
    OperatorHelp("@count @sum …", "a value computed over a collection", "items.@sum.price > 100") {
      words in
      words.relationship(isToMany: true).map { "\($0.key).@count > 0" }
    },
  ]

  private static let connectives = [
    OperatorHelp("AND OR NOT", "also && || !", #"done == NO AND NOT title == """#) { words in
      words.text.map { "\($0.key) != \"\" AND NOT \($0.key) == \"x\"" }
    }
  ]

  private static let arithmetic = [
    OperatorHelp("+ - * / **", "arithmetic", "price * 2 + 1 > 10") { words in
      words.number.map { "\($0.key) * 2 + 1 > \($0.value)" }
    },
    OperatorHelp("& | ^ ~ << >>", "bitwise operations on integers", "flags & 4 == 4") { words in
      words.integer.map { "\($0.key) & 255 >= 0" }
    },
  ]
}

extension HelpTopic {
  init(_ help: OperatorHelp) {
    self.init(
      name: help.name, summary: help.summary,
      text: {
        localized("\(help.name)\n\n  \(help.summary.localized)\n\n  Example: \(help.example)\n")
      },
      example: { words in help.composed(words).map { "fetch \(words.entity) where \($0) limit 2" }
      },
      otherNames: help.names + (Self.otherOperatorNames[help.name] ?? []),
      related: ["predicate", "operators"])
  }

  private static let otherOperatorNames = [
    "== !=": ["=", "<>"], "AND OR NOT": ["&&", "||", "!"], "ANY": ["SOME"],
    "[c] [d] [cd]": ["[dc]", "cd"], "@count @sum …": ["@avg", "@max", "@min"],
  ]
}

/// The text of `.help` about a clause of a fetch.
struct ClauseHelp: Sendable {
  let name: String
  let grammar: String
  let summary: String
  let composed: HelpExample.Composed
}

extension ClauseHelp {
  /// The clauses; a test checks that every word that begins one is here.
  static let all: [ClauseHelp] = [
    ClauseHelp(
      name: "where", grammar: "where PREDICATE", summary: "only objects that match the predicate"
    ) { words in
      words.text.map { "fetch \(words.entity) where \($0.key) == \($0.value)" }
    },
    ClauseHelp(
      name: "sort", grammar: "sort KEY [asc|desc] [nulls first|last], …",
      summary: "the order of the result; the next key breaks ties, then the objectID"
    ) { words in
      (words.date ?? words.text ?? words.number).map {
        "fetch \(words.entity) sort \($0.key) desc limit 2"
      }
    },
    ClauseHelp(
      name: "limit", grammar: "limit N [per KEY, …]",
      summary: "at most the first N objects, in total or per value of a key; 0 means no limit"
    ) {
      "fetch \($0.entity) limit 1"
    },
    ClauseHelp(name: "offset", grammar: "offset N", summary: "skips the first N") {
      "fetch \($0.entity) offset 1 limit 1"
    },
    ClauseHelp(
      name: "batch", grammar: "batch N",
      summary: "a hint, like Core Data's fetchBatchSize; it never changes the result"
    ) { "fetch \($0.entity) limit 2 batch 20" },
    ClauseHelp(
      name: "select", grammar: "select [distinct] EXPR [as NAME], …",
      summary: "columns of values instead of objects"
    ) { words in
      words.text.map { "fetch \(words.entity) select \($0.key) as name, length(\($0.key)) limit 2" }
    },
    ClauseHelp(
      name: "distinct", grammar: "select distinct EXPR, …", summary: "only one of equal rows"
    ) { words in words.text.map { "fetch \(words.entity) select distinct \($0.key) limit 2" } },
    ClauseHelp(
      name: "group", grammar: "select KEY, count(SELF) group by KEY, …",
      summary: "one row per value of the keys, with counts and sums of its objects"
    ) { words in
      words.text.map {
        "fetch \(words.entity) select \($0.key), count(SELF) as n group by \($0.key) limit 2"
      }
    },
    ClauseHelp(
      name: "having", grammar: "group by KEY having PREDICATE",
      summary: "only groups that match the predicate"
    ) { words in
      words.text.map {
        "fetch \(words.entity) select \($0.key), count(SELF) as n group by \($0.key) having count(SELF) >= 1 limit 2"
      }
    },
    ClauseHelp(
      name: "section", grammar: "section by KEY", summary: "one table per value of a key"
    ) { words in
      words.text.map { "fetch \(words.entity) sort \($0.key) limit 2 section by \($0.key)" }
    },
    ClauseHelp(
      name: "without", grammar: "without subentities",
      summary: "only the entity's own objects, not those of its subentities"
    ) { "count \($0.entity) without subentities" },
  ]
}

extension HelpTopic {
  init(_ clause: ClauseHelp) {
    self.init(
      name: clause.name, summary: clause.summary,
      text: { "fetch … \(clause.grammar)\n\n  \(clause.summary.localized)\n" },
      example: clause.composed,
      otherNames: ["group", "section"].contains(clause.name) ? ["\(clause.name) by"] : [],
      related: ["fetch"])
  }
}
