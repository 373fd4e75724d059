import KuraDiagnostics
import KuraJSON

/// Reads an input from its start: values one after the other, rows into builders.
///
/// A step that reaches the end of the window returns to its start. Then the window is filled, and the step is repeated.
struct Loader {
  let window: InputWindow
  var scanner: Scanner
  /// Decides when other threads help with the rows of an array.
  var parallelReading: ParallelReadingPace

  init(_ window: InputWindow, parallelReading: ParallelReading = .none) throws(LoadFailure) {
    self.window = window
    scanner = Scanner(window)
    self.parallelReading = ParallelReadingPace(parallelReading)
    // Enough bytes to detect a byte order mark.
    while !window.isAtEnd, scanner.end - scanner.p < 4 { try refill() }
    skipByteOrderMark()
  }
}

/// A reason why an input could not be loaded.
enum LoadFailure: Error {
  /// The system could not read.
  case input(FileError)
  /// It is not JSON, at an offset.
  case syntax(JSONSyntaxError)
  /// The document breaks the rules of its format or model in these places.
  case diagnostics([Diagnostic])
  /// The input was read as plain JSON but has `"format": "kura/…"` after other keys.
  case isStore

  /// Returns the failure for one problem; without a span it concerns the whole input.
  static func problem(_ facts: StoreProblem, at span: SourceSpan? = nil) -> LoadFailure {
    .diagnostics([Diagnostic(facts, at: span)])
  }
}

extension Loader {
  /// Creates a loader of a file's bytes from an offset on, at which a row begins.
  init(_ window: InputWindow, at offset: Int) throws(LoadFailure) {
    self.window = window
    scanner = Scanner(window)
    parallelReading = ParallelReadingPace(.none)
    try move(to: offset)
  }

  /// Moves to an offset of a regular file.
  mutating func move(to offset: Int) throws(LoadFailure) {
    window.move(to: offset)
    scanner.p = UnsafePointer(window.start)
    try refill()
  }

  /// Fills the window, so that it begins with the byte at the scanner's place.
  mutating func refill() throws(LoadFailure) {
    do {
      let place = try window.refill(keeping: scanner.p)
      scanner.p = place
      scanner.end = UnsafePointer(window.end)
    } catch {
      throw .input(error)
    }
  }

  /// Repeats a step until it is complete.
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

  /// Fills the window, or fails if the input ends too early.
  mutating func needMore() throws(LoadFailure) {
    guard !window.isAtEnd else { throw .syntax(unexpectedEnd) }
    try refill()
  }

  var fault: JSONSyntaxError {
    if isCutOff { return unexpectedEnd }
    return JSONSyntaxError(
      scanner.fault ?? .trailing, at: window.offset(of: scanner.faultPlace))
  }

  /// Whether the failure is at the end of the input, or in a word that the end cuts.
  private var isCutOff: Bool {
    guard window.isAtEnd else { return false }
    // The last byte is the line feed that the window added.
    let last = UnsafePointer(window.end) - 1
    var word = scanner
    word.p = scanner.faultPlace
    return scanner.faultPlace >= last || word.isCutWord(before: last)
  }

  /// The error of an early end, at the place after the last byte that is not whitespace.
  var unexpectedEnd: JSONSyntaxError {
    var place = UnsafePointer(window.end)
    while place > UnsafePointer(window.start), place[-1] <= 0x20 { place -= 1 }
    return JSONSyntaxError(.unexpectedEnd(expected: .value), at: window.offset(of: place))
  }

