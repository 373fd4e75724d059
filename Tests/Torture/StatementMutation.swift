import TestSupport

/// Slightly damages statements: words are removed, repeated, exchanged or moved.
struct StatementMutation {
  private static let strangers = [
    "(", ")", "{", "}", "[", "]", "\"", "'", ",", ";", ":", ".", "/", "\\", "-", "--", "#", "#\"",
    "$", "$v", "%@",
    "@", "@count", "SELF", "where", "set", "all", "select", "sort", "fetch", "AND", "NOT", "==",
    "NULL", "0", "-1",
    "9999999999999999999999", "1e400", "\u{0}", "\u{7F}", "\u{1B}", "\u{FEFF}", "\u{202E}",
    "\u{301}", "\u{2028}",
    "\n", "\n\n", "\r", "\t", "　", "；", "“", "家", "🙂", "\u{10FFFF}", "SUBQUERY(", "TERNARY(",
    "CAST(", "ANY", "IN",
  ]

  /// Words that could access something outside the ground are not used.
  private static let forbidden = ["output", "once", ".read", ".open", "random"]

  static func broken(_ text: String, _ numbers: inout SeededNumbers) -> String {
    var words = words(of: text)
    for _ in 0..<(1 + numbers.below(3)) where !words.isEmpty {
      let place = numbers.below(words.count)
      switch numbers.below(8) {
      case 0: words.remove(at: place)
      case 1: words.insert(words[place], at: place)
      case 2: words.swapAt(place, numbers.below(words.count))
      case 3: words[place] = numbers.pick(strangers)
      case 4: words.insert(numbers.pick(strangers), at: place)
      case 5: words.removeSubrange(place...)
      case 6: words[place] = String(words[place].dropLast())
      default:
        let count = numbers.pick([2, 20, 300])
        words.insert(String(repeating: numbers.pick(strangers), count: count), at: place)
      }
    }
    let result = words.joined()
    return forbidden.contains(where: result.lowercased().contains) ? text : result
  }

  private static func words(of text: String) -> [String] {
    text.matches(of: /"(?:[^"\\]|\\.)*"|[\p{L}\p{N}_]+|\s+|./).map { String($0.output) }
  }
}
