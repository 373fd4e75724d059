/// Why the engine does not take a regular expression.
struct PatternRefusal: Error {
  /// The engine's reasons.
  enum Kind: Hashable {
    case syntax, escape, property, unimplemented, parenthesis, number, interval, intervalOrder
    case backReference, flag, lookBehind, bracket, range, size, groupName, characterName
    /// One without words of its own: its name.
    case other(String)
  }

  /// Nil if the engine keeps it to itself.
  var kind: Kind?
  /// The line of the pattern and the number of characters that were read of it, from one.
  var place: (line: Int, column: Int)?
}

extension PatternRefusal.Kind {
  /// The reason in words.
  var reason: String {
    switch self {
    case .syntax: "syntax error"
    case .escape: "bad escape sequence"
    case .property: "unknown property or class of characters"
    case .unimplemented: "the engine does not have this"
    case .parenthesis: "( and ) do not match"
    case .number: "number too large"
    case .interval: "bad { } interval"
    case .intervalOrder: "an interval {m,n} whose m is above n"
    case .backReference: "there is no such group to refer back to"
    case .flag: "unknown flag"
    case .lookBehind: "a look-behind must have a limited length"
    case .bracket: "[ without ]"
    case .range: "this range runs backwards"
    case .size: "the pattern is too large"
    case .groupName: "no name of a group"
    case .characterName: "unknown name of a character"
    case .other(let name): "the engine gave up, \(name)"
    }
  }
}

extension PatternRefusal {
  /// The error, with the place as an offset into the pattern's scalars.
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
