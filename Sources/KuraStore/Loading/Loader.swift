import KuraDiagnostics
import KuraJSON

/// Reads an input from its start: values one after the other, rows into builders.
///
/// Every step either is done or goes back to its start when the window ends in its middle; then
/// the window is filled and the step is done again.
struct Loader {
  let window: InputWindow
  var scanner: Scanner
  /// When a second thread helps with the rows of an array.
  var sharing: SharingPace

  init(_ window: InputWindow, sharing: Sharing = .none) throws(LoadFailure) {
    self.window = window
    scanner = Scanner(window)
    self.sharing = SharingPace(sharing)
    // Enough to see a byte order mark.
    while !window.isAtEnd, scanner.end - scanner.p < 4 { try refill() }
    skipByteOrderMark()
  }
}

/// Why an input could not be loaded.
enum LoadFailure: Error {
  /// The system could not read.
  case input(InputError)
  /// It is not JSON, at an offset.
  case syntax(JSONSyntaxError)
  /// Places in a store's document break the rules of its format or model.
  case diagnostics([Diagnostic])
  /// What was taken for plain JSON has `"format": "kura/…"` behind other keys.
  case isStore
}

extension Loader {
  /// A loader of a file's bytes from an offset on, at which a row begins.
  init(_ window: InputWindow, at offset: Int) throws(LoadFailure) {
    self.window = window
    scanner = Scanner(window)
    sharing = SharingPace(.none)
    try move(to: offset)
  }

  /// Goes to an offset of a regular file.
  mutating func move(to offset: Int) throws(LoadFailure) {
    window.move(to: offset)
    scanner.p = UnsafePointer(window.start)
    try refill()
  }

  /// Fills the window with the byte at the scanner's place first.
  mutating func refill() throws(LoadFailure) {
    do {
      let place = try window.refill(keeping: scanner.p)
      scanner.p = place
      scanner.end = UnsafePointer(window.end)
    } catch {
      throw .input(error)
    }
  }

  /// Does a step until it is done.
  mutating func finish(_ step: (inout Scanner) -> ScanStatus) throws(LoadFailure) {
    while true {
      let start = scanner.p
      switch step(&scanner) {
      case .done: return
      case .failed: throw .syntax(fault)
      case .needsMore:
        scanner.p = start
        try needMore()
      }
    }
  }

  /// Fills the window, or fails where the input ends too early.
  mutating func needMore() throws(LoadFailure) {
    guard !window.isAtEnd else { throw .syntax(unexpectedEnd) }
    try refill()
  }

  var fault: JSONSyntaxError {
    if isCutOff { return unexpectedEnd }
    return JSONSyntaxError(
      scanner.fault ?? .trailing, at: window.offset(of: scanner.faultPlace))
  }

  /// Whether what failed is where the input ends, or a word that its end cuts.
  private var isCutOff: Bool {
    guard window.isAtEnd else { return false }
    // The last byte is the line feed that the window put there.
    let last = UnsafePointer(window.end) - 1
    var word = scanner
    word.p = scanner.faultPlace
    return scanner.faultPlace >= last || word.isCutWord(before: last)
  }

  /// The place is behind the last byte that is no blank.
  var unexpectedEnd: JSONSyntaxError {
    var place = UnsafePointer(window.end)
    while place > UnsafePointer(window.start), place[-1] <= 0x20 { place -= 1 }
    return JSONSyntaxError(.unexpectedEnd(expected: .value), at: window.offset(of: place))
  }

  /// Goes to the next byte that is no blank; false at the end of the input.
  mutating func skipToValue() throws(LoadFailure) -> Bool {
    while true {
      scanner.skipBlanks()
      if scanner.p < scanner.end { return true }
      if window.isAtEnd { return false }
      try refill()
    }
  }

  mutating func skipByteOrderMark() {
    if scanner.p[0] == 0xEF, scanner.p[1] == 0xBB, scanner.p[2] == 0xBF { scanner.p += 3 }
  }
}

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
