import TestSupport

/// Generated predicates about the tasks of an example, with every operator and type.
struct ShownFetches {
  private var random: SeededNumbers

  init(seed: UInt64) { random = SeededNumbers(seed: seed) }

  mutating func predicate(depth: Int = 3) -> String {
    guard depth > 0, !random.oneIn(3) else { return comparison() }
    switch random.below(4) {
    case 0: return "NOT (\(predicate(depth: depth - 1)))"
    case 1: return "(\(predicate(depth: depth - 1)) OR \(predicate(depth: depth - 1)))"
    default: return "\(predicate(depth: depth - 1)) AND \(comparison())"
    }
  }

  private mutating func comparison() -> String {
    switch random.below(9) {
    case 0, 1: return texts(of: "title")
    case 2: return numbers()
    case 3: return "completed == \(random.pick(["YES", "NO"]))"
    case 4: return dates()
    case 5: return "\(random.pick(["ANY", "ALL", "NONE"])) \(texts(of: "tags.name"))"
    case 6:
      return "SUBQUERY(tags, $t, \(texts(of: "$t.name")) AND $t.tasks.@count \(order()) 1).@count"
        + " \(order()) \(random.below(3))"
    case 7: return random.pick(["TRUEPREDICATE", "FALSEPREDICATE", "tags.@count == 0"])
    default: return "priority IN {\(random.below(4)), \(random.below(4))}"
    }
  }

  private mutating func order() -> String { random.pick(["==", "!=", "<", "<=", ">", ">="]) }

  private mutating func texts(of key: String) -> String {
    let text = random.pick(["会", "切手を買う", "家族", "の", "", "a\\\"b", "100%", "仕事"])
    if random.oneIn(4) { return "\(key) \(random.pick(["==", "!="])) \"\(text)\"" }
    if random.oneIn(5) { return "\(key) LIKE \"*\(text)*\"" }
    let options = random.pick(["", "", "[c]", "[cd]"])
    let name = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"])
    return "\(key) \(name)\(options) \"\(text)\""
  }

  private mutating func numbers() -> String {
    let left = random.pick([
      "priority", "tags.@count", "priority * 2", "priority + tags.@count", "-priority",
      "abs(priority - 2)",
      "length(title)",
    ])
    if random.oneIn(5) { return "\(left) BETWEEN {\(random.below(3)), \(random.below(6))}" }
    return "\(left) \(order()) \(random.below(4))"
  }

  private mutating func dates() -> String {
    let date = "\"\(random.pick(["2025-12-19", "2025-12-28", "2026-01-01", "2026-03-16"]))\""
    switch random.below(4) {
    case 0: return "dueDate \(random.pick(["==", "!="])) nil"
    case 1: return "dueDate BETWEEN {\"2025-12-01\", \(date)}"
    default: return "dueDate \(order()) \(date)"
    }
  }
}
