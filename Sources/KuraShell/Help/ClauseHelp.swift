import KuraScript
import KuraSentences

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