  /// Moves to the next byte that is not whitespace; returns false at the end of the input.
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

/// The kind of the object at the top of an input.
enum TopObject {
  /// A store's document: its first key is `"format"`, with `"kura/…"`.
  case store
  /// The first of several values.
  case lines
  /// The only value.
  case object
}

extension Loader {
  /// Determines the kind of the object at the scanner, as far as the window reaches, without moving.
  mutating func lookAhead() throws(LoadFailure) -> TopObject {
    var ahead = scanner
    if Loader.isFormat(&ahead) { return .store }
    ahead = scanner
    switch ahead.skipValue() {
    case .done: return try somethingFollows(&ahead) ? .lines : .object
    case .failed:
      scanner = ahead
      throw .syntax(fault)
    case .needsMore:
      // The object is larger than a window: its own keys decide.
      return .object
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

  /// Returns whether the object's first key is `"format"` and its value begins with `kura/`.
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

  /// Returns a loader at the first value of the same input, which must be in the window completely.
  func atStart() -> Loader {
    var copy = self
    copy.scanner = Scanner(window)
    copy.skipByteOrderMark()
    copy.scanner.skipBlanks()
    return copy
  }

  var trailing: JSONSyntaxError { JSONSyntaxError(.trailing, at: window.offset(of: scanner.p)) }

  /// Calls `element` at each element of the array that begins here; `element` moves the scanner past it.
  mutating func array(_ element: (inout Loader) throws(LoadFailure) -> Void) throws(LoadFailure) {
    scanner.p += 1
    guard try peek() != 0x5D else {
      scanner.p += 1
      return
    }
    while true {
      try element(&self)
      switch try peek() {
      case 0x2C:
        scanner.p += 1
        _ = try peek()
      case 0x5D:
        scanner.p += 1
        return
      default: throw failure(.commaOrArrayEnd)
      }
    }
  }

  /// Calls `member` after each key of the object that begins here.
  mutating func object(
    keepsLast: Bool = false,
    _ member: (inout Loader, _ key: String, _ keyOffset: Int) throws(LoadFailure) -> Void
  ) throws(LoadFailure) {
    scanner.p += 1
    guard try peek() != 0x7D else {
      scanner.p += 1
      return
    }
    var seen: Set<String> = []
    while true {
      guard try peek() == 0x22 else { throw failure(.key) }
      let offset = window.offset(of: scanner.p)
      var key = ""
      try finish { scanner in
        let status = scanner.checkedString()
        if status == .done { key = scanner.tokenText }
        return status == .done ? scanner.colon() : status
      }
      guard seen.insert(key).inserted || keepsLast else {
        throw .syntax(JSONSyntaxError(.duplicateKey(key), at: offset))
      }
      _ = try peek()
      try member(&self, key, offset)
      switch try peek() {
      case 0x2C: scanner.p += 1
      case 0x7D:
        scanner.p += 1
        return
      default: throw failure(.commaOrObjectEnd)
      }
    }
  }

  /// Returns the next byte that is not whitespace; throws at the end of the input.
  mutating func peek() throws(LoadFailure) -> UInt8 {
    guard try skipToValue() else { throw .syntax(unexpectedEnd) }
    return scanner.p.pointee
  }

  private mutating func failure(_ expected: JSONSyntaxError.Expectation) -> LoadFailure {
    _ = scanner.failExpecting(expected)
    return .syntax(fault)
  }

  /// Reads the array of rows that begins here.
  mutating func rows(into builder: inout EntityBuilder) throws(LoadFailure) {
    try array { loader throws(LoadFailure) in try loader.row(into: &builder) }
  }

  /// Reads one row. The loop over an array's rows is here, which saves a call per row.
  mutating func row(into builder: inout EntityBuilder, inArray: Bool = true) throws(LoadFailure) {
    if inArray, isParallelReadingDue(builder), try !shareRows(into: &builder) { return }
    while true {
      switch builder.scanRow(&scanner, window) {
      case .done:
        guard inArray, continues() else { return }
      case .failed: throw .syntax(fault)
      case .needsMore:
        try needMore()
        if inArray, isParallelReadingDue(builder), try !shareRows(into: &builder) { return }
      }
    }
  }

  /// Reads rows until one begins at `limit` or after it; nil if another step must come first.
  ///
  /// Unlike `row(into:)` it leaves the builder's last chunk open.
  mutating func rowsAhead(
    into builder: inout EntityBuilder, upTo limit: Int
  ) throws(LoadFailure) -> ReadAhead? {
    while true {
      switch builder.scanRow(&scanner, window) {
      case .done:
        if !continues() {
          if isNearEnd { try refill() }
          guard continues() else {
            return ReadAhead(offset: window.offset(of: scanner.p), isAfterRows: true)
          }
        }
        // Rows with problems must be read again by one thread.
        guard builder.problems.count == 0 else { return nil }
        let offset = window.offset(of: scanner.p)
        if offset >= limit || builder.isNearlyFull { return ReadAhead(offset: offset) }
      case .failed: return nil
      case .needsMore:
        guard !window.isAtEnd else { return nil }
        try refill()
      }
    }
  }

  /// Whether what follows the row may be outside the window.
  private var isNearEnd: Bool { !window.isAtEnd && scanner.end - scanner.p < 16 }

  /// Skips a comma and whitespace up to the brace that opens the next row.
  @inline(__always)
  private mutating func continues() -> Bool {
    var p = scanner.p
    guard p.pointee == 0x2C else { return false }
    p += 1
    while p.pointee == 0x0A || p.pointee == 0x20 { p += 1 }
    guard p.pointee == 0x7B else { return false }
    scanner.p = p
    return true
  }

  /// Reads a small value as a tree; its spans are offsets in the input.
  mutating func tree() throws(LoadFailure) -> (bytes: [UInt8], offset: Int) {
    var bytes: [UInt8] = []
    var offset = 0
    let window = window
    try finish { scanner in
      let start = scanner.p
      offset = window.offset(of: start)
      let status = scanner.skipValue()
      if status == .done {
        bytes = Array(UnsafeBufferPointer(start: start, count: scanner.p - start))
      }
      return status
    }
    return (bytes, offset)
  }
}
