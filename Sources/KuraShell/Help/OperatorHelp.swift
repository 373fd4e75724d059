import KuraScript
import KuraSentences

/// The help about an operator.
struct OperatorHelp: Sendable {
  let name: String
  let summary: String
  /// An example of a predicate after `where`.
  let example: String
  /// The same example as a template, for the words of a store.
  let template: String

  init(_ name: String, _ summary: String, _ example: String, _ template: String) {
    (self.name, self.summary, self.example, self.template) = (name, summary, example, template)
  }

  /// The words of the name; each one shows this help.
  var names: [String] { name.split(separator: " ").map(String.init).filter { $0 != "…" } }
}

extension OperatorHelp {
  /// All operators, in the order of the help.
  static let all: [OperatorHelp] =
    comparisons + texts + options + collections + connectives + arithmetic

  private static let comparisons = [
    OperatorHelp(
      "== !=", "equal, not equal; also = and <>", #"title == "誕生日""#, "KEY == VALUE"),
    OperatorHelp(
      "< <= > >=", "less or greater; numbers, dates and strings", #"date < "1950-01-01""#,
      "KEY:date|number >= VALUE:date|number"),
    OperatorHelp(
      "BETWEEN", "between two values, both included", "age BETWEEN {1, 10}",
      "KEY:number|date BETWEEN {VALUE:number|date, VALUE:number|date}"),
  ]

  private static let texts = [
    OperatorHelp(
      "CONTAINS", "the left string contains the right one", #"title CONTAINS[cd] "cafe""#,
      #"KEY CONTAINS[cd] "BEGINNING""#),
    OperatorHelp(
      "BEGINSWITH", "the left string begins with the right one", #"title BEGINSWITH "父""#,
      #"KEY BEGINSWITH "BEGINNING""#),
    OperatorHelp(
      "ENDSWITH", "the left string ends with the right one", #"title ENDSWITH "日""#,
      #"KEY ENDSWITH "END""#),
    OperatorHelp(
      "LIKE", "a pattern: * is any text, ? one character", #"title LIKE "*誕生?""#,
      #"KEY LIKE "*END""#),
    OperatorHelp(
      "MATCHES", "the whole string matches a regular expression", #"code MATCHES "[0-9]{3}""#,
      #"KEY MATCHES ".{1,40}""#),
  ]

  private static let options = [
    OperatorHelp(
      "[c] [d] [cd]", "[c] ignores case, [d] diacritics, [cd] both", #"name ==[cd] "zoe""#,
      "KEY ==[cd] VALUE"),
    OperatorHelp(
      "[l] [n]", "[l] compares by the locale, [n] byte by byte", #"name <[l] "é""#,
      "KEY >=[l] VALUE"),
  ]

  private static let collections = [
    OperatorHelp(
      "IN", "equals one of these", #"category IN {"Private", "Work"}"#, #"KEY IN {VALUE, "x"}"#),
    OperatorHelp(
      "ANY", "at least one element matches; also SOME", #"ANY tags.name == "new""#,
      #"ANY MANY.TEXT != "x""#),
    OperatorHelp(
      "ALL", "every element matches", "ALL items.done == YES", #"ALL MANY.TEXT != "x""#),
    OperatorHelp(
      "NONE", "no element matches", "NONE items.done == YES", #"NONE MANY.TEXT == "x""#),
    OperatorHelp(
      "SUBQUERY", "the elements that match a predicate",
      "SUBQUERY(items, $i, $i.done == NO).@count > 1",
      #"SUBQUERY(MANY, $x, $x.TEXT != "x").@count > 0"#),
    OperatorHelp(
      "@count @sum …", "a value computed over a collection", "items.@sum.price > 100",
      "MANY.@count > 0"),
  ]

  private static let connectives = [
    OperatorHelp(
      "AND OR NOT", "also && || !", #"done == NO AND NOT title == """#,
      #"KEY != "" AND NOT KEY == "x""#)
  ]

  private static let arithmetic = [
    OperatorHelp(
      "+ - * / **", "arithmetic", "price * 2 + 1 > 10", "KEY:number * 2 + 1 > VALUE:number"),
    OperatorHelp(
      "& | ^ ~ << >>", "bitwise operations on integers", "flags & 4 == 4",
      "KEY:integer & 255 >= 0"),
  ]
}

extension HelpTopic {
  init(_ help: OperatorHelp) {
    self.init(
      name: help.name, summary: help.summary,
      body: {
        localized("\(help.name)\n\n  \(help.summary.localized)\n\n  Example: \(help.example)\n")
      },
      example: HelpExample.filling("fetch ENTITY where \(help.template) limit 2"),
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
  /// The template of its example.
  let example: String
}

extension ClauseHelp {
  /// The clauses; a test checks that every word that begins one is here.
  static let all: [ClauseHelp] = [
    ClauseHelp(
      name: "where", grammar: "where PREDICATE", summary: "only objects that match the predicate",
      example: "fetch ENTITY where KEY == VALUE"),
    ClauseHelp(
      name: "sort", grammar: "sort KEY [asc|desc] [nulls first|last], …",
      summary: "the order of the result; the next key breaks ties, then the objectID",
      example: "fetch ENTITY sort KEY:date|text|number desc limit 2"),
    ClauseHelp(
      name: "limit", grammar: "limit N [per KEY, …]",
      summary: "at most the first N objects, in total or per value of a key; 0 means no limit",
      example: "fetch ENTITY limit 1"),
    ClauseHelp(
      name: "offset", grammar: "offset N", summary: "skips the first N",
      example: "fetch ENTITY offset 1 limit 1"),
    ClauseHelp(
      name: "batch", grammar: "batch N",
      summary: "a hint, like Core Data's fetchBatchSize; it never changes the result",
      example: "fetch ENTITY limit 2 batch 20"),
    ClauseHelp(
      name: "select", grammar: "select [distinct] EXPR [as NAME], …",
      summary: "columns of values instead of objects",
      example: "fetch ENTITY select KEY as name, length(KEY) limit 2"),
    ClauseHelp(
      name: "distinct", grammar: "select distinct EXPR, …", summary: "only one of equal rows",
      example: "fetch ENTITY select distinct KEY limit 2"),
    ClauseHelp(
      name: "group", grammar: "select KEY, count(SELF) group by KEY, …",
      summary: "one row per value of the keys, with counts and sums of its objects",
      example: "fetch ENTITY select KEY, count(SELF) as n group by KEY limit 2"),
    ClauseHelp(
      name: "having", grammar: "group by KEY having PREDICATE",
      summary: "only groups that match the predicate",
      example:
        "fetch ENTITY select KEY, count(SELF) as n group by KEY having count(SELF) >= 1 limit 2"),
    ClauseHelp(
      name: "section", grammar: "section by KEY", summary: "one table per value of a key",
      example: "fetch ENTITY sort KEY limit 2 section by KEY"),
    ClauseHelp(
      name: "without", grammar: "without subentities",
      summary: "only the entity's own objects, not those of its subentities",
      example: "count ENTITY without subentities"),
  ]
}

extension HelpTopic {
  init(_ clause: ClauseHelp) {
    self.init(
      name: clause.name, summary: clause.summary,
      body: { "fetch … \(clause.grammar)\n\n  \(clause.summary.localized)\n" },
      example: HelpExample.filling(clause.example),
      otherNames: ["group", "section"].contains(clause.name) ? ["\(clause.name) by"] : [],
      related: ["fetch"])
  }
}
