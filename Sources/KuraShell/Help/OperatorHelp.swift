/// An operator as the help shows it.
struct OperatorHelp: Sendable {
  let name: String
  let summary: String
  /// A predicate that a person could write behind `where`.
  let example: String

  private init(_ name: String, _ summary: String, _ example: String) {
    self.name = name
    self.summary = summary + ":"
    self.example = example
  }
}

extension OperatorHelp {
  /// All operators, in the order of the help.
  static let all: [OperatorHelp] = comparisons + texts + collections + connectives + arithmetic

  private static let comparisons = [
    OperatorHelp("== !=", "equal, not equal; also = and <>", #"title == "誕生日""#),
    OperatorHelp("< <= > >=", "in the order of numbers, dates and texts", #"date < "1950-01-01""#),
    OperatorHelp("BETWEEN", "from the first to the second, both included", "age BETWEEN {1, 10}"),
  ]

  private static let texts = [
    OperatorHelp("CONTAINS", "a text has this one in it", #"title CONTAINS[cd] "cafe""#),
    OperatorHelp("BEGINSWITH", "a text begins with this one", #"title BEGINSWITH "父""#),
    OperatorHelp("ENDSWITH", "a text ends with this one", #"title ENDSWITH "日""#),
    OperatorHelp("LIKE", "* is any text, ? is one character", #"title LIKE "*誕生?""#),
    OperatorHelp("MATCHES", "a regular expression, over all of it", #"code MATCHES "[0-9]{3}""#),
    OperatorHelp(
      "[c] [d] [cd]", "without regard to case, to marks, to both", #"name ==[cd] "zoe""#),
    OperatorHelp("[l] [n]", "by the locale, or byte by byte", #"name <[l] "é""#),
  ]

  private static let collections = [
    OperatorHelp("IN", "one of these", #"category IN {"Private", "Work"}"#),
    OperatorHelp("ANY", "for at least one; also SOME", #"ANY tags.name == "new""#),
    OperatorHelp("ALL", "for each of them", "ALL items.done == YES"),
    OperatorHelp("NONE", "for not one of them", "NONE items.done == YES"),
    OperatorHelp("SUBQUERY", "those that", "SUBQUERY(items, $i, $i.done == NO).@count > 1"),
    OperatorHelp("@count @sum …", "over a collection", "items.@sum.price > 100"),
  ]

  private static let connectives = [
    OperatorHelp("AND OR NOT", "also && || !", #"done == NO AND NOT title == """#)
  ]

  private static let arithmetic = [
    OperatorHelp("+ - * / **", "with numbers", "price * 2 + 1 > 10"),
    OperatorHelp("& | ^ ~ << >>", "with the bits of integers", "flags & 4 == 4"),
  ]
}
