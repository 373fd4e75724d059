import Foundation

@testable import KuraFetch

extension Dice {
  mutating func predicate(depth: Int) -> String {
    if depth == 0 || chance(0.3) { return chance(0.1) ? constant() : comparison("") }
    switch below(3) {
    case 0: return "(\(predicate(depth: depth - 1)) AND \(predicate(depth: depth - 1)))"
    case 1: return "(\(predicate(depth: depth - 1)) OR \(predicate(depth: depth - 1)))"
    default: return "NOT (\(predicate(depth: depth - 1)))"
    }
  }

  /// Returns a predicate that depends on no object, or has such a part.
  private mutating func constant() -> String {
    pick([
      "TRUEPREDICATE", "FALSEPREDICATE", "1 + 1 == 2", "2 > 3", "\"cafe\" ==[cd] \"CAFÉ\"",
      "ANY {1, 2} > 1", "count > 2 * 2 - 3", "3 - 1 <= count", "price == 0.5 + 0.75 + 0.75",
      "exact == 0.1 + 0.2", "exact > 1 - 0.5", "exact IN {0.1 + 0.2, 0.5}", "year(now()) > 2000",
      "title.length > 2 + 3", "length(title) > 2 * 4", "kind == lowercase(\"CAFÉ\")",
      "count > TERNARY(1 > 2, 3, 1)", "TERNARY(2 > 1, count, price) > 1", "count > nil + 1",
      "FUNCTION(\"x\", \"uppercaseString\") == title", "count == {1, 2}[0]",
      "SUBQUERY(tags, $t, $t.name ENDSWITH \"4\" AND 1 == 1).@count == 2 - 1",
    ])
  }

  /// Returns a comparison of a key of an item with literals; `path` leads to the item.
  private mutating func comparison(_ path: String) -> String {
    switch below(11) {
    case 10: return path + stored(path)
    case 0, 1: return "\(path)\(pick(["title", "kind", "note"])) \(textOperator()) \(text())"
    case 2: return "\(path)\(numberKey(path)) \(order()) \(number())"
    case 3 where path.isEmpty:
      return "\(number()) \(order()) \(pick(["count", "price", "exact"]))"
    case 4: return "\(path)\(numberKey(path)) BETWEEN {\(number()), \(number())}"
    case 5:
      return "\(path)\(pick([numberKey(path), "kind", "title"])) IN {1, 2.5, -3, nil}"
        .replacingText(path, text())
    case 6: return "\(path)day \(order()) \"\(1970 + below(40))-0\(1 + below(9))-01\""
    case 7: return "\(path)done \(pick(["==", "!="])) \(pick(["YES", "NO"]))"
    case 8:
      let key = pick(["title", "kind", numberKey(path), "day", "home"])
      return "\(path)\(key) \(pick(["==", "!="])) nil"
    default: return path.isEmpty ? relation() : "\(path)objectID > \(below(300))"
    }
  }

  /// Returns a comparison of a key that is stored as text, or that is unique.
  private mutating func stored(_ path: String) -> String {
    let keys = (0..<3).map { _ in "\"\(World.key(below(320)).uuidString.lowercased())\"" }
    let links = ["\"http://x.jp\"", "\"http://x.jp/が\"", "\"HTTP://x.jp\""]
    let serials = (0..<40).map { _ in "\(below(300) * 3)" }
    let codes = (0..<3).map { _ in "\"が \(below(320))\"" }
    switch below(7) {
    case 0: return "key \(equality()) \(keys[0])"
    case 1: return "key IN {\(keys.joined(separator: ", "))}"
    case 2:
      return chance(0.5)
        ? "link \(equality()) \(pick(links))" : "link IN {\(pick(links)), nil, \(pick(links))}"
    case 3: return "code \(equality())\(pick(["", "", "[c]", "[n]"])) \(codes[0])"
    case 4: return "code IN {\(codes.joined(separator: ", ")), nil}"
    case 5:
      let parts = ["host", "scheme", "path", "query", "fragment"]
      let values = ["\"x.jp\"", "\"/が\"", "\"/a\"", "\"b=1\"", "\"http\"", "nil"]
      return pick([
        "link.\(pick(parts)) \(equality()) \(pick(values))", "link.port > \(below(9000))",
      ])
    default:
      return pick([
        "serial == \(below(900))", "serial != \(below(900))", "serial == 2.5",
        "serial IN {3, 7.5, nil, 300, 3}",
        "serial IN {\(serials.joined(separator: ", "))}",
        "serial IN {\(serials.prefix(20).map { $0 + "000000" }.joined(separator: ", ")), 3, 4}",
        "\(numberKey(path)) IN {\(serials.joined(separator: ", ")), 1, -4}", "serial == 1e300",
      ])
    }
  }

  private mutating func equality() -> String { pick(["==", "==", "!="]) }

  /// Returns a comparison of a number; `items.count` is the number of items.
  private mutating func numberKey(_ path: String) -> String {
    path.hasPrefix("items") || path.hasPrefix("children") ? "price" : pick(["count", "price"])
  }

