import KuraBytes

/// What an object at the top of an input is the beginning of.
enum TopObject {
  /// A store's document: its first key is `"format"`, with `"kura/…"`.
  case store
  /// Other values follow it.
  case lines
  /// The only value.
  case object
}

extension Loader {
  /// Looks at the object that begins here, as far as the window reaches, and stays where it is.
  mutating func lookAhead() throws(LoadFailure) -> TopObject {
    var ahead = scanner
    if Loader.isFormat(&ahead) { return .store }
    ahead = scanner
    while true {
      switch ahead.skipValue() {
      case .done: return try somethingFollows(&ahead) ? .lines : .object
      case .failed:
        scanner = ahead
        throw .syntax(fault)
      case .needsMore:
        // Larger than a window: its own keys say what it is.
        return .object
      }
    }
  }

  private mutating func somethingFollows(_ ahead: inout Scanner) throws(LoadFailure) -> Bool {
    while true {
      ahead.skipBlanks()
      if ahead.p < ahead.end { return true }
      if window.isAtEnd { return false }
      let distance = ahead.p - scanner.p
      try refill()
      ahead.p = scanner.p + distance
      ahead.end = scanner.end
    }
  }

  /// Whether the object's first key is `"format"` and its value begins with `kura/`.
  private static func isFormat(_ scanner: inout Scanner) -> Bool {
    scanner.p += 1
    scanner.skipBlanks()
    guard scanner.p.pointee == 0x22, scanner.checkedString() == .done,
      scanner.tokenText == "format",
      scanner.colon() == .done
    else { return false }
    scanner.skipBlanks()
    guard scanner.p.pointee == 0x22, scanner.checkedString() == .done else { return false }
    return scanner.tokenText.hasPrefix("kura/")
  }

  /// The same input with the scanner at its first value; the window still has it whole.
  func atStart() -> Loader {
    var copy = self
    copy.scanner = Scanner(window)
    copy.skipByteOrderMark()
    copy.scanner.skipBlanks()
    return copy
  }

  var trailing: JSONSyntaxError { JSONSyntaxError(.trailing, at: window.offset(of: scanner.p)) }
}
