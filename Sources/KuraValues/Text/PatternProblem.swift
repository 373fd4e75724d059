/// What is wrong with a regular expression that the engine refused.
///
/// Foundation does not pass ICU's reason on, so the usual mistakes are looked for here, and named
/// in ICU's terms.
struct PatternProblem {
  private let units: [Unicode.Scalar]
  private var open: [Int] = []
  private var setStart: Int?
  private var found: (reason: String, offset: Int)?

  /// The error of a pattern that was refused.
  static func error(in pattern: String) -> ValueError {
    var problem = PatternProblem(units: Array(pattern.unicodeScalars))
    problem.scan()
    return .badPattern(
      reason: problem.found?.reason ?? "syntax error", offset: problem.found?.offset)
  }

  private init(units: [Unicode.Scalar]) { self.units = units }

  private mutating func scan() {
    var i = 0
    while i < units.count, found == nil {
      if units[i] == "\\" {
        if i + 1 == units.count { found = ("a backslash at the end", i) }
        i += 2
        continue
      }
      setStart == nil ? scanOutside(i) : scanSet(i)
      i += 1
    }
    if found != nil { return }
    if let setStart {
      found = ("missing ] for this [", setStart)
    } else if let last = open.last {
      found = ("missing ) for this (", last)
    }
  }

  private mutating func scanOutside(_ i: Int) {
    switch units[i] {
    case "(": open.append(i)
    case ")": if open.popLast() == nil { found = ("this ) closes nothing", i) }
    case "[": setStart = i
    case "*", "+", "?": if !canRepeat(before: i) { found = ("nothing to repeat", i) }
    case "{": if !canRepeat(before: i) || !isInterval(i) { found = ("bad { } interval", i) }
    default: break
    }
  }

  private mutating func scanSet(_ i: Int) {
    guard let start = setStart else { return }
    switch units[i] {
    case "]" where i > start + 1: setStart = nil
    case "-" where i > start + 1 && i + 1 < units.count:
      let (low, high) = (units[i - 1], units[i + 1])
      let isRange = high != "]" && high != "\\" && low != "["
      if isRange, low.value > high.value { found = ("this range runs backwards", i - 1) }
    default: break
    }
  }

  private func canRepeat(before i: Int) -> Bool {
    guard i > 0 else { return false }
    if i > 1, units[i - 2] == "\\" { return true }
    switch units[i - 1] {
    case "|": return false
    // `(?:` and its like are no repetition.
    case "(": return units[i] == "?"
    default: return true
    }
  }

  private func isInterval(_ start: Int) -> Bool {
    guard let end = units[start...].firstIndex(of: "}") else { return false }
    let inside = units[(start + 1)..<end]
    return inside.first.map { ("0"..."9").contains($0) } == true
      && inside.allSatisfy { ("0"..."9").contains($0) || $0 == "," }
  }
}
