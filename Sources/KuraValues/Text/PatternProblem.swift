/// Common mistakes in a regular expression that the engine rejected, with the place to fix.
///
/// The engine reports where it noticed the mistake; for an unmatched bracket, that is the end.
struct PatternProblem {
  /// A mistake with a place of its own.
  enum Mistake {
    case backslashAtEnd, unclosedSet, unclosedGroup, closesNothing, nothingToRepeat
    case badInterval, backwardRange
  }

  private let units: [Unicode.Scalar]
  private var open: [Int] = []
  private var setStart: Int?
  private var found: (mistake: Mistake, offset: Int)?

  /// Returns the first mistake in a pattern.
  static func first(in pattern: String) -> (mistake: Mistake, offset: Int)? {
    var problem = PatternProblem(units: Array(pattern.unicodeScalars))
    problem.scan()
    return problem.found
  }

  private init(units: [Unicode.Scalar]) { self.units = units }

  private mutating func scan() {
    var i = 0
    while i < units.count, found == nil {
      if units[i] == "\\" {
        if i + 1 == units.count { found = (.backslashAtEnd, i) }
        i += 2
        continue
      }
      setStart == nil ? scanOutside(i) : scanSet(i)
      i += 1
    }
    if found != nil { return }
    if let setStart {
      found = (.unclosedSet, setStart)
    } else if let last = open.last {
      found = (.unclosedGroup, last)
    }
  }

  private mutating func scanOutside(_ i: Int) {
    switch units[i] {
    case "(": open.append(i)
    case ")": if open.popLast() == nil { found = (.closesNothing, i) }
    case "[": setStart = i
    case "*", "+", "?": if !canRepeat(before: i) { found = (.nothingToRepeat, i) }
    case "{": if !canRepeat(before: i) || !isInterval(i) { found = (.badInterval, i) }
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
      if isRange, low.value > high.value { found = (.backwardRange, i - 1) }
    default: break
    }
  }

  private func canRepeat(before i: Int) -> Bool {
    guard i > 0 else { return false }
    if i > 1, units[i - 2] == "\\" { return true }
    switch units[i - 1] {
    case "|": return false
    // `(?:` and similar are not repetitions.
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

extension PatternProblem.Mistake {
  /// The engine's kind for the mistake.
  var kind: PatternRefusal.Kind {
    switch self {
    case .backslashAtEnd: .escape
    case .unclosedSet: .bracket
    case .unclosedGroup, .closesNothing: .parenthesis
    case .nothingToRepeat: .syntax
    case .badInterval: .interval
    case .backwardRange: .range
    }
  }

  /// A description of the mistake, relative to its place.
  var reason: String {
    switch self {
    case .backslashAtEnd: "a backslash at the end"
    case .unclosedSet: "missing ] for this ["
    case .unclosedGroup: "missing ) for this ("
    case .closesNothing: "missing ( for this )"
    case .nothingToRepeat: "nothing to repeat"
    case .badInterval: "bad { } interval"
    case .backwardRange: "range out of order"
    }
  }
}

/// The engine's reason for rejecting a regular expression.
struct PatternRefusal: Error {
  /// The reasons of the engine.
  enum Kind: Hashable {
    case syntax, escape, property, unimplemented, parenthesis, number, interval, intervalOrder
    case backReference, flag, lookBehind, bracket, range, size, groupName, characterName
    /// Another reason, with the engine's name for it.
    case other(String)
  }

  /// The reason; nil if the engine does not report it.
  var kind: Kind?
  /// The line in the pattern and the number of characters read in it, starting at 1.
  var place: (line: Int, column: Int)?
}

extension PatternRefusal.Kind {
  /// A description of the reason.
  var reason: String {
    switch self {
    case .syntax: "syntax error"
    case .escape: "bad escape sequence"
    case .property: "unknown character property or class"
    case .unimplemented: "the engine does not support this"
    case .parenthesis: "( and ) do not match"
    case .number: "number too large"
    case .interval: "bad { } interval"
    case .intervalOrder: "m is greater than n in {m,n}"
    case .backReference: "back reference to a group that does not exist"
    case .flag: "unknown flag"
    case .lookBehind: "a look-behind must have a limited length"
    case .bracket: "[ without ]"
    case .range: "range out of order"
    case .size: "the pattern is too large"
    case .groupName: "invalid group name"
    case .characterName: "unknown character name"
    case .other(let name): "the engine failed with \(name)"
    }
  }
}

extension PatternRefusal {
  /// Returns the error, with the place as an offset in scalars of the pattern.
  func error(in pattern: String) -> ValueError {
    if let (mistake, offset) = PatternProblem.first(in: pattern),
      kind == nil || kind == mistake.kind
    {
      return .badPattern(reason: mistake.reason, offset: offset)
    }
    return .badPattern(reason: kind?.reason ?? "syntax error", offset: offset(in: pattern))
  }

  private func offset(in pattern: String) -> Int? {
    guard let place else { return nil }
    let scalars = Array(pattern.unicodeScalars)
    var start = 0
    var line = 1
    while line < place.line, start < scalars.count {
      let scalar = scalars[start]
      start += 1
      let isPair = scalar == "\r" && start < scalars.count && scalars[start] == "\n"
      if Self.lineEnds.contains(scalar), !isPair { line += 1 }
    }
    return min(start + max(0, place.column - 1), scalars.count)
  }

  private static let lineEnds: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}"]
}
