/// The keys that the user's `.editrc` binds. libedit handles them, so they are passed to it.
struct UserBindings {
  /// The keys as a terminal sends them.
  private(set) var keys: Set<String> = []

  /// Reads the lines of an `.editrc`; lines that are not bindings are skipped.
  ///
  ///     bind "^X^R" em-toggle-overwrite
  ///     kura:bind -s \e[15~ "fetch "
  init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      var words = Self.words(line)[...]
      guard let first = words.popFirst(), Self.isBind(first) else { continue }
      let key = words.first { !($0.hasPrefix("-") && $0.count == 2) }
      if let key { keys.insert(Self.sent(by: key)) }
    }
  }

  /// Whether one of them begins with a character or Enter; then libedit must receive each of these.
  var beginWithCharacters: Bool {
    keys.contains { key in
      key == "\r" || key == "\n"
        || key.unicodeScalars.first.map { $0.value >= 0x20 && $0.value != 0x7F } ?? false
    }
  }

  private static func isBind(_ word: String) -> Bool {
    word == "bind" || word.hasSuffix(":bind")
  }

  /// Splits a line at blanks, except in quotes.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var rest = line.drop(while: \.isWhitespace)
    while let first = rest.first, first != "#" {
      let isQuoted = first == "\"" || first == "'"
      if isQuoted { rest.removeFirst() }
      let word = rest.prefix { isQuoted ? $0 != first : !$0.isWhitespace }
      words.append(String(word))
      rest = rest.dropFirst(word.count + (isQuoted ? 1 : 0)).drop(while: \.isWhitespace)
    }
    return words
  }

  /// Returns what a key sends that is written `^A`, `\e[A`, `\033[A`.
  static func sent(by key: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = Array(key.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "^":
        guard let next = rest.popFirst() else { break }
        result.append(next == "?" ? "\u{7F}" : Unicode.Scalar(UInt8(next.value & 0x1F)))
      case "\\": result.append(escaped(&rest))
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func escaped(_ rest: inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar {
    let digits = rest.prefix(3).prefix { ("0"..."7").contains($0) }
    if let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 8) {
      rest = rest.dropFirst(digits.count)
      return Unicode.Scalar(code) ?? "\u{FFFD}"
    }
    switch rest.popFirst() {
    case "e", "E": return "\u{1B}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "a": return "\u{7}"
    case "b": return "\u{8}"
    case let other: return other ?? "\\"
    }
  }
}
