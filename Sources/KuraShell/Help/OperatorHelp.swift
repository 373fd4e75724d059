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
    OperatorHelp("CONTAINS", "a string contains this one", #"title CONTAINS[cd] "cafe""#) { words in
      words.text.map { "\($0.key) CONTAINS[cd] \($0.beginning)" }
    },
    OperatorHelp("BEGINSWITH", "a string begins with this one", #"title BEGINSWITH "父""#) { words in
      words.text.map { "\($0.key) BEGINSWITH \($0.beginning)" }
    },
    OperatorHelp("ENDSWITH", "a string ends with this one", #"title ENDSWITH "日""#) { words in
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
    OperatorHelp("ANY", "at least one matches; also SOME", #"ANY tags.name == "new""#) { words in
      words.relationship(isToMany: true).map { "ANY \($0.key).\($0.text) != \"x\"" }
    },
    OperatorHelp("ALL", "every one matches", "ALL items.done == YES") { words in
      words.relationship(isToMany: true).map { "ALL \($0.key).\($0.text) != \"x\"" }
    },
    OperatorHelp("NONE", "none matches", "NONE items.done == YES") { words in
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