  private mutating func relation() -> String {
    switch below(10) {
    case 8: return membership()
    case 9:
      return "SUBQUERY(home.items, $i, \(comparison("$i."))\(pick(["", " AND $i.home != nil"])))"
        + ".@count \(order()) \(below(40))"
    case 0:
      return "\(modifier()) tags.name \(textOperator()) \"\(pick(["tag1", "TAG3", "4", "t?g2"]))\""
    case 1: return "home.name \(textOperator()) \"\(pick(["3", "分類 2", "分*", ".*5"]))\""
    case 2: return "home.parent.name \(pick(["==", "!="])) \(pick(["nil", "\"分類 1\""]))"
    case 3: return "\(modifier()) home.parent.children.name ENDSWITH \"\(1 + below(7))\""
    case 4: return "tags.@count \(order()) \(below(4))"
    case 5: return "home.items.@count \(order()) \(30 + below(20))"
    case 6: return "\(modifier()) tags.items.home.name \(pick(["==", "!="])) nil"
    default: return fixedRelation()
    }
  }

  /// Returns a predicate about the elements of a collection.
  private mutating func membership() -> String {
    let option = pick(["", "", "[c]", "[cd]"])
    let number = pick(["0", "2", "5", "2.5", "\"x\"", "nil"])
    return pick([
      "\"tag2\" IN\(option) tags.name", "tags.name CONTAINS\(option) \"TAG\(below(5))\"",
      "\"x\" IN\(option) home.items.title", "\(text()) IN\(option) home.items.kind",
      "\(number) IN home.items.price", "home.items.price CONTAINS \(number)",
      "\"\(1970 + below(40))-01-01\" IN home.items.day", "tags CONTAINS Tag/\(below(6))",
      "Tag/3 IN tags", "nil IN tags.name", "\"分類 2\" IN tags.items.home.name",
      "home.items.home.name CONTAINS \"分類 2\"", "tags.items.price CONTAINS 2",
    ])
  }

  private mutating func fixedRelation() -> String {
    pick([
      "SUBQUERY(tags, $t, $t.name ENDSWITH \"4\").@count == 1",
      "SUBQUERY(tags, $t, $t.name ENDSWITH \"4\" OR $t == Tag/2).@count > 0",
      "SUBQUERY(tags, $t, SUBQUERY($t.items, $i, $i.count > 4).@count > 3).@count > 1",
      "SUBQUERY(tags, $t, $t.name == title).@count == 0",
      "SUBQUERY(home.items, $i, $i.title == title).@count == 1",
      "SUBQUERY({\"Office\", \"x\", \"CAFÉ\"}, $k, $k == kind).@count == 1",
      "SUBQUERY({1, 2, 3}, $k, $k == count).@count > 0",
      "SUBQUERY({1, 2, 3}, $k, $k > home.items.@count).@count == 0",
      "SUBQUERY({\"3\", \"4\"}, $k, home.name ENDSWITH $k).@count > 0",
      "SUBQUERY(home.items, $i, $i.home.name == home.name).@count > 30",
      "SUBQUERY(home.items, $i, SUBQUERY($i.tags, $t, $t.name ENDSWITH \"4\").@count > 0)"
        + ".@count > 9",
      "objectID > 20", "objectID == 17", "objectID BETWEEN {5, 60}", "objectID IN {3, 400, 5}",
      "home == Category/2", "home != Category/2", "home IN {Category/1, Category/4, nil}",
      "home == Category/99", "SELF == Item/7", "ANY tags == Tag/3",
      "ALL tags != Tag/3", "NONE tags IN {Tag/1, Tag/2}", "home.objectID == 3",
      "entity.name == \"Task\"", "home.entity.name == nil", "extra.city == \"Kobe\"",
      "exact == 0.3", "title.length > 8", "\"誕生\" IN title", "\"e\" IN[cd] title",
      "ANY home.items.tags.name == \"tag2\"", "ALL home.children.name CONTAINS \"4\"",
      "day < now()", "count > 1 + 1", "3 > 2", "home.items.@max.price > 3.5",
      "home.items.@sum.count > -4", "ANY home.children.items.title ==[c] \"X\"",
    ])
  }

  private mutating func modifier() -> String { pick(["ANY", "ALL", "NONE", "SOME"]) }

  /// Returns a predicate about a category or a tag, usually about its items.
  mutating func ownerPredicate(_ entity: String) -> String {
    switch below(6) {
    case 0, 1: return "\(modifier()) \(comparison("items."))"
    case 2:
      return "SUBQUERY(items, $i, \(comparison("$i.")) AND \(comparison("$i."))).@count "
        + "\(order()) \(below(30))"
    case 3:
      return "items.@\(pick(["sum", "avg"])).\(pick(["count", "price"])) \(order()) \(number())"
    case 4:
      return "items.@\(pick(["min", "max"])).\(pick(["count", "price", "title"])) "
        + "\(pick(["==", "!="])) nil"
    default:
      return entity == "Tag"
        ? "\(modifier()) items.home.name ENDSWITH \"\(1 + below(7))\""
        : "\(modifier()) children.\(comparison("items."))"
    }
  }

  private mutating func order() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }
  private mutating func number() -> String {
    pick(["0", "2", "-3", "2.5", "-0.5", "5", "1e3", "YES"])
  }
  private mutating func text() -> String {
    "\""
      + pick([
        "誕生", "cafe", "CAFÉ", "が", "か", "ガ", "ss", "x", "", "9", "記念", "Private", "𠮷", "か*", ".a*",
        "C*f?", "caf", "*e*5", "?a*", "na", "*\\\\**", ".*誕.*", "[A-Z].*", ".*[0-9]+",
        "(x|C).*\\\\d",
        "[^a-c]*", "Å.{3,8}", ".*(生|g).?", "\\\\w*", ".*e{1,2}.*", "(Caf.)+.*",
      ])
      + "\""
  }
  private mutating func textOperator() -> String {
    pick(["==", "!=", "<", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"])
      + pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
  }
}

extension String {
  /// `kind IN {…}` needs texts in its list.
  fileprivate func replacingText(_ path: String, _ text: String) -> String {
    let key = dropFirst(path.count)
    guard !key.hasPrefix("count"), !key.hasPrefix("price") else { return self }
    return "\(path)\(key.prefix { $0 != " " }) IN {\(text), \"Office\", nil}"
  }
}
