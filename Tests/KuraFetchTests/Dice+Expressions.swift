@testable import KuraFetch

/// Numbers and dates that are computed from an item's keys.
extension Dice {
  mutating func computedComparison() -> String {
    switch below(11) {
    case 9: return "\(list()) \(order()) \(chance(0.5) ? number(1) : list())"
    case 10:
      let dates = "{\(moment(1)), \(moment(2))\(pick(["", ", nil"]))}"
      return "\(pick(["max", "min"]))(\(dates)) \(order()) \(moment(1))"
    case 8: return "\(pick(["count(tags)", "min(home.items.price)"])) \(order()) \(number(1))"
    case 0: return "\(moment(2)) \(order()) \(moment(2))"
    case 1: return "\(number(3)) BETWEEN {\(constant()), \(constant())}"
    case 2: return "\(number(3)) IN {\(constant()), \(constant()), nil, \(constant())}"
    case 3: return "\(number(2)) \(order()) \(pick(["nil", "exact", "YES"]))"
    default: return "\(number(3)) \(order()) \(number(2))"
    }
  }

  /// Returns a function of several numbers; in a `select` it would aggregate all objects.
  private mutating func list() -> String {
    let (a, b) = (number(2), number(2))
    let list = pick(["{\(a), \(b)}", "{\(a), \(b), nil, 2}", "{\(a)}", "{nil, \(a), \(b)}"])
    return "\(pick(["max", "min", "sum", "average"]))(\(list))"
  }

  /// The operands of a number.
  private var leaves: [String] {
    [
      "count", "price", "serial", "done", "length(title)", "title.length",
      "length(lowercase(kind))",
      "tags.@count", "tags.count",
    ]
  }

  /// Numbers along a path.
  private var paths: [String] {
    [
      "home.items.@count", "home.items.@sum.count", "home.items.@avg.price",
      "home.items.@sum.price",
      "home.items.@max.serial",
      "home.items.@avg.count", "length(home.parent.name)", "length(tags.@max.name)",
      "SUBQUERY(tags, $t, $t.name > \"tag2\").@count", "year(home.items.@max.day)",
      "SUBQUERY(home.items, $i, $i.count > 2).@count", "home.parent.items.@min.count",
      "home.items.@sum.(count * 2 + length(title))", "home.items.@max.(price - count)",
      "home.items.@avg.(TERNARY(done == YES, count, nil))",
      "max(SUBQUERY(home.items, $i, $i.count > 2).(serial + tags.@count))",
      "tags.@min.(length(name))",
    ]
  }

  private mutating func order() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

  private mutating func constant() -> String {
    pick([
      "0", "1", "2", "-3", "0.5", "2.5", "7", "1e3", "NO", "9007199254740993", "-9007199254740993",
      "9223372036854775802", "1e300", "0x7F",
    ])
  }

  /// Returns a number such as `(count + 2) * price`.
  mutating func number(_ depth: Int) -> String {
    if depth == 0 || chance(0.25) {
      return chance(0.3) ? constant() : chance(0.2) ? pick(paths) : pick(leaves)
    }
    let (a, b) = (number(depth - 1), number(depth - 1))
    switch below(9) {
    case 0...2: return "(\(a) \(pick(["+", "-", "*", "/", "**"])) \(b))"
    case 3: return "(\(integer()) \(pick(["&", "|", "^", "<<", ">>"])) \(integer()))"
    case 4:
      let function = pick(["abs", "ceiling", "floor", "trunc", "round", "sqrt", "ln", "log", "exp"])
      return "\(function)(\(a))"
    case 5: return pick(["modulus:by:(\(a), \(b))", "(-(\(a)))", "(~\(integer()))"])
    case 6: return pick(["coalesce(\(a), \(b))", "coalesce(\(a), \(b), 1)", "length(kind)"])
    case 7: return "TERNARY(\(condition()), \(a), \(b))"
    default:
      let part = pick(["year", "month", "day", "hour", "minute", "second", "weekday"])
      let unit = pick(["year", "months", "weeks", "day", "hours", "minute", "second"])
      switch below(6) {
      case 0: return "daysBetween(\(moment(1)), \(moment(1)))"
      case 1: return "timeBetween(\(moment(1)), \(moment(1)), \"\(unit)\")"
      default: return "\(part)(\(moment(1)))"
      }
    }
  }

  private mutating func integer() -> String { pick(["count", "serial", "3", "64", "-1", "done"]) }

  private mutating func moment(_ depth: Int) -> String {
    switch below(depth > 0 ? 6 : 2) {
    case 0, 1: "day"
    case 5:
      "dateByAdding(\(moment(depth - 1)), \(pick(["1", "-13", "count", "serial", "99999"])), "
        + "\"\(pick(["year", "months", "week", "day", "days", "hour", "minute", "seconds"]))\")"
    case 2: "startOfDay(\(moment(depth - 1)))"
    case 3: "coalesce(\(moment(depth - 1)), date(\"1999-12-31 23:30\"))"
    default: "TERNARY(\(condition()), \(moment(depth - 1)), \(moment(depth - 1)))"
    }
  }

  private mutating func condition() -> String {
    pick([
      "count > 2", "price == nil", "NOT count < 0", "kind == \"x\" OR done == YES",
      "count * 2 > price", "title CONTAINS \"誕\" AND price > 1", "exact > 0.1",
    ])
  }
}
