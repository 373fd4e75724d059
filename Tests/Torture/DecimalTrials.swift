import TestSupport

extension Trial {
  /// Integral decimals near the limit of 38 digits, computed in every way, and compared with wide
  /// integers.
  static let decimals = Trial(
    "decimals",
    "decimal arithmetic keeps all digits before the point, or is an error, in every statement",
    rounds: 20
  ) { numbers, ground in
    var walk = try DecimalWalk(&numbers, ground)
    try walk.checkPairs()
    try walk.checkSums(&numbers)
    try walk.checkSaved()
  }
}

/// A number of up to 38 digits.
private struct Whole: Equatable {
  var isNegative = false
  var magnitude: UInt128

  /// The first number with 39 digits.
  static let limit = (0..<38).reduce(UInt128(1)) { power, _ in power * 10 }

  init?(_ magnitude: UInt128, isNegative: Bool) {
    guard magnitude < Self.limit else { return nil }
    (self.magnitude, self.isNegative) = (magnitude, isNegative && magnitude != 0)
  }

  init(_ numbers: inout SeededNumbers) {
    isNegative = numbers.flip()
    let isNear = numbers.flip()
    magnitude = (0..<numbers.pick([1, 19, 20, 37, 38, 38])).reduce(0) { magnitude, _ in
      magnitude * 10 + UInt128(isNear ? 9 : numbers.below(10))
    }
    if magnitude == 0 { isNegative = false }
  }

  var text: String { (isNegative ? "-" : "") + "\(magnitude)" }

  /// Nil if the sum has more digits.
  static func + (a: Whole, b: Whole) -> Whole? {
    if a.isNegative == b.isNegative {
      return Whole(a.magnitude + b.magnitude, isNegative: a.isNegative)
    }
    return a.magnitude >= b.magnitude
      ? Whole(a.magnitude - b.magnitude, isNegative: a.isNegative)
      : Whole(b.magnitude - a.magnitude, isNegative: b.isNegative)
  }

  static prefix func - (a: Whole) -> Whole {
    var a = a
    a.isNegative = a.magnitude != 0 && !a.isNegative
    return a
  }

  static func * (a: Whole, b: Whole) -> Whole? {
    let product = a.magnitude.multipliedFullWidth(by: b.magnitude)
    return product.high == 0
      ? Whole(product.low, isNegative: a.isNegative != b.isNegative) : nil
  }
}

/// Objects with two decimals each.
private struct DecimalWalk {
  private let ground: TrialFolder
  private let sitting: ShellSession
  private var pairs: [(d: Whole, e: Whole)]

  init(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    self.ground = ground
    sitting = try ShellSession(ground, "s.json")
    pairs = []
    for _ in 0..<numbers.below(8) + 2 { pairs.append((Whole(&numbers), Whole(&numbers))) }
    try sitting.must("entity A { d: decimal?; e: decimal? }\n.mode csv")
    for (d, e) in pairs { try sitting.must("insert A d = \(d.text), e = \(e.text)") }
  }

  /// Checks each operation with the evaluator, in a fetch, and in a condition.
  func checkPairs() throws {
    for (i, pair) in pairs.enumerated() {
      let object = "A/\(i + 1)"
      let results: [(String, Whole?)] = [
        ("+", pair.d + pair.e), ("-", pair.d + -pair.e), ("*", pair.d * pair.e),
      ]
      for (sign, result) in results {
        try check("print \(object).d \(sign) \(object).e", result)
        try check(
          "print \(pair.d.text) \(sign) CAST(\"\(pair.e.text)\", \"NSDecimalNumber\")", result)
        try check("fetch A select d \(sign) e as x where objectID == \(i + 1)", result)
        guard let result else { continue }
        let found = try sitting.must(
          "count A where objectID == \(i + 1) AND d \(sign) e == \(result.text)")
        try hold(found == "1\n", "\(object): d \(sign) e == \(result.text) of \(pair): \(found)")
      }
    }
  }

  /// Checks sums in several orders: an intermediate sum that is too large is not an error.
  mutating func checkSums(_ numbers: inout SeededNumbers) throws {
    let exact = Self.sum(pairs.map(\.d))
    for ask in ["fetch A select sum(d) as x", "print sum((fetch A).d)", "print (fetch A).@sum.d"] {
      try check(ask, exact)
    }
    var rest = pairs.map(\.d.text)
    var terms: [String] = []
    while !rest.isEmpty { terms.append(rest.remove(at: numbers.below(rest.count))) }
    let list = terms.map { "CAST(\"\($0)\", \"NSDecimalNumber\")" }.joined(separator: ", ")
    try check("print sum({\(list)})", exact)
  }

  /// Returns the sum of positive and negative numbers, alternating signs to keep it small.
  private static func sum(_ numbers: [Whole]) -> Whole? {
    var rest = (negative: numbers.filter(\.isNegative), others: numbers.filter { !$0.isNegative })
    var sum = Whole(0, isNegative: false)
    while let present = sum,
      let next = present.isNegative
        ? rest.others.popLast() ?? rest.negative.popLast()
        : rest.negative.popLast() ?? rest.others.popLast()
    {
      sum = present + next
    }
    return sum
  }

  /// Checks that the results of updates are the same in the file; an impossible result is refused.
  mutating func checkSaved() throws {
    for i in pairs.indices {
      let (isDone, said) = sitting.run("update A/\(i + 1) set d = d + e")
      let sum = pairs[i].d + pairs[i].e
      try hold(isDone == (sum != nil), "update of \(pairs[i]): \(said)")
      pairs[i].d = sum ?? pairs[i].d
    }
    try sitting.must("save")
    let again = try ShellSession(ground, "s.json", isReadOnly: true)
    try again.must(".mode csv")
    for (i, pair) in pairs.enumerated() {
      let found = try again.must("fetch A select d as x where objectID == \(i + 1)")
      try hold(found == "x\n\(pair.d.text)\n", "A/\(i + 1).d is \(found), but was \(pair.d.text)")
    }
  }

  private func check(_ question: String, _ wanted: Whole?) throws {
    let (isDone, said) = sitting.run(question)
    guard let wanted else {
      return try hold(!isDone && said.contains("too large"), "\(question) is not an error: \(said)")
    }
    let found = said.split(separator: "\n").last.map(String.init)
    try hold(isDone && found == wanted.text, "\(question) should be \(wanted.text), not \(said)")
  }
}
