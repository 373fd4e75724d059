@testable import KuraFetch

/// Texts that are computed from an item's keys, and predicates about them.
extension Dice {
  mutating func textComparison() -> String {
    switch below(10) {
    case 0:
      return
        "\(text(2)) \(pick(["IN", "IN", "IN[c]", "IN[d]", "IN[cd]"])) {\(literal()), \(literal()), nil, \(literal())}"
    case 1:
      return
        "\(text(2)) \(pick(["BETWEEN", "BETWEEN[n]", "BETWEEN[c]", "BETWEEN[cd]"])) {\(literal()), \(literal())}"
    case 2: return "\(text(2)) \(pick(["LIKE", "LIKE[c]", "LIKE[cd]"])) \(pattern())"
    case 3: return "\(text(2)) \(pick(["MATCHES", "MATCHES[c]", "MATCHES[cd]"])) \(expression())"
    case 4: return "\(text(2)) \(pick(["==", "!=", "<="])) nil"
    case 5: return "\(text(1)) IN \(text(1))"
    case 6: return "\(text(2)) \(operation()) \(literal())"
    default: return "\(text(2)) \(operation()) \(text(2))"
    }
  }

  private mutating func operation() -> String {
    pick(["==", "!=", "<", "<=", ">", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH"])
      + pick(["", "", "", "[c]", "[d]", "[cd]", "[n]", "[l]"])
  }

  private mutating func literal() -> String {
    "\""
      + pick([
        "", "x", "X", "誕生", "誕", "Café", "cafe", "CAFÉ", "が", "か", "か\u{3099}", "ガ", "ｶﾞ", "𠮷", "ss",
        "ß",
        "strasse", "e", "é", "e\u{301}", "ế", "i", "İ", "分類", "分", "tag", "1", "4", "A", " ", "　",
        "\u{A0}",
        "ﬁ", "ü", "Ü", "ΐ", "👩", "家",
      ])
      + "\""
  }

  private mutating func pattern() -> String {
    pick(["\"*a*\"", "\"?a*\"", "\"*が?*\"", "\"*\"", "\"\"", "\"*é\"", "\"c*g\""])
  }

  private mutating func expression() -> String {
    pick([
      "\".*a.*\"", "\"[a-c].*\"", "\".*(生|G).?\"", "\".*É.*\"", "\"\\\\w+\"", "\".*ÜN.*\"",
      "\"(caf|x|str).*[0-9]?\"", "\".*[ -f]s?\"", "\"(ss|x)*.?\"", "\".*[^a].*[0-5]\"", "\".*ｶﾞ.*\"",
      "\"が?.*k.*\"", "\"[A-Z]+\"", "\"\\\\b[a-c生]\"", "\"(é|が|tag)\\\\b\"", "\"^c\"", "\"x$\"",
    ])
  }

  /// Returns a text such as `lowercase(concat(title, kind))`.
  mutating func text(_ depth: Int) -> String {
    if depth == 0 || chance(0.2) {
      return chance(0.2)
        ? literal()
        : pick([
          "title", "title", "kind", "note", "code", "home.name", "home.parent.name",
          "tags.@max.name",
          "tags.@min.name", "home.items.@min.title", "home.items.@max.kind",
        ])
    }
    let (a, b) = (text(depth - 1), text(depth - 1))
    switch below(12) {
    case 9: return "replace(\(a), \(literal()), \(literal()))"
    case 10: return "firstMatch(\(a), \(expression())\(pick(["", ", 0", ", 1"])))"
    case 11: return "split(\(a), \(literal()))[\(pick(["0", "1", "FIRST", "LAST"]))]"
    case 0, 1: return "\(pick(["lowercase", "uppercase", "trim", "canonical"]))(\(a))"
    case 2: return "substring(\(a), \(below(4)), \(below(5)))"
    case 3:
      return
        "substring(\(a), \(pick(["count", "0", "-1"])), \(pick(["count", "2", "length(kind)"])))"
    case 4: return "concat(\(a), \(pick([b, "count", "price", "done", "day", "\" \""])), \(b))"
    case 5: return "CAST(\(pick([a, "count", "day", "price"])), \"NSString\")"
    case 6: return "coalesce(\(a), \(b))"
    case 7: return "TERNARY(\(a) < \(b), \(b), \(a))"
    default:
      return pick(["title.uppercaseString", "title.lowercaseString", "kind.capitalizedString"])
    }
  }

  /// Returns a predicate about a category that compares its items with the category itself.
  mutating func ownerComparison() -> String {
    let modifier = pick(["ANY", "ALL", "NONE"])
    switch below(6) {
    case 0: return "\(modifier) items.serial \(pick(["<", ">", "=="])) length(name) - \(below(6))"
    case 1: return "\(modifier) items.title \(operation()) substring(name, 0, \(1 + below(3)))"
    case 2:
      return
        "SUBQUERY(items, $i, $i.title \(operation()) substring(name, 0, 2)).@count > \(below(9))"
    case 3:
      return "SUBQUERY(items, $i, $i.count * 2 > items.@avg.price + \(below(5)) AND $i.price < "
        + "length(name)).@sum.count > \(below(9)) - 4"
    case 4: return "items.@sum.count * 2 \(pick(["<", ">"])) items.@count - \(below(50))"
    default:
      return
        "\(modifier) items.price / 2 \(pick(["<", ">", "=="])) parent.items.@avg.price - \(below(3))"
    }
  }
}
